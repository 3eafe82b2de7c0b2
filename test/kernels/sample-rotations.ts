// Seeded rotations and 3×3 matrices for kernel tests, with arithmetic of their own (row-major arrays of nine).

import { seededRandom } from '../../src/math/random.js';

export interface RandomRotations {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** A uniformly distributed unit quaternion (x, y, z, w). */
  quaternion(): Float64Array;
  /** A uniformly distributed rotation matrix. */
  matrix(): Float64Array;
}

export function randomRotations(seed: number): RandomRotations {
  const uniform = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const quaternion = () => {
    const q = [normal(), normal(), normal(), normal()];
    const size = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
    return Float64Array.from(q, (x) => x / size);
  };
  return { uniform, normal, quaternion, matrix: () => matrixOf(quaternion()) };
}

/** Rotation matrix by its definition on the basis vectors, v + 2w(u×v) + 2u×(u×v). */
export function matrixOf(q: ArrayLike<number>): Float64Array {
  const m = new Float64Array(9);
  const u = [q[0], q[1], q[2]];
  for (let c = 0; c < 3; c++) {
    const e = [0, 1, 2].map((k) => (k === c ? 1 : 0));
    const once = crossed(u, e);
    const twice = crossed(u, once);
    for (let r = 0; r < 3; r++) m[3 * r + c] = e[r] + 2 * q[3] * once[r] + 2 * twice[r];
  }
  return m;
}

export const crossed = (a: ArrayLike<number>, b: ArrayLike<number>): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export function product(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const out = new Float64Array(9);
  for (let k = 0; k < 9; k++) {
    for (let c = 0; c < 3; c++) out[k] += a[3 * Math.floor(k / 3) + c] * b[3 * c + (k % 3)];
  }
  return out;
}

export const transposed = (a: ArrayLike<number>): Float64Array =>
  Float64Array.from([0, 3, 6, 1, 4, 7, 2, 5, 8], (k) => a[k]);

export const determinantOf = (a: ArrayLike<number>): number =>
  a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);

/** Angle [rad] between two rotations; from the Frobenius distance √8·sin(θ/2), which keeps its digits near 0. */
export function angleBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let square = 0;
  for (let k = 0; k < 9; k++) square += (a[k] - b[k]) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(square / 8)));
}

/** Matrix times vector. */
export const turned = (a: ArrayLike<number>, v: ArrayLike<number>): number[] =>
  [0, 1, 2].map((r) => a[3 * r] * v[0] + a[3 * r + 1] * v[1] + a[3 * r + 2] * v[2]);
