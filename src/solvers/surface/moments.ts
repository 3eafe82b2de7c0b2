// Sums over regions, the fast way (prefix sums over path order, then differences at interval ends) and the naive way
// (member by member), which is the tests' oracle; and the moments of the matched positions.
// Based on: DBB11 §4 "Fast Summation", eq. 4.

import type { Regions } from './regions.js';
import type { SurfaceRest } from './rest.js';

/** Numbers per particle in the matching sums: m̃·x⊗[x⁰; 1], row by row. */
export const MOMENT_STRIDE = 12;

/** prefix[k] = Σ of the values at places before k; one row more than `values`. */
export function prefixSums(values: Float64Array, stride: number, prefix: Float64Array): void {
  prefix.fill(0, 0, stride);
  for (let k = 0; k < values.length; k++) prefix[k + stride] = prefix[k] + values[k];
}

/** Sum over each region in O(intervals): Σ (prefix[end] − prefix[begin]). */
export function sumIntervals(prefix: Float64Array, stride: number, regions: Regions, sums: Float64Array): void {
  const { count, offsets, begins, ends } = regions;
  for (let i = 0; i < count; i++) {
    const row = i * stride;
    sums.fill(0, row, row + stride);
    for (let interval = offsets[i]; interval < offsets[i + 1]; interval++) {
      const begin = begins[interval] * stride;
      const end = ends[interval] * stride;
      for (let c = 0; c < stride; c++) sums[row + c] += prefix[end + c] - prefix[begin + c];
    }
  }
}

/** Sum over each region in O(members). */
export function sumMembers(values: Float64Array, stride: number, regions: Regions, sums: Float64Array): void {
  const { count, offsets, begins, ends } = regions;
  for (let i = 0; i < count; i++) {
    const row = i * stride;
    sums.fill(0, row, row + stride);
    for (let interval = offsets[i]; interval < offsets[i + 1]; interval++) {
      for (let j = begins[interval]; j < ends[interval]; j++) {
        for (let c = 0; c < stride; c++) sums[row + c] += values[j * stride + c];
      }
    }
  }
}

/**
 * Writes m̃·x⊗[x⁰; 1] per particle, x relative to `origin`.
 * m̃ = m/|𝓡| (relative mass) makes goals averaged by 1/|𝓡| keep the centre of mass.
 */
export function writeMoments(
  rest: Pick<SurfaceRest, 'regionMasses' | 'positions'>,
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
