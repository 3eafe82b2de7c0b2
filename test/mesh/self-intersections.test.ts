import { IcosahedronGeometry, Ray, TorusKnotGeometry, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { normalizeQuaternion, rotate } from '../../src/math/quaternion.js';
import { seededRandom } from '../../src/math/random.js';
import { pointAt } from '../../src/math/vec3.js';
import { findSelfIntersections, positionNoise, trianglesCross } from '../../src/mesh/self-intersections.js';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js';
import { weld } from '../../src/mesh/weld.js';
import {
  combine,
  cube,
  fromGeometry,
  gridTorus,
  meshOf,
  moved,
  randomTriangles,
  tetrahedron,
} from './sample-meshes.js';

const find = ({ positions, triangles }: TriangleMesh, limit?: number) =>
  findSelfIntersections(positions, triangles, limit);

/** Whether a side of one triangle passes through the other, with three's ray against a triangle. */
function crossByThree({ positions, triangles }: TriangleMesh, t: number, u: number): boolean {
  const corners = (i: number) => [0, 1, 2].map((k) => new Vector3(...pointAt(positions, triangles[3 * i + k])));
  const pierces = (p: Vector3, q: Vector3, [a, b, c]: Vector3[]) => {
    const hit = new Ray(p, q.clone().sub(p).normalize()).intersectTriangle(a, b, c, false, new Vector3());
    return hit !== null && hit.distanceTo(p) <= q.distanceTo(p);
  };
  const [first, second] = [corners(t), corners(u)];
  return [0, 1, 2].some(
    (k) => pierces(first[k], first[(k + 1) % 3], second) || pierces(second[k], second[(k + 1) % 3], first),
  );
}

describe('findSelfIntersections', () => {
  it.each([
    ['cube', cube()],
    ['torus', gridTorus(40, 20)],
    ['sphere', weld(fromGeometry(new IcosahedronGeometry(1, 8))).mesh],
    ['knot', weld(fromGeometry(new TorusKnotGeometry(1, 0.2, 128, 12))).mesh],
    ['pair of touching cubes', combine(cube(), cube([1, 0, 0]))],
    ['pair of equal cubes', combine(cube(), cube())],
  ])('finds nothing in a clean %s', (_, mesh) => {
    expect(find(mesh)).toEqual({ count: 0, pairs: [], complete: true });
  });

  it('does not take rounding for crossing where turned cubes share part of a face', () => {
    const random = seededRandom(21);
    const both = combine(cube(), cube([1, 0.25, 0.375]));
    for (let round = 0; round < 200; round++) {
      const turn = normalizeQuaternion([random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]);
      const positions = new Float64Array(both.positions.length);
      for (let v = 0; v < 16; v++) positions.set(rotate(turn, pointAt(both.positions, v)), 3 * v);
      expect(find({ ...both, positions }).count).toBe(0);
      expect(find(moved({ ...both, positions }, [1000, -50, 7])).count).toBe(0);
    }
  });

  it('finds a crossing no deeper than a millionth of the body', () => {
    const both = combine(cube(), cube([1 - 1e-6, 0.25, 0.375]));
    expect(find(both).count).toBeGreaterThan(0);
    expect(find(moved(both, [1000, -50, 7])).count).toBeGreaterThan(0);
  });

  it('finds two tetrahedra in each other', () => {
    const both = combine(tetrahedron(), moved(tetrahedron(), [0.2, 0.15, 0.1]));
    const { count, pairs } = find(both);
    expect(count).toBeGreaterThan(0);
    for (const [t, u] of pairs) {
      // Each tetrahedron is convex: only triangles of different ones cross.
      expect(t).toBeLessThan(4);
      expect(u).toBeGreaterThanOrEqual(4);
    }
  });

  it("agrees with trying all pairs, and with three's rays", () => {
    const random = seededRandom(9);
    for (const size of [0.2, 0.6, 2]) {
      const mesh = randomTriangles(60, size, Math.floor(1000 * random()));
      const { positions, triangles } = mesh;
      const expected: [number, number][] = [];
      for (let t = 0; t < 60; t++) {
        for (let u = t + 1; u < 60; u++) {
          const cross = trianglesCross(positions, triangles, t, u, positionNoise(positions));
          expect(cross).toBe(crossByThree(mesh, t, u));
          if (cross) expected.push([t, u]);
        }
      }
      const found = find(mesh);
      expect(found.count).toBe(expected.length);
      expect([...found.pairs].sort((a, b) => a[0] - b[0] || a[1] - b[1])).toEqual(expected);
    }
  });

  it('finds a triangle folded through its neighbour at one vertex, and never neighbours over an edge', () => {
    // Both start in the origin; the far side of the second passes through the first.
    const mesh = meshOf([0, 0, 0, 2, -1, 0, 2, 1, 0, 1, 0, 1, 1, 0, -1], [0, 1, 2, 0, 3, 4]);
    expect(find(mesh).pairs).toEqual([[0, 1]]);
    const folded = meshOf([0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.3, 0], [0, 1, 2, 1, 0, 3]);
    expect(find(folded).count).toBe(0);
  });

  it('stops at the limit', () => {
    const mesh = randomTriangles(100, 2, 3);
    expect(find(mesh, 1)).toMatchObject({ count: 1, complete: false });
    expect(find(mesh).count).toBeGreaterThan(100);
  });

  it('survives collapsed and non-finite bodies', () => {
    const torus = gridTorus(32, 32);
    const collapsed = { ...torus, positions: torus.positions.map(() => 0.1) };
    expect(find(collapsed).count).toBe(0);
    const flat = { ...torus, positions: torus.positions.map((value, i) => (i % 3 === 1 ? 0 : value)) };
    expect(find(flat).count).toBe(0);
    const line = { ...torus, positions: torus.positions.map((value, i) => (i % 3 === 0 ? value : 0)) };
    expect(find(line).count).toBe(0);
    expect(find({ ...torus, positions: torus.positions.map(() => Number.NaN) }).count).toBe(0);
    expect(find(meshOf([], [])).count).toBe(0);
    expect(find(meshOf([0, 0, 0], [0, 1, 2])).count).toBe(0);
  });

  it('bounds its work on a crumpled heap', () => {
    const random = seededRandom(13);
    const torus = gridTorus(150, 100);
    const heap = { ...torus, positions: torus.positions.map(() => random()) };
    const start = performance.now();
    const { count, complete, pairs } = find(heap);
    // 450 million pairs overlap; 3.2 million are tried.
    expect(complete).toBe(false);
    expect(count).toBeGreaterThan(1000);
    expect(pairs.length).toBe(1000);
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});
