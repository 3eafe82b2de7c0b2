import { IcosahedronGeometry } from 'three';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';
import {
  boundingSphere,
  boundsOf,
  meanEdgeLength,
  measure,
  signedVolume,
  vertexAreas,
  vertexNormals,
} from '../../src/mesh/measure.js';
import { weld } from '../../src/mesh/weld.js';
import { combine, cube, flipped, fromGeometry, gridTorus, meshOf, moved, tetrahedron } from './sample-meshes.js';

const expectNear = (found: ArrayLike<number>, expected: readonly number[], tolerance: number) => {
  expected.forEach((value, k) => {
    expect(Math.abs(found[k] - value)).toBeLessThan(tolerance);
  });
};

describe('measure', () => {
  it('knows a cube', () => {
    const m = measure(cube([1, 2, 3], 2));
    // Whole numbers of moderate size: every operation is exact but the divisions by 6 and 24.
    expect(Math.abs(m.volume - 8)).toBeLessThan(1e-14);
    expect(Math.abs(m.area - 24)).toBeLessThan(1e-14);
    expectNear(m.centreOfMass, [2, 3, 4], 1e-14);
    expect(m).toMatchObject({ vertices: 8, triangles: 12, genus: 0, components: 1 });
    expect(m.bounds).toEqual([
      [1, 2, 3],
      [3, 4, 5],
    ]);
  });

  it('knows the centre of a solid that is not the centre of its surface or box', () => {
    expectNear(measure(tetrahedron()).centreOfMass, [0.25, 0.25, 0.25], 1e-15);
  });

  it('gives a mirrored volume its sign', () => {
    expect(measure(flipped(tetrahedron())).volume).toBe(-measure(tetrahedron()).volume);
  });

  it('keeps its digits far from the origin', () => {
    // Coordinates of 2²⁷ + k/2²⁰ are exact, so the volume should be too; summed about the origin it would be off by
    // about 1e-16 · (1.3e8)³ ≈ 2e8.
    const far = moved(cube([0, 0, 0], 2 ** -10), [2 ** 27, -(2 ** 27), 2 ** 27]);
    expect(Math.abs(measure(far).volume / 2 ** -30 - 1)).toBeLessThan(1e-13);
    expect(Math.abs(signedVolume(far.positions, far.triangles) / 2 ** -30 - 1)).toBeLessThan(1e-13);
    expectNear(measure(far).centreOfMass, [2 ** 27 + 2 ** -11, -(2 ** 27) + 2 ** -11, 2 ** 27 + 2 ** -11], 1e-7);
  });

  it('measures an open surface as the cone to the origin', () => {
    // One triangle of the unit tetrahedron: the cone is that tetrahedron.
    const m = measure(meshOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 1, 2]));
    expect(Math.abs(m.volume - 1 / 6)).toBeLessThan(1e-15);
    expect(m.genus).toBeNull();
    expectNear(m.centreOfMass, [1 / 3, 1 / 3, 1 / 3], 1e-15);
  });

  it('counts handles and components', () => {
    expect(measure(gridTorus(12, 8)).genus).toBe(1);
    const both = measure(combine(gridTorus(12, 8), moved(gridTorus(9, 7), [10, 0, 0])));
    expect(both).toMatchObject({ genus: 2, components: 2 });
  });

  it('approaches a torus of Pappus', () => {
    // Inscribed in the torus 2π²Rr² with relative error of the order (π/n)² in each direction.
    const exact = 2 * Math.PI ** 2 * 2 * 0.25;
    expect(Math.abs(measure(gridTorus(200, 100)).volume / exact - 1)).toBeLessThan(2 * (Math.PI / 100) ** 2);
  });

  it('falls back to the surface where there is no volume, and survives nothing at all', () => {
    const pillow = measure(meshOf([0, 0, 0, 3, 0, 0, 0, 3, 0], [0, 1, 2, 0, 2, 1]));
    expect(pillow.volume).toBe(0);
    expectNear(pillow.centreOfMass, [1, 1, 0], 1e-15);
    expect(measure(meshOf([], []))).toMatchObject({ vertices: 0, volume: 0, area: 0, components: 0, genus: null });
  });
});

describe('sums over vertices', () => {
  const sphere = weld(fromGeometry(new IcosahedronGeometry(1, 6))).mesh;

  it('shares the whole area among the vertices', () => {
    const total = vertexAreas(sphere).reduce((sum, area) => sum + area, 0);
    // A thousand summands near 1e-2.
    expect(Math.abs(total - measure(sphere).area)).toBeLessThan(1e-12);
  });

  it('has normals that sum to zero on a closed surface and point outwards', () => {
    const normals = vertexNormals(sphere.positions, sphere.triangles);
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let i = k; i < normals.length; i += 3) sum += normals[i];
      expect(Math.abs(sum)).toBeLessThan(1e-13);
    }
    for (let i = 0; i < normals.length; i += 3) {
      const [x, y, z] = normals.subarray(i, i + 3);
      const length = Math.sqrt(x * x + y * y + z * z);
      const [px, py, pz] = sphere.positions.subarray(i, i + 3);
      // Edges are about 0.2 long, so a mean of facet normals leans by far less than 0.2 rad.
      expect((x * px + y * py + z * pz) / length).toBeGreaterThan(Math.cos(0.1));
    }
  });

  it('writes into a given array and clears it first', () => {
    const out = new Float64Array(12).fill(5);
    const mesh = tetrahedron();
    expect(vertexNormals(mesh.positions, mesh.triangles, out)).toBe(out);
    // Corner 0 has the three faces in the axes' planes, of area 1/2 each.
    expect([...out.subarray(0, 3)]).toEqual([-0.5, -0.5, -0.5]);
  });

  it('averages edges', () => {
    // A cube of edge 1 has 12 edges of length 1 and 6 diagonals.
    expect(Math.abs(meanEdgeLength(cube()) - (12 + 6 * Math.SQRT2) / 18)).toBeLessThan(1e-15);
    expect(meanEdgeLength(meshOf([], []))).toBe(0);
  });
});

describe('bounds', () => {
  it('passes over what is not finite', () => {
    expect(boundsOf([0, 1, 2, Number.NaN, 5, Infinity, -1, 0, 0])).toEqual([
      [-1, 0, 0],
      [0, 5, 2],
    ]);
    expect(boundsOf([])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it('holds all points in a sphere hardly larger than the smallest', () => {
    const random = seededRandom(3);
    for (let round = 0; round < 20; round++) {
      const points = Float64Array.from({ length: 600 }, () => random() - 0.5);
      // Two antipodal points of the unit sphere make it the smallest sphere around all.
      points.set([0.6, 0.8, 0, -0.6, -0.8, 0], 30);
      const { centre, radius } = boundingSphere(points);
      for (let i = 0; i < points.length; i += 3) {
        const [x, y, z] = [points[i] - centre[0], points[i + 1] - centre[1], points[i + 2] - centre[2]];
        expect(Math.sqrt(x * x + y * y + z * z)).toBeLessThanOrEqual(radius);
      }
      // Ritter's sphere alone is up to 20 % too large; shrinking and growing is meant to leave a few per cent.
      expect(radius).toBeLessThan(1.05);
    }
  });

  it('gives a point a sphere without radius', () => {
    expect(boundingSphere([1, 2, 3, 1, 2, 3])).toEqual({ centre: [1, 2, 3], radius: 0 });
    expect(boundingSphere([])).toEqual({ centre: [0, 0, 0], radius: 0 });
    expect(boundingSphere([Number.NaN, 0, 0, 1, 2, 3])).toEqual({ centre: [1, 2, 3], radius: 0 });
  });
});
