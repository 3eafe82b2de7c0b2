// Symmetric 3×3 matrices (00, 11, 22, 01, 02, 12): the nearest one without negative eigenvalues.
// Based on: C. Jacobi's rotations, 1846.

const MOST_ROUNDS = 12;
const vectors = new Float64Array(9);
const full = new Float64Array(9);

/** Sets the negative eigenvalues of h to zero. */
export function clampPositive(h: Float64Array): void {
  // Positive by its leading minors: nothing to do, as in nearly all elements.
  const minor = h[0] * h[1] - h[3] * h[3];
  const determinant = h[2] * minor + h[4] * (h[3] * h[5] - h[1] * h[4]) + h[5] * (h[3] * h[4] - h[0] * h[5]);
  if (h[0] >= 0 && h[1] >= 0 && h[2] >= 0 && minor >= 0 && h[0] * h[2] >= h[4] * h[4] && determinant >= 0) return;
  full.set([h[0], h[3], h[4], h[3], h[1], h[5], h[4], h[5], h[2]]);
  vectors.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const size = Math.abs(h[0]) + Math.abs(h[1]) + Math.abs(h[2]) + Math.abs(h[3]) + Math.abs(h[4]) + Math.abs(h[5]);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (Math.abs(full[1]) + Math.abs(full[2]) + Math.abs(full[5]) <= 1e-16 * size) break;
    turn(0, 1);
    turn(0, 2);
    turn(1, 2);
  }
  h.fill(0, 0, 6);
  for (let e = 0; e < 3; e++) {
    const value = full[4 * e];
    if (!(value > 0)) continue;
    const [x, y, z] = [vectors[e], vectors[3 + e], vectors[6 + e]];
    h[0] += value * x * x;
    h[1] += value * y * y;
    h[2] += value * z * z;
    h[3] += value * x * y;
    h[4] += value * x * z;
    h[5] += value * y * z;
  }
}

/** The rotation of axes i and j that takes entry ij to zero. */
function turn(i: number, j: number): void {
  const off = full[3 * i + j];
  if (off === 0) return;
  const ratio = (full[4 * j] - full[4 * i]) / (2 * off);
  const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(1 + ratio * ratio));
  const c = 1 / Math.sqrt(1 + tangent * tangent);
  const s = c * tangent;
  for (let k = 0; k < 3; k++) {
    const [a, b] = [full[3 * k + i], full[3 * k + j]];
    full[3 * k + i] = c * a - s * b;
    full[3 * k + j] = s * a + c * b;
  }
  for (let k = 0; k < 3; k++) {
    const [a, b] = [full[3 * i + k], full[3 * j + k]];
    full[3 * i + k] = c * a - s * b;
    full[3 * j + k] = s * a + c * b;
    const [p, q] = [vectors[3 * k + i], vectors[3 * k + j]];
    vectors[3 * k + i] = c * p - s * q;
    vectors[3 * k + j] = s * p + c * q;
  }
}
