// The nearest rotation against the SVD of ml-matrix, R = U·diag(1, 1, det(UVᵀ))·Vᵀ, and on matrices that leave it open: the same for
// whatever computes it.

import { Matrix, SingularValueDecomposition } from 'ml-matrix';
import { expect } from 'vitest';
import { rotationMatrix } from '../../../src/solvers/rotation.js';
import type { NamedTest, Soon } from '../named-test.js';
import {
  angleBetween,
  determinantOf,
  matrixOf,
  product,
  type RandomRotations,
  randomRotations,
  transposed,
  turned,
} from '../sample-rotations.js';

export interface Precision {
  /** Of RᵀR = I and det R = 1. Rounding of a normalised quaternion and of its matrix is a few ε; single may have 4e-6. */
  readonly orthogonal: number;
  /**
   * [rad] Newton's last step is below 1e-8 rad, its error of the order of the square; the rounding of A, ε, is amplified by
   * σ₁/(σ₂ ± σ₃) < 1e3 in these tests, for ml-matrix as well as for us. In single precision the bound is 1e-4.
   */
  readonly sameRotation: number;
  /** Difference that σ₂ and σ₃ of a reflection must have for that, relative to σ₁. */
  readonly apart: number;
  /** ε: relative rounding of A and of products with it, a hundred of them. */
  readonly rounding: number;
  /** σ₂/σ₁ of flat matrices; below the last, single precision sees no more than a line. */
  readonly flats: readonly number[];
  /** The previous rotation's share in A where A leaves the rotation open. */
  readonly previousShare: number;
  /**
   * [rad] Of the turn to a direction that a matrix of rank 1 gives: eigenvectors of a gap of the previous rotation's share carry the rounding
   * of A in proportion, 1e-16 as 1e-6 in double precision; in single a line rounded to 6e-8 is a plane that turns the rotation by several
   * hundredths.
   */
  readonly smallestTurn: number;
  /** Sizes of matrices and of what is beside them. */
  readonly vanishing: readonly number[];
  readonly sizes: readonly number[];
}

export const DOUBLE: Precision = {
  orthogonal: 1e-12,
  sameRotation: 1e-9,
  apart: 1e-3,
  rounding: 2e-14,
  flats: [1e-3, 1e-5, 1e-7],
  previousShare: 1e-10,
  smallestTurn: 1e-5,
  vanishing: [0, 1e-300, 1e-30],
  sizes: [0, 1e-300, 1e-150, 1e-20, 1, 1e20, 1e150],
};

export const SINGLE: Precision = {
  orthogonal: 4e-6,
  sameRotation: 1e-4,
  apart: 1e-2,
  rounding: 6e-7,
  flats: [1e-2, 1e-3, 1e-4],
  previousShare: 1e-6,
  smallestTurn: 0.2,
  vanishing: [0, 1e-40, 1e-30, 1e-20],
  sizes: [0, 1e-40, 1e-30, 1e-10, 1, 1e10, 1e30],
};

/** Quaternions of the rotations nearest to row-major matrices, from previous ones, with the traces of the moments at rest. */
export type RotateAll = (matrices: Float64Array, previous: Float64Array, moments: Float64Array) => Soon<Float64Array>;

export function rotationBySvd(a: ArrayLike<number>): Float64Array {
  const rows = [0, 3, 6].map((r) => [a[r], a[r + 1], a[r + 2]]);
  const svd = new SingularValueDecomposition(new Matrix(rows));
  const flat = (m: Matrix) => Float64Array.from(m.to1DArray());
  const u = flat(svd.leftSingularVectors);
  const v = flat(svd.rightSingularVectors);
  const sign = Math.sign(determinantOf(u) * determinantOf(v));
  return product(product(u, [1, 0, 0, 0, 1, 0, 0, 0, sign]), transposed(v));
}

/** U·diag(sizes)·Vᵀ with random U, V. */
export const matrixWith = (random: RandomRotations, sizes: readonly number[]): Float64Array =>
  product(product(random.matrix(), [sizes[0], 0, 0, 0, sizes[1], 0, 0, 0, sizes[2]]), transposed(random.matrix()));

/** A matrix, the trace of its moments at rest, where its search starts, and what is asked of what was found. */
interface Case {
  readonly matrix: Float64Array;
  readonly moment: number;
  readonly start: Float64Array;
  readonly check: (quaternion: Float64Array) => void;
}

