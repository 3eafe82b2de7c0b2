// The rotation nearest to a 3×3 matrix, warm-started from the previous one.
// Newton's method on the rotation group for max tr(RᵀA); where its Hessian is not positive definite (far away, near the
// 180° saddle) the largest eigenvector of Horn's 4×4 quaternion matrix decides. Every local maximum is the global one,
// so a Newton result with a positive definite Hessian is the rotation of the SVD, reflections (det A < 0) included.
// Based on: B. K. P. Horn, Closed-form solution of absolute orientation using unit quaternions, 1987.
// Deviation from DBB11 §4, which takes the root of AᵀA by Jacobi rotations: AᵀA squares the condition number and needs a
// special case for reflections. Newton takes 1–3 iterations warm and converges quadratically however flat A is.

import { solveSymmetric } from '../math/mat3.js';
import { NEWTON_LIMIT, NEWTON_TOLERANCE, PREVIOUS_SHARE } from './tuning.js';

const climbing = new Float64Array(4);
const mixed = new Float64Array(9);
const hessian = new Float64Array(6);
const gradient = new Float64Array(3);
const step = new Float64Array(3);
const matrix = new Float64Array(9);
const horn = new Float64Array(16);
const vectors = new Float64Array(16);

/**
 * Rotates the quaternion at quaternions[q…q+3] (x, y, z, w; in: previous, out: nearest) for the row-major matrix at
 * moments[a…a+8]. `restMoment` is the matrix' trace at rest, its natural size. Never NaN for finite input.
 */
export function nearestRotation(
  moments: Float64Array,
  a: number,
  restMoment: number,
  quaternions: Float64Array,
  q: number,
  previousShare = PREVIOUS_SHARE,
): void {
  const least = previousShare * restMoment;
  if (climb(moments, a, least, quaternions, q)) return;
  rotationMatrix(quaternions, q, matrix);
  for (let c = 0; c < 9; c++) mixed[c] = moments[a + c] + least * matrix[c];
  largestEigenvector(quaternions, q);
  climb(moments, a, least, quaternions, q);
}

/**
 * Newton's method from the quaternion given, which stays as it is where the method fails: the Hessian has a pivot not
 * above `least`, or no end is near.
 */
function climb(moments: Float64Array, a: number, least: number, quaternions: Float64Array, q: number): boolean {
  for (let c = 0; c < 4; c++) climbing[c] = quaternions[q + c];
  for (let iteration = 0; iteration < NEWTON_LIMIT; iteration++) {
    rotationMatrix(climbing, 0, matrix);
    writeNewtonSystem(moments, a);
    if (!solveSymmetric(hessian, 0, gradient, step, least)) return false;
    turnQuaternion(climbing, step);
    const angle2 = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    if (angle2 >= NEWTON_TOLERANCE * NEWTON_TOLERANCE) continue;
    for (let c = 0; c < 4; c++) quaternions[q + c] = climbing[c];
    return true;
  }
  return false;
}

/** Gradient and negative Hessian of tr(RᵀA) over a turn w applied to R: B = A Rᵀ, g = axial(B), H = tr(B)·I − sym(B). */
function writeNewtonSystem(m: Float64Array, a: number): void {
  const r = matrix;
  const b00 = m[a] * r[0] + m[a + 1] * r[1] + m[a + 2] * r[2];
  const b01 = m[a] * r[3] + m[a + 1] * r[4] + m[a + 2] * r[5];
  const b02 = m[a] * r[6] + m[a + 1] * r[7] + m[a + 2] * r[8];
  const b10 = m[a + 3] * r[0] + m[a + 4] * r[1] + m[a + 5] * r[2];
  const b11 = m[a + 3] * r[3] + m[a + 4] * r[4] + m[a + 5] * r[5];
  const b12 = m[a + 3] * r[6] + m[a + 4] * r[7] + m[a + 5] * r[8];
  const b20 = m[a + 6] * r[0] + m[a + 7] * r[1] + m[a + 8] * r[2];
  const b21 = m[a + 6] * r[3] + m[a + 7] * r[4] + m[a + 8] * r[5];
  const b22 = m[a + 6] * r[6] + m[a + 7] * r[7] + m[a + 8] * r[8];
  gradient[0] = b21 - b12;
  gradient[1] = b02 - b20;
  gradient[2] = b10 - b01;
  hessian[0] = b11 + b22;
  hessian[1] = -0.5 * (b01 + b10);
  hessian[2] = -0.5 * (b02 + b20);
  hessian[3] = b00 + b22;
  hessian[4] = -0.5 * (b12 + b21);
  hessian[5] = b00 + b11;
}

