// Goals against closed forms, most of them on the octahedron: by its symmetry every region centre and every goal can be
// written down.

import { describe, expect, it } from 'vitest';
import { box, surface } from '../../../src/index.js';
import { MOMENT_STRIDE, writeMoments } from '../../../src/solvers/moments.js';
import { writeTransforms } from '../../../src/solvers/surface/goals.js';
import { sumMembers } from '../../../src/solvers/surface/region-sums.js';
import { buildSurfaceRest, type SurfaceRest } from '../../../src/solvers/surface/rest.js';
import { SurfaceModel } from '../../../src/solvers/surface/surface-model.js';
import { octahedron } from '../kernel-meshes.js';
import { angleBetween, matrixOf, product, randomRotations, turned } from '../sample-rotations.js';
import { KernelBody } from '../wasm-kernels.js';
import { goalsTests, placed, worstDifference } from './goals-tests.js';

/** Rounding of sums of at most a hundred numbers of order one. */
const ROUNDING = 1e-13;

const restOf = (regionSize: number): SurfaceRest => buildSurfaceRest(octahedron, surface({ regionSize }).settings);

function goalsOf(rest: SurfaceRest, positions: Float64Array, previous: ArrayLike<number> = [0, 0, 0, 1]): Float64Array {
  const elasticity = new SurfaceModel(rest, surface().settings);
  elasticity.reset(previous);
  const goals = new Float64Array(positions.length);
  elasticity.writeGoals(positions, goals);
  return goals;
}

describe('goals of a body scaled by s, turned by Q and moved by c', () => {
  const random = randomRotations(21);
  const cases = [0.5, 0.9, 1, 1.3, 3].map((s) => [s] as const);

  it.each(cases)('are the rest shape where every region is the whole body, s = %d', (s) => {
    // t⁰ = 0 and R = Q: g = Q·x⁰ + c.
    const rest = restOf(2);
    const q = random.matrix();
    const move = [3, -4, 5];
    const goals = goalsOf(
      rest,
      placed(
        rest,
        q.map((x) => s * x),
        move,
      ),
    );
    expect(worstDifference(goals, placed(rest, q, move))).toBeLessThan(ROUNDING);
  });

  it.each(cases)('are Q·x⁰·(1 + (s − 1)/25) + c where a region is all but the far corner, s = %d', (s) => {
    // Five equal masses, centre t⁰ⱼ = xⱼ/5; the mean of t⁰ over the five regions of i is xᵢ/25: g = Q(x⁰ᵢ + (s − 1)xᵢ/25).
    const rest = restOf(1);
    const q = random.matrix();
    const goals = goalsOf(
      rest,
      placed(
        rest,
        q.map((x) => s * x),
        [1, 2, 3],
      ),
    );
    const expected = placed(
      rest,
      q.map((x) => x * (1 + (s - 1) / 25)),
      [1, 2, 3],
    );
    expect(worstDifference(goals, expected)).toBeLessThan(ROUNDING);
  });
});

it('keeps the centre of mass whatever the deformation', () => {
  // Σ m g = Σ m x, because of the relative masses m̃ = m/|𝓡|: linear momentum.
  const random = randomRotations(22);
  const rest = buildSurfaceRest(box({ size: [2, 1, 0.5], divisions: [6, 3, 2] }), surface({ regionSize: 2 }).settings);
  for (let n = 0; n < 20; n++) {
    const positions = rest.positions.map((x) => x + 0.3 * random.normal());
    const goals = goalsOf(rest, positions);
    for (let c = 0; c < 3; c++) {
      let shift = 0;
      for (let i = 0; i < rest.count; i++) shift += rest.massShares[i] * (goals[3 * i + c] - positions[3 * i + c]);
      expect(Math.abs(shift)).toBeLessThan(ROUNDING);
    }
  }
});