/** Finds all of them at once. */
async function checkAll(rotate: RotateAll, cases: readonly Case[]): Promise<void> {
  const all = (take: (one: Case) => ArrayLike<number>) =>
    Float64Array.from(cases.flatMap((one) => Array.from(take(one))));
  const found = await rotate(
    all(({ matrix }) => matrix),
    all(({ start }) => start),
    all(({ moment }) => [moment]),
  );
  expect(found.length).toBe(4 * cases.length);
  cases.forEach(({ check }, n) => {
    check(found.slice(4 * n, 4 * n + 4));
  });
}

/** @param isSingle whether matrices are rounded to single precision on their way: that is not the kernel's. */
export function rotationTests(test: NamedTest, precision: Precision, rotate: RotateAll, isSingle: boolean): void {
  const seen = (a: Float64Array): Float64Array => (isSingle ? Float64Array.from(a, Math.fround) : a);

  function expectRotation(quaternion: Float64Array): Float64Array {
    const r = new Float64Array(9);
    rotationMatrix(quaternion, 0, r);
    const square = product(transposed(r), r);
    const deviations = Array.from(square, (x, k) => Math.abs(x - (k % 4 === 0 ? 1 : 0)));
    expect(Math.max(...deviations, Math.abs(determinantOf(r) - 1))).toBeLessThan(precision.orthogonal);
    return r;
  }

  for (const [name, sign] of [
    ['det A > 0', 1],
    ['det A < 0', -1],
  ] as const) {
    test(`is the rotation of the SVD from any start, σ₃/σ₁ from 0.01 to 1 and sizes from 1e-6 to 1e6, ${name}`, async () => {
      const random = randomRotations(11);
      const cases: Case[] = [];
      let worst = 0;
      for (let n = 0; n < 1000; n++) {
        const least = 10 ** (-2 * random.uniform());
        const middle = least + (1 - least) * random.uniform();
        // A reflection leaves the rotation open where σ₂ = σ₃: keep them apart.
        if (sign < 0 && middle - least < precision.apart) continue;
        const size = 10 ** (12 * random.uniform() - 6);
        const matrix = matrixWith(
          random,
          [1, middle, sign * least].map((s) => s * size),
        );
        const check = (quaternion: Float64Array) => {
          worst = Math.max(worst, angleBetween(expectRotation(quaternion), rotationBySvd(seen(matrix))));
        };
        cases.push({ matrix, moment: 3 * size, start: random.quaternion(), check });
      }
      await checkAll(rotate, cases);
      expect(worst).toBeLessThan(precision.sameRotation);
    });
  }

  for (const middle of precision.flats) {
    test(`keeps to the SVD on flat matrices, σ₃ = 0 and σ₂/σ₁ = ${middle}`, async () => {
      const random = randomRotations(12);
      const cases = Array.from({ length: 200 }, (): Case => {
        const matrix = matrixWith(random, [1, middle, 0]);
        // The rounding of A turns the rotation by ε·σ₁/σ₂; a hundred of them on either side.
        const tolerance = Math.max(precision.sameRotation, precision.rounding / middle);
        const check = (quaternion: Float64Array) =>
          expect(angleBetween(expectRotation(quaternion), rotationBySvd(seen(matrix)))).toBeLessThan(tolerance);
        return { matrix, moment: 1, start: random.quaternion(), check };
      });
      await checkAll(rotate, cases);
    });
  }

  test('finds its way from every start that is 180° away, exactly and nearly', async () => {
    const random = randomRotations(13);
    const cases: Case[] = [];
    for (let n = 0; n < 100; n++) {
      const wanted = random.quaternion();
      const r = matrixOf(wanted);
      const sizes = [1, 0.2 + 0.8 * random.uniform(), 0.2 * random.uniform() + 0.05];
      const matrix = product(r, [sizes[0], 0, 0, 0, sizes[1], 0, 0, 0, sizes[2]]);
      const check = (quaternion: Float64Array) =>
        expect(angleBetween(expectRotation(quaternion), r)).toBeLessThan(precision.sameRotation);
      const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [...random.quaternion().subarray(0, 3)]];
      for (const axis of axes) {
        const size = Math.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2);
        const [x, y, z] = axis.map((component) => component / size);
        for (const miss of [0, 1e-15, 1e-9, 1e-4]) {
          const [c, s] = [Math.sin(miss / 2), Math.cos(miss / 2)];
          // wanted · (half turn about the axis, less `miss`)
          const [a, b, d, e] = wanted;
          const start = Float64Array.of(
            e * x * s + a * c + b * z * s - d * y * s,
            e * y * s - a * z * s + b * c + d * x * s,
            e * z * s + a * y * s - b * x * s + d * c,
            e * c - a * x * s - b * y * s - d * z * s,
          );
          cases.push({ matrix, moment: 1.5, start, check });
        }
      }
    }
    await checkAll(rotate, cases);
  });

  test('leaves the previous rotation where A is zero or vanishes beside the moment at rest', async () => {
    const random = randomRotations(14);
    const cases: Case[] = [];
    for (const scale of precision.vanishing) {
      for (let n = 0; n < 50; n++) {
        const start = random.quaternion();
        // 1e-20 beside the previous rotation's share turns by nothing; what remains is the rounding of the eigenvector.
        const check = (quaternion: Float64Array) =>
          expect(angleBetween(expectRotation(quaternion), matrixOf(start))).toBeLessThan(
            Math.max(1e-14, precision.rounding),
          );
        cases.push({ matrix: matrixWith(random, [scale, scale, scale]), moment: 1, start, check });
      }
    }
    await checkAll(rotate, cases);
  });

  test('aligns the direction that a matrix of rank 1 gives, by the smallest turn from the previous rotation', async () => {
    const random = randomRotations(15);
    const dot = (p: readonly number[], q: readonly number[]) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    const cases = Array.from({ length: 300 }, (): Case => {
      const [u, v] = [turned(random.matrix(), [1, 0, 0]), turned(random.matrix(), [1, 0, 0])];
      const matrix = Float64Array.from({ length: 9 }, (_, k) => u[Math.floor(k / 3)] * v[k % 3]);
      const start = random.quaternion();
      const check = (quaternion: Float64Array) => {
        const previous = matrixOf(start);
        const r = expectRotation(quaternion);
        const [now, before] = [turned(r, v), turned(previous, v)];
        // The previous rotation is mixed in, which tilts the direction by up to about its share; and its rounding.
        expect(Math.sqrt(2 * Math.max(0, 1 - dot(now, u)))).toBeLessThan(Math.max(1e-7, 1e3 * precision.rounding));
        const smallest = Math.acos(Math.max(-1, Math.min(1, dot(before, u))));
        expect(Math.abs(angleBetween(r, previous) - smallest)).toBeLessThan(precision.smallestTurn);
      };
      return { matrix, moment: 1, start, check };
    });
    await checkAll(rotate, cases);
  });

  test('is a rotation for any finite matrix: ranks 0 to 3, entries of all sizes', async () => {
    const random = randomRotations(16);
    const { sizes } = precision;
    const any = <T>(list: readonly T[]): T => list[Math.floor(random.uniform() * list.length)];
    const check = (quaternion: Float64Array) => {
      const square = quaternion.reduce((sum, x) => sum + x * x, 0);
      expect(Math.abs(square - 1)).toBeLessThan(precision.orthogonal);
    };
    const cases = Array.from({ length: 2500 }, (_, n): Case => {
      const size = any(sizes);
      const matrix =
        n % 2 === 0
          ? matrixWith(random, [size, size * any([0, 1e-12, 1]), size * any([0, 1e-12, -1])])
          : Float64Array.from({ length: 9 }, () => random.normal() * any(sizes));
      return { matrix, moment: any(sizes), start: random.quaternion(), check };
    });
    await checkAll(rotate, cases);
  });

  test('is a rotation for small whole matrices from symmetric starts, and no other rotation is nearer', async () => {
    const random = randomRotations(17);
    const half = Math.SQRT1_2;
    const starts = [
      [0, 0, 0, 1],
      [1, 0, 0, 0],
      [half, 0, 0, half],
      [0.5, 0.5, 0.5, 0.5],
      [0, -half, half, 0],
    ];
    const cases = Array.from({ length: 1500 }, (_, n): Case => {
      const matrix = Float64Array.from({ length: 9 }, () => Math.round(1.5 * random.normal()));
      const check = (quaternion: Float64Array) => {
        const r = expectRotation(quaternion);
        const trace = (m: Float64Array) => m.reduce((sum, x, k) => sum + x * matrix[k], 0);
        // tr(RᵀA) is what the nearest rotation maximises; where it is not unique only the value is. The previous rotation has a
        // share in the choice, three times over.
        expect(trace(r)).toBeGreaterThan(
          trace(rotationBySvd(matrix)) - 10 * precision.previousShare - 30 * precision.rounding,
        );
      };
      return { matrix, moment: 3, start: Float64Array.from(starts[n % starts.length]), check };
    });
    await checkAll(rotate, cases);
  });
}
