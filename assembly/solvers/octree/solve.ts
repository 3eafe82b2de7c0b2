// The solve of a symmetric 3×3 system: see src/math/mat3.ts.

/** What the last solve found; zero where it failed. */
export let solvedX: f64 = 0;
export let solvedY: f64 = 0;
export let solvedZ: f64 = 0;

/** Solves (M + floor·I)·x = b; false where that is not positive definite. */
export function solveSymmetric(
  m0: f64, m1: f64, m2: f64, m3: f64, m4: f64, m5: f64, floor: f64, b0: f64, b1: f64, b2: f64,
): bool {
  solvedX = 0;
  solvedY = 0;
  solvedZ = 0;
  const d0 = m0 + floor;
  if (!(d0 > 0)) return false;
  const l10 = m1 / d0;
  const l20 = m2 / d0;
  const d1 = m3 + floor - l10 * m1;
  if (!(d1 > 0)) return false;
  const c21 = m4 - l10 * m2;
  const l21 = c21 / d1;
  const d2 = m5 + floor - l20 * m2 - l21 * c21;
  if (!(d2 > 0)) return false;
  const y1 = b1 - l10 * b0;
  const y2 = b2 - l20 * b0 - l21 * y1;
  const x2 = y2 / d2;
  const x1 = y1 / d1 - l21 * x2;
  const x0 = b0 / d0 - l10 * x1 - l20 * x2;
  if (!isFinite(x0 + x1 + x2)) return false;
  solvedX = x0;
  solvedY = x1;
  solvedZ = x2;
  return true;
}
