// Goals against naive sums in double precision, and of bodies that are hardly bodies any more: the same for whatever computes them.

import { expect } from 'vitest';
import { type PreparedSurface, prepare, surface, vertexNormals } from '../../../src/index.js';
import { MOMENT_STRIDE, writeMoments } from '../../../src/solvers/moments.js';
import { writeGoals, writeTransforms } from '../../../src/solvers/surface/goals.js';
import { sumMembers } from '../../../src/solvers/surface/region-sums.js';
import type { SurfaceRest } from '../../../src/solvers/surface/rest.js';
import { kernelMeshes } from '../kernel-meshes.js';
import { looseParticles, MESH_SIZES, meshOfSize, SIZES } from '../kernel-sizes.js';
import type { NamedTest, Soon } from '../named-test.js';
import { matrixOf, product, randomRotations, turned } from '../sample-rotations.js';

/** Goals of particles in path order, from the rotation given for all regions. */
export type GoalsOf = (
  prepared: PreparedSurface,
  positions: Float64Array,
  rotation: ArrayLike<number>,
) => Soon<Float64Array>;

/** Rest positions through an affine map. */
export const placed = (rest: SurfaceRest, matrix: ArrayLike<number>, move: readonly number[]): Float64Array => {
  const out = new Float64Array(3 * rest.count);
  for (let i = 0; i < rest.count; i++) {
    const x = turned(matrix, rest.positions.subarray(3 * i, 3 * i + 3));
    for (let c = 0; c < 3; c++) out[3 * i + c] = x[c] + move[c];
  }
  return out;
};

export function worstDifference(a: Float64Array, b: Float64Array): number {
  expect(a.every(Number.isFinite)).toBe(true);
  return a.reduce((worst, x, k) => Math.max(worst, Math.abs(x - b[k])), 0);
}

/** Goals the slow way: naive sums in double precision. */
function naiveGoals(rest: SurfaceRest, positions: Float64Array, previous: ArrayLike<number>): Float64Array {
  const values = new Float64Array(MOMENT_STRIDE * rest.count);
  const sums = values.slice();
  const quaternions = Float64Array.from({ length: 4 * rest.count }, (_, k) => previous[k % 4]);
  const normals = vertexNormals(positions, rest.mesh.triangles);
  writeMoments(rest, positions, [0, 0, 0], values);
  sumMembers(values, MOMENT_STRIDE, rest.regions, sums);
  writeTransforms(rest, sums, positions, [0, 0, 0], normals, quaternions, values);
  sumMembers(values, MOMENT_STRIDE, rest.regions, sums);
  const goals = new Float64Array(3 * rest.count);
  writeGoals(rest, sums, [0, 0, 0], goals);
  return goals;
}

/** Turned, stretched and shaken; rotations stay determined. */
function deformed(rest: SurfaceRest, seed: number): { positions: Float64Array; near: Float64Array } {
  const random = randomRotations(seed);
  const near = random.quaternion();
  const stretch = product(matrixOf(near), [1.2, 0.1, 0, 0, 0.9, 0.1, 0, 0, 1]);
  const positions = placed(rest, stretch, [0.3, -0.2, 0.1]).map((x) => Math.fround(x + 0.05 * random.normal()));
  return { positions, near };
}

/**
 * Sums of a region lose ε·128 at worst in its prefix sums, 1e-5 of a metre; the rotations of thin regions carry it on by
 * the ratio of their moments, here up to 10.
 */
const SINGLE = 1e-4;

const COLLAPSED = [
  ['mirrored', [-1, 0, 0, 0, 1, 0, 0, 0, 1]],
  ['flat', [1, 0, 0, 0, 0, 0, 0, 0, 1]],
  ['a line', [1, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['a point', [0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['a thousandth of its size', [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3]],
  ['a thousand times its size', [1e3, 0, 0, 0, 1e3, 0, 0, 0, 1e3]],
  ['sheared by a hundred', [1, 100, 0, 0, 1, 0, 0, 0, 1]],
] as const;

export function goalsTests(test: NamedTest, goalsOf: GoalsOf): void {
  for (const count of SIZES) {
    test(`of ${count} particles without a surface are the naive ones of double precision`, async () => {
      const prepared = looseParticles(count, 61);
      const { positions, near } = deformed(prepared.surface, 62);
      const goals = await goalsOf(prepared, positions, near);
      expect(goals.length).toBe(3 * count);
      expect(worstDifference(goals, naiveGoals(prepared.surface, positions, near))).toBeLessThan(SINGLE);
    });
  }

  for (const count of MESH_SIZES) {
    test(`of a mesh of ${count} vertices are the naive ones of double precision`, async () => {
      for (const regionSize of count > 1000 ? [3] : [1, 2, 4]) {
        const prepared = prepare(meshOfSize(count), surface({ regionSize }));
        const { positions, near } = deformed(prepared.surface, 63);
        const goals = await goalsOf(prepared, positions, near);
        expect(worstDifference(goals, naiveGoals(prepared.surface, positions, near))).toBeLessThan(SINGLE);
      }
    });
  }

  for (const [name, matrix] of COLLAPSED) {
    test(`are finite and keep the centre of mass of a body that is ${name}`, async () => {
      for (const [, mesh] of kernelMeshes) {
        const prepared = prepare(mesh, surface({ regionSize: 2 }));
        const { surface: rest } = prepared;
        const positions = placed(rest, matrix, [0, 0, 0]);
        const goals = await goalsOf(prepared, positions, [0, 0, 0, 1]);
        expect(goals.every(Number.isFinite)).toBe(true);
        const size = Math.max(...positions.map(Math.abs), ...rest.positions.map(Math.abs));
        for (let c = 0; c < 3; c++) {
          let shift = 0;
          for (let i = 0; i < rest.count; i++) shift += rest.massShares[i] * (goals[3 * i + c] - positions[3 * i + c]);
          // Rounding of numbers of that size, averaged over the body.
          expect(Math.abs(shift)).toBeLessThan(1e-5 * size);
        }
      }
    });
  }
}
