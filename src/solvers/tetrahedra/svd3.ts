// Singular values of 3×3 matrices with proper rotations on both sides: an inverted element gets one negative value.
// Based on: M. Hestenes, Inversion of matrices by biorthogonalization, 1958 (one-sided Jacobi, accurate in small values
// too), and the sign convention of G. Irving, J. Teran, R. Fedkiw, Invertible finite elements, 2004.

import { MOST_ROUNDS, NEARLY, ORTHOGONAL } from './tuning.js';

const B = new Float64Array(9);
const W = new Float64Array(9);

/**
 * F = U·diag(s)·Vᵀ with rotations U and V, |s₀| ≥ |s₁| ≥ |s₂|, only s₂ negative, where det F is. Matrices are row by
 * row; F starts at `at` of `f`.
 */
export function decompose(f: ArrayLike<number>, at: number, u: Float64Array, s: Float64Array, v: Float64Array): void {
  // B = F·W, W a product of rotations; rows of these arrays are the columns of B and W.
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      B[3 * j + i] = f[at + 3 * i + j];
      W[3 * j + i] = i === j ? 1 : 0;
    }
  }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const isFar = turnColumns(0, 3);
    const isFarAgain = turnColumns(0, 6);
    if (!(turnColumns(3, 6) || isFarAgain || isFar)) break;
  }
  let [a, b, c] = [0, 3, 6];
  let [sa, sb, sc] = [square(0), square(3), square(6)];
  if (sa < sb) [a, b, sa, sb] = [b, a, sb, sa];
  if (sb < sc) [b, c, sb, sc] = [c, b, sc, sb];
  if (sa < sb) [a, b, sa, sb] = [b, a, sb, sa];
  s[0] = Math.sqrt(sa);
  s[1] = Math.sqrt(sb);
  for (let k = 0; k < 3; k++) {
    v[3 * k] = W[a + k];
    v[3 * k + 1] = W[b + k];
  }
  cross(v);
  if (s[0] > 0) for (let k = 0; k < 3; k++) u[3 * k] = B[a + k] / s[0];
  else [u[0], u[3], u[6]] = [1, 0, 0];
  // A second column of rounding only has no direction of its own.
  if (s[1] > ORTHOGONAL * s[0]) for (let k = 0; k < 3; k++) u[3 * k + 1] = B[b + k] / s[1];
  else writeAcross(u);
  cross(u);
  // Column c of W is v's third column or its opposite.
  const sign = W[c] * v[2] + W[c + 1] * v[5] + W[c + 2] * v[8] < 0 ? -1 : 1;
  s[2] = sign * (B[c] * u[2] + B[c + 1] * u[5] + B[c + 2] * u[8]);
}

const square = (a: number): number => B[a] * B[a] + B[a + 1] * B[a + 1] + B[a + 2] * B[a + 2];

/** Turns columns a and b of B (and W) in their plane until they are orthogonal; whether they were far from it. */
function turnColumns(a: number, b: number): boolean {
  const aa = square(a);
  const bb = square(b);
  const ab = B[a] * B[b] + B[a + 1] * B[b + 1] + B[a + 2] * B[b + 2];
  const cosine = ab * ab;
  const lengths = aa * bb;
  if (!(cosine > ORTHOGONAL * ORTHOGONAL * lengths)) return false;
  const apart = bb - aa;
  const twice = ab + ab;
  const root = Math.sqrt(apart * apart + twice * twice);
  // The tangent is twice over this: one quotient gives cosine and sine.
  const across = apart < 0 ? apart - root : apart + root;
  const scale = 1 / Math.sqrt(across * across + twice * twice);
  const c = Math.abs(across) * scale;
  const s = (across < 0 ? -twice : twice) * scale;
  for (let k = 0; k < 3; k++) {
    const x = B[a + k];
    const y = B[b + k];
    B[a + k] = c * x - s * y;
    B[b + k] = s * x + c * y;
    const p = W[a + k];
    const q = W[b + k];
    W[a + k] = c * p - s * q;
    W[b + k] = s * p + c * q;
  }
  return cosine > NEARLY * NEARLY * lengths;
}

/** The second column becomes a unit vector across the first. */
function writeAcross(u: Float64Array): void {
  const [x, y, z] = [u[0], u[3], u[6]];
  // Across the axis along which the first column is shortest.
  const [ax, ay] = [Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z), Math.abs(y) <= Math.abs(z)];
  const [px, py, pz] = ax ? [0, -z, y] : ay ? [z, 0, -x] : [-y, x, 0];
  const length = Math.sqrt(px * px + py * py + pz * pz);
  u[1] = px / length;
  u[4] = py / length;
  u[7] = pz / length;
}

/** The third column becomes the first × the second. */
function cross(m: Float64Array): void {
  m[2] = m[3] * m[7] - m[6] * m[4];
  m[5] = m[6] * m[1] - m[0] * m[7];
  m[8] = m[0] * m[4] - m[3] * m[1];
}
