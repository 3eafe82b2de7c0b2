// The nearest rotation against the SVD of ml-matrix, R = U·diag(1, 1, det(UVᵀ))·Vᵀ, and on matrices that leave it open.

import { Matrix, SingularValueDecomposition } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { nearestRotation, rotationMatrix } from '../../../src/solvers/rotation.js';
import { BOTH_BACKENDS, type TestedBackend } from '../../both-backends.js';
import { SIZES } from '../kernel-sizes.js';
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
import { rotateAll, timeRotations } from '../wasm-kernels.js';

interface Precision {
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
  /** Sizes of matrices and of what is beside them. */
  readonly vanishing: readonly number[];
  readonly sizes: readonly number[];
}

const PRECISIONS: Readonly<Record<TestedBackend, Precision>> = {
  reference: {
    orthogonal: 1e-12,
    sameRotation: 1e-9,
    apart: 1e-3,
    rounding: 2e-14,
    flats: [1e-3, 1e-5, 1e-7],
    previousShare: 1e-10,
    vanishing: [0, 1e-300, 1e-30],
    sizes: [0, 1e-300, 1e-150, 1e-20, 1, 1e20, 1e150],
  },
  wasm: {
    orthogonal: 4e-6,
    sameRotation: 1e-4,
    apart: 1e-2,
    rounding: 6e-7,
    flats: [1e-2, 1e-3, 1e-4],
    previousShare: 1e-6,
    vanishing: [0, 1e-40, 1e-30, 1e-20],
    sizes: [0, 1e-40, 1e-30, 1e-10, 1, 1e10, 1e30],
  },
};

function rotationBySvd(a: ArrayLike<number>): Float64Array {
  const rows = [0, 3, 6].map((r) => [a[r], a[r + 1], a[r + 2]]);
  const svd = new SingularValueDecomposition(new Matrix(rows));
  const flat = (m: Matrix) => Float64Array.from(m.to1DArray());
  const u = flat(svd.leftSingularVectors);
  const v = flat(svd.rightSingularVectors);
  const sign = Math.sign(determinantOf(u) * determinantOf(v));
  return product(product(u, [1, 0, 0, 0, 1, 0, 0, 0, sign]), transposed(v));
}

/** U·diag(sizes)·Vᵀ with random U, V. */
const matrixWith = (random: RandomRotations, sizes: readonly number[]): Float64Array =>
  product(product(random.matrix(), [sizes[0], 0, 0, 0, sizes[1], 0, 0, 0, sizes[2]]), transposed(random.matrix()));

