// 3×3 solves for rigid motions: symmetric positive semi-definite matrices such as inertia tensors.

/**
 * Solves (M + floor·I)·x = b for symmetric M = [xx, xy, xz, yy, yz, zz] by Cholesky factors; writes x to `out`.
 * `floor` [same unit as M] keeps singular M (a line, a point) solvable: directions without inertia get x ≈ 0.
 * Returns false, with x = 0, where M + floor·I is not positive definite: a pivot is not above `least`.
 */
export function solveSymmetric(
  m: ArrayLike<number>,
  floor: number,
  b: ArrayLike<number>,
  out: Float64Array,
  least = 0,
): boolean {
  out[0] = out[1] = out[2] = 0;
  const d0 = m[0] + floor;
  if (!(d0 > least)) return false;
  const l10 = m[1] / d0;
  const l20 = m[2] / d0;
  const d1 = m[3] + floor - l10 * m[1];
  if (!(d1 > least)) return false;
  const c21 = m[4] - l10 * m[2];
  const l21 = c21 / d1;
  const d2 = m[5] + floor - l20 * m[2] - l21 * c21;
  if (!(d2 > least)) return false;
  const y1 = b[1] - l10 * b[0];
  const y2 = b[2] - l20 * b[0] - l21 * y1;
  const x2 = y2 / d2;
  const x1 = y1 / d1 - l21 * x2;
  const x0 = b[0] / d0 - l10 * x1 - l20 * x2;
  if (!Number.isFinite(x0 + x1 + x2)) return false;
  out[0] = x0;
  out[1] = x1;
  out[2] = x2;
  return true;
}