/** q ← Cayley turn by w (angle 2·atan(|w|/2) ≤ π, so a long Newton step cannot wind up), normalised. */
function turnQuaternion(quaternion: Float64Array, w: Float64Array): void {
  const ax = 0.5 * w[0];
  const ay = 0.5 * w[1];
  const az = 0.5 * w[2];
  const [x, y, z, s] = quaternion;
  const nx = x + ax * s + ay * z - az * y;
  const ny = y + ay * s + az * x - ax * z;
  const nz = z + az * s + ax * y - ay * x;
  const ns = s - ax * x - ay * y - az * z;
  const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz + ns * ns);
  quaternion[0] = nx * scale;
  quaternion[1] = ny * scale;
  quaternion[2] = nz * scale;
  quaternion[3] = ns * scale;
}

/** Row-major matrix of the quaternion at quaternions[q…q+3]. */
export function rotationMatrix(quaternions: Float64Array, q: number, out: Float64Array): void {
  const [x, y, z, w] = [quaternions[q], quaternions[q + 1], quaternions[q + 2], quaternions[q + 3]];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - z * w);
  out[2] = 2 * (x * z + y * w);
  out[3] = 2 * (x * y + z * w);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - x * w);
  out[6] = 2 * (x * z - y * w);
  out[7] = 2 * (y * z + x * w);
  out[8] = 1 - 2 * (x * x + y * y);
}

/** Cyclic Jacobi on Horn's matrix of `mixed`; the eigenvector of the largest eigenvalue becomes the rotation. */
function largestEigenvector(quaternions: Float64Array, q: number): void {
  const m = mixed;
  let size = 0;
  for (let c = 0; c < 9; c++) size = Math.max(size, Math.abs(m[c]));
  if (!(size > 0) || !Number.isFinite(size)) return;
  const n = horn;
  // Order x, y, z, w; divided by the largest entry so that tiny and huge matrices behave alike.
  n[0] = (m[0] - m[4] - m[8]) / size;
  n[5] = (m[4] - m[0] - m[8]) / size;
  n[10] = (m[8] - m[0] - m[4]) / size;
  n[15] = (m[0] + m[4] + m[8]) / size;
  n[1] = n[4] = (m[1] + m[3]) / size;
  n[2] = n[8] = (m[2] + m[6]) / size;
  n[6] = n[9] = (m[5] + m[7]) / size;
  n[3] = n[12] = (m[7] - m[5]) / size;
  n[7] = n[13] = (m[2] - m[6]) / size;
  n[11] = n[14] = (m[3] - m[1]) / size;
  vectors.fill(0);
  for (let d = 0; d < 4; d++) vectors[5 * d] = 1;
  for (let sweep = 0; sweep < 12; sweep++) {
    let off = 0;
    for (let r = 0; r < 3; r++) {
      for (let c = r + 1; c < 4; c++) {
        off = Math.max(off, Math.abs(n[4 * r + c]));
        jacobiRotate(r, c);
      }
    }
    if (off < 1e-15) break;
  }
  let best = 0;
  for (let d = 1; d < 4; d++) if (n[5 * d] > n[5 * best]) best = d;
  for (let d = 0; d < 4; d++) quaternions[q + d] = vectors[4 * d + best];
}

/** Zeroes horn[r][c] by a plane rotation, accumulated in `vectors`. */
function jacobiRotate(r: number, c: number): void {
  const n = horn;
  const pivot = n[4 * r + c];
  if (pivot === 0) return;
  const theta = (n[5 * c] - n[5 * r]) / (2 * pivot);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(t * t + 1);
  const sine = t * cosine;
  for (let k = 0; k < 4; k++) {
    const u = n[4 * k + r];
    const v = n[4 * k + c];
    n[4 * k + r] = cosine * u - sine * v;
    n[4 * k + c] = sine * u + cosine * v;
  }
  for (let k = 0; k < 4; k++) {
    const u = n[4 * r + k];
    const v = n[4 * c + k];
    n[4 * r + k] = cosine * u - sine * v;
    n[4 * c + k] = sine * u + cosine * v;
    const p = vectors[4 * k + r];
    const s = vectors[4 * k + c];
    vectors[4 * k + r] = cosine * p - sine * s;
    vectors[4 * k + c] = sine * p + cosine * s;
  }
}