describe.each(BOTH_BACKENDS)('nearestRotation on %s', (backend) => {
  const precision = PRECISIONS[backend];

  function nearest(a: Float64Array, restMoment: number, start: Float64Array): Float64Array {
    if (backend === 'wasm') return rotateAll(a, start, Float64Array.of(restMoment));
    const quaternion = start.slice();
    nearestRotation(a, 0, restMoment, quaternion, 0);
    return quaternion;
  }

  /** What the backend sees of a matrix: its rounding to single precision is not the kernel's. */
  const seen = (a: Float64Array): Float64Array => (backend === 'wasm' ? Float64Array.from(a, Math.fround) : a);

  function expectRotation(quaternion: Float64Array): Float64Array {
    const r = new Float64Array(9);
    rotationMatrix(quaternion, 0, r);
    const square = product(transposed(r), r);
    const deviations = Array.from(square, (x, k) => Math.abs(x - (k % 4 === 0 ? 1 : 0)));
    expect(Math.max(...deviations, Math.abs(determinantOf(r) - 1))).toBeLessThan(precision.orthogonal);
    return r;
  }

  it.each([
    ['det A > 0', 1],
    ['det A < 0', -1],
  ])('is the rotation of the SVD from any start, σ₃/σ₁ from 0.01 to 1 and sizes from 1e-6 to 1e6, %s', (_, sign) => {
    const random = randomRotations(11);
    let worst = 0;
    for (let n = 0; n < 1000; n++) {
      const least = 10 ** (-2 * random.uniform());
      const middle = least + (1 - least) * random.uniform();
      // A reflection leaves the rotation open where σ₂ = σ₃: keep them apart.
      if (sign < 0 && middle - least < precision.apart) continue;
      const size = 10 ** (12 * random.uniform() - 6);
      const a = matrixWith(
        random,
        [1, middle, sign * least].map((s) => s * size),
      );
      const r = expectRotation(nearest(a, 3 * size, random.quaternion()));
      worst = Math.max(worst, angleBetween(r, rotationBySvd(seen(a))));
    }
    expect(worst).toBeLessThan(precision.sameRotation);
  });

  it.each(precision.flats)('keeps to the SVD on flat matrices, σ₃ = 0 and σ₂/σ₁ = %d', (middle) => {
    const random = randomRotations(12);
    for (let n = 0; n < 200; n++) {
      const a = matrixWith(random, [1, middle, 0]);
      const r = expectRotation(nearest(a, 1, random.quaternion()));
      // The rounding of A turns the rotation by ε·σ₁/σ₂; a hundred of them on either side.
      expect(angleBetween(r, rotationBySvd(seen(a)))).toBeLessThan(
        Math.max(precision.sameRotation, precision.rounding / middle),
      );
    }
  });

  it('finds its way from every start that is 180° away, exactly and nearly', () => {
    const random = randomRotations(13);
    for (let n = 0; n < 100; n++) {
      const wanted = random.quaternion();
      const r = matrixOf(wanted);
      const sizes = [1, 0.2 + 0.8 * random.uniform(), 0.2 * random.uniform() + 0.05];
      const stretch = product(r, [sizes[0], 0, 0, 0, sizes[1], 0, 0, 0, sizes[2]]);
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
          expect(angleBetween(expectRotation(nearest(stretch, 1.5, start)), r)).toBeLessThan(precision.sameRotation);
        }
      }
    }
  });

  it('leaves the previous rotation where A is zero or vanishes beside the moment at rest', () => {
    const random = randomRotations(14);
    for (const scale of precision.vanishing) {
      for (let n = 0; n < 50; n++) {
        const start = random.quaternion();
        const a = matrixWith(random, [scale, scale, scale]);
        const r = expectRotation(nearest(a, 1, start));
        // 1e-20 beside the previous rotation's share turns by nothing; what remains is the rounding of the eigenvector.
        expect(angleBetween(r, matrixOf(start))).toBeLessThan(Math.max(1e-14, precision.rounding));
      }
    }
  });

  it('aligns the direction that a matrix of rank 1 gives, by the smallest turn from the previous rotation', () => {
    const random = randomRotations(15);
    for (let n = 0; n < 300; n++) {
      const [u, v] = [turned(random.matrix(), [1, 0, 0]), turned(random.matrix(), [1, 0, 0])];
      const a = Float64Array.from({ length: 9 }, (_, k) => u[Math.floor(k / 3)] * v[k % 3]);
      const start = random.quaternion();
      const previous = matrixOf(start);
      const r = expectRotation(nearest(a, 1, start));
      const [now, before] = [turned(r, v), turned(previous, v)];
      const dot = (p: readonly number[], q: readonly number[]) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
      // The previous rotation is mixed in, which tilts the direction by up to about its share; and its rounding.
      expect(Math.sqrt(2 * Math.max(0, 1 - dot(now, u)))).toBeLessThan(Math.max(1e-7, 1e3 * precision.rounding));
      const smallest = Math.acos(Math.max(-1, Math.min(1, dot(before, u))));
      // Eigenvectors of a gap of the previous rotation's share carry the rounding of A in proportion: 1e-16 as 1e-6 in double
      // precision; in single a line rounded to 6e-8 is a plane that turns the rotation by several hundredths.
      expect(Math.abs(angleBetween(r, previous) - smallest)).toBeLessThan(backend === 'wasm' ? 0.2 : 1e-5);
    }
  });

  it('is a rotation for any finite matrix: ranks 0 to 3, entries of all sizes', () => {
    const random = randomRotations(16);
    const { sizes } = precision;
    const any = <T>(list: readonly T[]): T => list[Math.floor(random.uniform() * list.length)];
    for (let n = 0; n < 2500; n++) {
      const size = any(sizes);
      const a =
        n % 2 === 0
          ? matrixWith(random, [size, size * any([0, 1e-12, 1]), size * any([0, 1e-12, -1])])
          : Float64Array.from({ length: 9 }, () => random.normal() * any(sizes));
      const quaternion = nearest(a, any(sizes), random.quaternion());
      const square = quaternion.reduce((sum, x) => sum + x * x, 0);
      expect(Math.abs(square - 1)).toBeLessThan(precision.orthogonal);
    }
  });

  it('is a rotation for small whole matrices from symmetric starts, and no other rotation is nearer', () => {
    const random = randomRotations(17);
    const half = Math.SQRT1_2;
    const starts = [
      [0, 0, 0, 1],
      [1, 0, 0, 0],
      [half, 0, 0, half],
      [0.5, 0.5, 0.5, 0.5],
      [0, -half, half, 0],
    ];
    for (let n = 0; n < 1500; n++) {
      const a = Float64Array.from({ length: 9 }, () => Math.round(1.5 * random.normal()));
      const r = expectRotation(nearest(a, 3, Float64Array.from(starts[n % starts.length])));
      const trace = (m: Float64Array) => m.reduce((sum, x, k) => sum + x * a[k], 0);
      // tr(RᵀA) is what the nearest rotation maximises; where it is not unique only the value is. The previous rotation has a
      // share in the choice, three times over.
      expect(trace(r)).toBeGreaterThan(
        trace(rotationBySvd(a)) - 10 * precision.previousShare - 30 * precision.rounding,
      );
    }
  });

  it('is at least twice as fast from a start 0.02 rad away (4 rad/s at 5 ms) as from anywhere', () => {
    const random = randomRotations(18);
    const count = 2000;
    const matrices = new Float64Array(9 * count);
    const cold = new Float64Array(4 * count);
    const warm = new Float64Array(4 * count);
    for (let i = 0; i < count; i++) {
      matrices.set(matrixWith(random, [1, 0.3 + 0.7 * random.uniform(), 0.05 + 0.25 * random.uniform()]), 9 * i);
      cold.set(random.quaternion(), 4 * i);
      warm.set(nearest(matrices.slice(9 * i, 9 * i + 9), 2, cold.slice(4 * i, 4 * i + 4)), 4 * i);
      const nudge = random
        .quaternion()
        .subarray(0, 3)
        .map((x) => 0.01 * x);
      const [x, y, z, w] = warm.subarray(4 * i, 4 * i + 4);
      const near = [
        x + nudge[0] * w + nudge[1] * z - nudge[2] * y,
        y + nudge[1] * w + nudge[2] * x - nudge[0] * z,
        z + nudge[2] * w + nudge[0] * y - nudge[1] * x,
        w - nudge[0] * x - nudge[1] * y - nudge[2] * z,
      ];
      const size = Math.sqrt(near.reduce((sum, c) => sum + c * c, 0));
      warm.set(
        near.map((c) => c / size),
        4 * i,
      );
    }
    if (backend === 'wasm') {
      const [warmTime, coldTime] = timeRotations(matrices, [warm, cold], 2, 40);
      expect(coldTime / warmTime).toBeGreaterThan(2);
      return;
    }
    const work = new Float64Array(4 * count);
    const time = (starts: Float64Array): number => {
      work.set(starts);
      const begin = performance.now();
      for (let i = 0; i < count; i++) nearestRotation(matrices, 9 * i, 2, work, 4 * i);
      return performance.now() - begin;
    };
    // Taken in turns and the best of 40: another process can only lengthen a run. Measured: 5 to 7 times as fast.
    let [best, worst] = [Infinity, Infinity];
    for (let round = 0; round < 40; round++) {
      best = Math.min(best, time(warm));
      worst = Math.min(worst, time(cold));
    }
    expect(worst / best).toBeGreaterThan(2);
  });
});