describe('a flat region', () => {
  const rest = buildSurfaceRest(box({ divisions: 6 }), surface({ regionSize: 1 }).settings);
  /** The region around the middle of the top face: all members in the plane y = 0.5. */
  const middle = Array.from({ length: rest.count }, (_, i) => i).find(
    (i) =>
      Math.abs(rest.positions[3 * i]) + Math.abs(rest.positions[3 * i + 2]) < 1e-9 && rest.positions[3 * i + 1] > 0,
  ) as number;

  function rotationOf(positions: Float64Array, normals: Float64Array, previous: ArrayLike<number>): Float64Array {
    const values = new Float64Array(MOMENT_STRIDE * rest.count);
    const sums = values.slice();
    const quaternions = Float64Array.from({ length: 4 * rest.count }, (_, k) => previous[k % 4]);
    writeMoments(rest, positions, [0, 0, 0], values);
    sumMembers(values, MOMENT_STRIDE, rest.regions, sums);
    writeTransforms(rest, sums, positions, [0, 0, 0], normals, quaternions, values);
    const row = MOMENT_STRIDE * middle;
    return Float64Array.from([0, 1, 2, 4, 5, 6, 8, 9, 10], (k) => values[row + k]);
  }

  const turnedNormals = (matrix: ArrayLike<number>): Float64Array => {
    const out = new Float64Array(3 * rest.count);
    for (let i = 0; i < rest.count; i++) out.set(turned(matrix, rest.unitNormals.subarray(3 * i, 3 * i + 3)), 3 * i);
    return out;
  };

  it('turns with the body, from any previous rotation', () => {
    const random = randomRotations(23);
    for (let n = 0; n < 50; n++) {
      const q = random.matrix();
      const r = rotationOf(placed(rest, q, [0, 0, 0]), turnedNormals(q), random.quaternion());
      expect(angleBetween(r, q)).toBeLessThan(1e-12);
    }
  });

  it('takes its rotation from the normal where its particles are squeezed onto a line', () => {
    // Without the extra point A would have rank 1, and the twist about the line would stay as it was.
    const random = randomRotations(24);
    const ontoLine = [1, 0, 0, 0, 1, 0, 0, 0, 0]; // z → 0: in the plane y = 0.5 only x is left
    for (let n = 0; n < 50; n++) {
      const q = random.matrix();
      const twist = matrixOf([Math.sin(0.6), 0, 0, Math.cos(0.6)]);
      const positions = placed(rest, product(q, ontoLine), [0, 0, 0]);
      const normals = turnedNormals(product(q, twist));
      const r = rotationOf(positions, normals, random.quaternion());
      expect(angleBetween(r, product(q, twist))).toBeLessThan(1e-9);
    }
  });

  it('keeps the rest normal turned by its previous rotation where the triangles have lost theirs', () => {
    // Squeezed onto a line without normals: the line decides two angles, the previous rotation the third.
    const random = randomRotations(25);
    for (let n = 0; n < 50; n++) {
      const previous = random.quaternion();
      const q = matrixOf(previous);
      const positions = placed(rest, product(q, [1, 0, 0, 0, 1, 0, 0, 0, 0]), [0, 0, 0]);
      expect(angleBetween(rotationOf(positions, new Float64Array(3 * rest.count), previous), q)).toBeLessThan(1e-9);
      // Rounding in place of a normal, 1e-12 of the area, is no direction either.
      const noise = rest.unitNormals.map((_, k) => 1e-12 * rest.areas[Math.trunc(k / 3)] * random.normal());
      expect(angleBetween(rotationOf(positions, noise, previous), q)).toBeLessThan(1e-9);
    }
  });
});

describe('a body collapsed to a point', () => {
  it('has the rest shape there as its goal, turned as it was before', () => {
    const rest = restOf(2);
    const random = randomRotations(26);
    for (let n = 0; n < 20; n++) {
      const previous = random.quaternion();
      const point = placed(rest, new Float64Array(9), [7, 8, 9]);
      const expected = placed(rest, matrixOf(previous), [7, 8, 9]);
      // Only the extra point is left, a matrix of rank 1: eigenvectors of a gap of 1e-10 carry rounding as 1e-6.
      expect(worstDifference(goalsOf(rest, point, previous), expected)).toBeLessThan(1e-5);
    }
  });
});

describe('goals on wasm', () => {
  goalsTests(it, (prepared, positions, rotation) => new KernelBody(prepared).goals(positions, rotation));
});
