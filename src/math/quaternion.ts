// Unit quaternions (x, y, z, w) for poses and motions.

import { arcCosine, cosine, sine } from './trigonometry.js';
import type { Vec3 } from './vec3.js';

/** A rotation as a unit quaternion, the scalar part last. */
export type Quaternion = readonly [number, number, number, number];

export const IDENTITY: Quaternion = [0, 0, 0, 1];

export const multiply = (a: Quaternion, b: Quaternion): Quaternion => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
];

export function normalizeQuaternion(q: Quaternion): Quaternion {
  const l = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return l > 0 ? [q[0] / l, q[1] / l, q[2] / l, q[3] / l] : IDENTITY;
}

/** Rotation by `angle` [rad] about a unit axis. */
export function fromAxisAngle(axis: Vec3, angle: number): Quaternion {
  const s = sine(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, cosine(angle / 2)];
}

export function rotate(q: Quaternion, v: Vec3): Vec3 {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

/** Writes `shift` + q v q̄ to out[k…k + 2]: the same bits as `rotate` and `add`, without making anything. */
export function writeRotated(q: Quaternion, v: Vec3, shift: Vec3, out: Float64Array, k: number): void {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  out[k] = shift[0] + (v[0] + w * tx + y * tz - z * ty);
  out[k + 1] = shift[1] + (v[1] + w * ty + z * tx - x * tz);
  out[k + 2] = shift[2] + (v[2] + w * tz + x * ty - y * tx);
}

/** Shortest great-circle interpolation between two rotations. */
export function slerp(a: Quaternion, b: Quaternion, t: number): Quaternion {
  let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = dot < 0 ? -1 : 1;
  dot *= sign;
  let p = 1 - t;
  let q = t;
  if (dot < 1 - 1e-9) {
    const angle = arcCosine(dot);
    const whole = sine(angle);
    p = sine((1 - t) * angle) / whole;
    q = sine(t * angle) / whole;
  }
  q *= sign;
  return normalizeQuaternion([p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2], p * a[3] + q * b[3]]);
}

/** The rotation whose matrix has these columns, unit vectors at right angles. */
export function fromColumns(x: Vec3, y: Vec3, z: Vec3): Quaternion {
  // The largest of the four parts first, so that nothing is divided by a small one.
  const squares = [1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + x[0] + y[1] + z[2]];
  const largest = squares.indexOf(Math.max(...squares));
  const parts: Quaternion[] = [
    [squares[0], x[1] + y[0], x[2] + z[0], y[2] - z[1]],
    [x[1] + y[0], squares[1], y[2] + z[1], z[0] - x[2]],
    [x[2] + z[0], y[2] + z[1], squares[2], x[1] - y[0]],
    [y[2] - z[1], z[0] - x[2], x[1] - y[0], squares[3]],
  ];
  return normalizeQuaternion(parts[largest]);
}

/** Writes the row-major 3×3 matrix of the rotation. */
export function writeMatrix(q: Quaternion, matrix: Float64Array): void {
  const [x, y, z, w] = q;
  matrix[0] = 1 - 2 * (y * y + z * z);
  matrix[1] = 2 * (x * y - z * w);
  matrix[2] = 2 * (x * z + y * w);
  matrix[3] = 2 * (x * y + z * w);
  matrix[4] = 1 - 2 * (x * x + z * z);
  matrix[5] = 2 * (y * z - x * w);
  matrix[6] = 2 * (x * z - y * w);
  matrix[7] = 2 * (y * z + x * w);
  matrix[8] = 1 - 2 * (x * x + y * y);
}