describe('nearestRotations on wasm', () => {
  it.each(SIZES)('takes %i of them at a time, easy and hard ones beside each other', (count) => {
    const random = randomRotations(19);
    const matrices = new Float64Array(9 * count);
    const starts = new Float64Array(4 * count);
    const moments = new Float64Array(count).fill(2);
    for (let i = 0; i < count; i++) {
      // Every third is a reflection, every fifth vanishes: their lanes take another way than those beside them.
      const least = (i % 3 === 2 ? -1 : 1) * (0.1 + 0.3 * random.uniform());
      const sizes = i % 5 === 4 ? [0, 0, 0] : [1, 0.6 + 0.4 * random.uniform(), least];
      matrices.set(matrixWith(random, sizes), 9 * i);
      starts.set(random.quaternion(), 4 * i);
    }
    const found = rotateAll(matrices, starts, moments);
    expect(found.length).toBe(4 * count);
    let worst = 0;
    for (let i = 0; i < count; i++) {
      const a = matrices.slice(9 * i, 9 * i + 9).map(Math.fround);
      const expected = i % 5 === 4 ? matrixOf(starts.slice(4 * i, 4 * i + 4)) : rotationBySvd(a);
      worst = Math.max(worst, angleBetween(matrixOf(found.slice(4 * i, 4 * i + 4)), expected));
      // Alone it is the same, to the bit: lanes do not see each other.
      if (i < 40) {
        const alone = rotateAll(
          matrices.slice(9 * i, 9 * i + 9),
          starts.slice(4 * i, 4 * i + 4),
          moments.slice(i, i + 1),
        );
        expect(alone).toEqual(found.slice(4 * i, 4 * i + 4));
      }
    }
    expect(worst).toBeLessThan(PRECISIONS.wasm.sameRotation);
  });
});
