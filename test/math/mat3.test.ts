// Symmetric 3×3 solves against ml-matrix.

import { Matrix, solve } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { solveSymmetric } from '../../src/math/mat3.js';
import { seededRandom } from '../../src/math/random.js';

const packed = (m: number[][]): number[] => [m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]];

/** F·Fᵀ + shift·I of a random F. */
function positive(random: () => number, shift: number): number[][] {
  const f = [0, 1, 2].map(() => [random() - 0.5, random() - 0.5, random() - 0.5]);
  return [0, 1, 2].map((r) =>
    [0, 1, 2].map((c) => f[r][0] * f[c][0] + f[r][1] * f[c][1] + f[r][2] * f[c][2] + (r === c ? shift : 0)),
  );
}

describe('solveSymmetric', () => {
  it('solves positive definite systems as ml-matrix does', () => {
    const random = seededRandom(3);
    const out = new Float64Array(3);
    for (let n = 0; n < 300; n++) {
      const m = positive(random, 0.01);
      const b = [random(), random(), random()];
      expect(solveSymmetric(packed(m), 0, b, out)).toBe(true);
      const expected = solve(new Matrix(m), Matrix.columnVector(b)).to1DArray();
      // Condition up to 1e2, solutions up to 1e2.
      expected.forEach((x, c) => {
        expect(Math.abs(out[c] - x)).toBeLessThan(1e-11);
      });
    }
  });

  it('adds the floor to the diagonal', () => {
    const out = new Float64Array(3);
    expect(solveSymmetric([1, 0, 0, 2, 0, 3], 1, [2, 3, 4], out)).toBe(true);
    expect([...out]).toEqual([1, 1, 1]);
  });

  it('gives nothing along directions without inertia: a line, a point', () => {
    const out = new Float64Array(3);
    // A rod along x has no inertia about x; a torque there is only noise.
    expect(solveSymmetric([0, 0, 0, 2, 0, 2], 1e-14, [0, 4, 6], out)).toBe(true);
    expect(Math.abs(out[0])).toBeLessThan(1e-12);
    expect(Math.abs(out[1] - 2)).toBeLessThan(1e-12);
    expect(solveSymmetric([0, 0, 0, 0, 0, 0], 0, [0, 0, 0], out)).toBe(false);
    expect([...out]).toEqual([0, 0, 0]);
  });

  it.each([
    ['indefinite', [1, 0, 0, -1, 0, 1]],
    ['negative', [-1, 0, 0, -1, 0, -1]],
    ['singular', [1, 1, 0, 1, 0, 1]],
    ['not a number', [Number.NaN, 0, 0, 1, 0, 1]],
    ['infinite', [Infinity, Infinity, 0, 1, 0, 1]],
  ])('refuses a matrix that is %s, with 0 as the answer', (_, m) => {
    const out = Float64Array.of(7, 7, 7);
    expect(solveSymmetric(m, 0, [1, 2, 3], out)).toBe(false);
    expect([...out]).toEqual([0, 0, 0]);
  });

  it('refuses pivots that are not above the least', () => {
    const out = new Float64Array(3);
    expect(solveSymmetric([1, 0, 0, 1, 0, 1e-3], 0, [1, 1, 1], out, 1e-2)).toBe(false);
    expect(solveSymmetric([1, 0, 0, 1, 0, 1e-1], 0, [1, 1, 1], out, 1e-2)).toBe(true);
  });
});
