// The moments of the matched positions, which are summed over regions of any kind.
// Based on: DBB11 §4 "Fast Summation", eq. 4.

/** Numbers per particle in the matching sums: m̃·x⊗[x⁰; 1], row by row. */
export const MOMENT_STRIDE = 12;

/**
 * Writes m̃·x⊗[x⁰; 1] per particle, x relative to `origin`.
 * m̃ = m/|𝓡| (relative mass) makes goals averaged by 1/|𝓡| keep the centre of mass.
 */
export function writeMoments(
  rest: { readonly regionMasses: Float64Array; readonly positions: Float64Array },
  positions: Float64Array,
  origin: ArrayLike<number>,
  values: Float64Array,
): void {
  const { regionMasses, positions: x0 } = rest;
  const [ox, oy, oz] = [origin[0], origin[1], origin[2]];
  for (let i = 0, k = 0, row = 0; i < regionMasses.length; i++, k += 3, row += MOMENT_STRIDE) {
    const m = regionMasses[i];
    const x = m * (positions[k] - ox);
    const y = m * (positions[k + 1] - oy);
    const z = m * (positions[k + 2] - oz);
    values[row] = x * x0[k];
    values[row + 1] = x * x0[k + 1];
    values[row + 2] = x * x0[k + 2];
    values[row + 3] = x;
    values[row + 4] = y * x0[k];
    values[row + 5] = y * x0[k + 1];
    values[row + 6] = y * x0[k + 2];
    values[row + 7] = y;
    values[row + 8] = z * x0[k];
    values[row + 9] = z * x0[k + 1];
    values[row + 10] = z * x0[k + 2];
    values[row + 11] = z;
  }
}
