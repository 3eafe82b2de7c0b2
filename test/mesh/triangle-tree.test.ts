import { SphereGeometry, Triangle, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';
import { pointAt, type Vec3 } from '../../src/math/vec3.js';
import { vertexNormals } from '../../src/mesh/measure.js';
import { buildTriangleTree, castRay, closestPoint, overlappingPairs } from '../../src/mesh/triangle-tree.js';
import { weld } from '../../src/mesh/weld.js';
import { cube, fromGeometry, gridTorus, meshOf, randomTriangles, tetrahedron } from './sample-meshes.js';

const randomPoint = (random: () => number, size = 1): Vec3 => [
  size * (random() - 0.5) + 0.5,
  size * (random() - 0.5) + 0.5,
  size * (random() - 0.5) + 0.5,
];

/** Each triangle by itself is a tree without anything to leave out. */
const singleTrees = (mesh: ReturnType<typeof cube>) =>
  Array.from({ length: mesh.triangles.length / 3 }, (_, t) =>
    buildTriangleTree(mesh.positions, mesh.triangles.subarray(3 * t, 3 * t + 3)),
  );

describe('castRay', () => {
  it('finds the faces of a cube from inside and outside', () => {
    const tree = buildTriangleTree(cube().positions, cube().triangles);
    expect(castRay(tree, [0.25, 0.375, 0.5], [1, 0, 0])?.distance).toBe(0.75);
    expect(castRay(tree, [0.3, 0.4, -2], [0, 0, 5])?.distance).toBe(2);
    expect(castRay(tree, [0.3, 0.4, -2], [0, 0, -5])).toBeNull();
    expect(castRay(tree, [0.3, 0.4, -2], [0, 0, 1], { maxDistance: 1.9 })).toBeNull();
  });

  it('agrees with trying all triangles', () => {
    const random = seededRandom(1);
    for (const size of [0.05, 0.3, 1]) {
      const mesh = randomTriangles(300, size, 17);
      const tree = buildTriangleTree(mesh.positions, mesh.triangles);
      const all = singleTrees(mesh);
      for (let i = 0; i < 200; i++) {
        const origin = randomPoint(random, 2);
        const direction: Vec3 = i % 10 === 0 ? [0, 0, 1] : [random() - 0.5, random() - 0.5, random() - 0.5];
        let nearest = Infinity;
        let triangle = -1;
        all.forEach((single, t) => {
          const distance = castRay(single, origin, direction)?.distance ?? Infinity;
          if (distance < nearest) [nearest, triangle] = [distance, t];
        });
        const hit = castRay(tree, origin, direction);
        expect(hit?.distance ?? Infinity).toBe(nearest);
        expect(hit?.triangle ?? -1).toBe(triangle);
      }
    }
  });

  it('gives weights of the point hit', () => {
    const random = seededRandom(2);
    const mesh = gridTorus(20, 10);
    const tree = buildTriangleTree(mesh.positions, mesh.triangles);
    let hits = 0;
    for (let i = 0; i < 200; i++) {
      const origin: Vec3 = [6 * random() - 3, 3, 6 * random() - 3];
      const direction: Vec3 = [random() - 0.5, -2, random() - 0.5];
      const hit = castRay(tree, origin, direction);
      if (!hit) continue;
      hits++;
      const length = Math.sqrt(direction.reduce((sum, value) => sum + value * value, 0));
      for (let k = 0; k < 3; k++) {
        let value = 0;
        for (let j = 0; j < 3; j++)
          value += hit.barycentrics[j] * mesh.positions[3 * mesh.triangles[3 * hit.triangle + j] + k];
        // Rounding of numbers below 5.
        expect(Math.abs(value - origin[k] - (hit.distance * direction[k]) / length)).toBeLessThan(1e-13);
      }
    }
    expect(hits).toBeGreaterThan(50);
  });

  it('misses no ray aimed exactly at a vertex or along an edge of a closed surface', () => {
    const sphere = weld(fromGeometry(new SphereGeometry(1, 40, 20))).mesh;
    const tree = buildTriangleTree(sphere.positions, sphere.triangles);
    for (let v = 0; v < sphere.positions.length / 3; v++) {
      const [x, y, z] = pointAt(sphere.positions, v);
      const hit = castRay(tree, [x, y, z], [-x, -y, -z], { skipVertex: v });
      // The far side of a unit sphere with facets of 0.16: a diameter less sagitta (0.08²/2) at most.
      expect(hit?.distance).toBeGreaterThan(1.98);
      expect(hit?.distance).toBeLessThan(2 + 1e-6);
    }
  });

  it('leaves out what it is told to', () => {
    const mesh = cube();
    const tree = buildTriangleTree(mesh.positions, mesh.triangles);
    const first = castRay(tree, [0.3, 0.4, -1], [0, 0, 1]);
    const second = castRay(tree, [0.3, 0.4, -1], [0, 0, 1], { skip: (t) => t === first?.triangle });
    expect(first?.distance).toBe(1);
    expect(second?.distance).toBe(2);
    expect(castRay(tree, [0, 0, 0], [0, 0, 1], { skipVertex: 0 })?.distance).toBe(1);
  });

  it('takes empty, collapsed and non-finite meshes and rays', () => {
    expect(castRay(buildTriangleTree([], []), [0, 0, 0], [1, 0, 0])).toBeNull();
    const heap = { positions: new Float64Array(9), triangles: Uint32Array.from({ length: 3000 }, (_, i) => i % 3) };
    expect(castRay(buildTriangleTree(heap.positions, heap.triangles), [-1, 0, 0], [1, 0, 0])).toBeNull();
    const mesh = cube();
    mesh.positions[0] = Number.NaN;
    const tree = buildTriangleTree(mesh.positions, mesh.triangles);
    expect(castRay(tree, [0.5, 0.5, 0.5], [1, 0, 0])?.distance).toBe(0.5);
    expect(castRay(tree, [0.5, 0.5, 0.5], [0, 0, 0])).toBeNull();
    expect(castRay(tree, [0.5, 0.5, 0.5], [Number.NaN, 0, 0])).toBeNull();
    expect(castRay(tree, [Number.NaN, 0.5, 0.5], [1, 0, 0])).toBeNull();
  });

  it('casts a ray from each of thirty thousand vertices within a second or so', () => {
    const mesh = gridTorus(300, 100);
    const normals = vertexNormals(mesh.positions, mesh.triangles);
    const start = performance.now();
    const tree = buildTriangleTree(mesh.positions, mesh.triangles);
    let sum = 0;
    for (let v = 0; v < 30_000; v++) {
      const [x, y, z] = pointAt(normals, v);
      sum += castRay(tree, pointAt(mesh.positions, v), [-x, -y, -z], { skipVertex: v })?.distance ?? 0;
    }
    // Through a tube of diameter 1; measured 0.15 s, the bound leaves room for a loaded machine.
    expect(performance.now() - start).toBeLessThan(3000);
    expect(Math.abs(sum / 30_000 - 1)).toBeLessThan(0.01);
  });
});

describe('closestPoint', () => {
  it("agrees with three's closest point over all triangles", () => {
    const random = seededRandom(4);
    const mesh = randomTriangles(200, 0.3, 23);
    const tree = buildTriangleTree(mesh.positions, mesh.triangles);
    const corner = (i: number) => new Vector3(...pointAt(mesh.positions, mesh.triangles[i]));
    const triangles = Array.from(
      { length: 200 },
      (_, t) => new Triangle(corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)),
    );
    for (let i = 0; i < 300; i++) {
      const point = randomPoint(random, 3);
      const target = new Vector3();
      const distances = triangles.map((t) =>
        t.closestPointToPoint(new Vector3(...point), target).distanceTo(new Vector3(...point)),
      );
      const found = closestPoint(tree, point);
      // Rounding of numbers near 1 after a division by an area.
      expect(Math.abs((found?.distance ?? Infinity) - Math.min(...distances))).toBeLessThan(1e-12);
      expect(Math.abs(distances[found?.triangle ?? 0] - Math.min(...distances))).toBeLessThan(1e-12);
      const weights = found?.barycentrics ?? [0, 0, 0];
      expect(Math.abs(weights[0] + weights[1] + weights[2] - 1)).toBeLessThan(1e-14);
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
    }
  });

  it('looks no farther than it is told, and leaves out what it is told to', () => {
    const tree = buildTriangleTree(tetrahedron().positions, tetrahedron().triangles);
    expect(closestPoint(tree, [0.1, 0.1, -2])).toMatchObject({ triangle: 0, distance: 2, point: [0.1, 0.1, 0] });
    expect(closestPoint(tree, [0.1, 0.1, -2], { maxDistance: 1.99 })).toBeNull();
    expect(closestPoint(tree, [-1, -1, -1], { skipVertex: 0 })?.triangle).toBe(3);
    expect(closestPoint(buildTriangleTree([], []), [0, 0, 0])).toBeNull();
    expect(closestPoint(tree, [Number.NaN, 0, 0])).toBeNull();
  });
});

describe('overlappingPairs', () => {
  it('visits each pair of overlapping boxes once', () => {
    for (const [count, size] of [
      [0, 1],
      [1, 1],
      [2, 1],
      [5, 2],
      [300, 0.1],
      [300, 0.4],
    ]) {
      const { positions, triangles } = randomTriangles(count, size, 31);
      const expected = new Set<string>();
      const range = (t: number, k: number) => {
        const values = [0, 1, 2].map((j) => positions[3 * triangles[3 * t + j] + k]);
        return [Math.min(...values), Math.max(...values)];
      };
      for (let a = 0; a < count; a++) {
        for (let b = a + 1; b < count; b++) {
          const overlap = [0, 1, 2].every((k) => range(a, k)[0] <= range(b, k)[1] && range(b, k)[0] <= range(a, k)[1]);
          if (overlap) expected.add(`${a} ${b}`);
        }
      }
      const found: string[] = [];
      overlappingPairs(buildTriangleTree(positions, triangles), (a, b) => found.push(`${a} ${b}`));
      expect(found.length).toBe(expected.size);
      expect(new Set(found)).toEqual(expected);
    }
  });

  it('ends when the visit returns false', () => {
    const mesh = meshOf(
      [0, 0, 0],
      Array.from({ length: 300 }, () => 0),
    );
    let visits = 0;
    overlappingPairs(buildTriangleTree(mesh.positions, mesh.triangles), () => ++visits < 10);
    expect(visits).toBe(10);
  });
});
