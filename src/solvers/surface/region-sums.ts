// Sums over regions, the fast way (prefix sums over path order, then differences at interval ends) and the naive way
// (member by member), which is the tests' oracle.
// Based on: DBB11 §4 "Fast Summation", eq. 4.

import type { Regions } from './regions.js';

/** prefix[k] = Σ of the values at places before k; one row more than `values`. */
export function prefixSums(values: Float64Array, stride: number, prefix: Float64Array): void {
  prefix.fill(0, 0, stride);
  for (let k = 0; k < values.length; k++) prefix[k + stride] = prefix[k] + values[k];
}

/** Sum over each region in O(intervals): Σ (prefix[end] − prefix[begin]). The stride is a multiple of three: so many sums are kept at a time. */
export function sumIntervals(prefix: Float64Array, stride: number, regions: Regions, sums: Float64Array): void {
  const { count, offsets, begins, ends } = regions;
  for (let i = 0; i < count; i++) {
    const last = offsets[i + 1];
    for (let c = 0; c < stride; c += 3) {
      let a = 0;
      let b = 0;
      let d = 0;
      for (let interval = offsets[i]; interval < last; interval++) {
        const begin = begins[interval] * stride + c;
        const end = ends[interval] * stride + c;
        a += prefix[end] - prefix[begin];
        b += prefix[end + 1] - prefix[begin + 1];
        d += prefix[end + 2] - prefix[begin + 2];
      }
      const row = i * stride + c;
      sums[row] = a;
      sums[row + 1] = b;
      sums[row + 2] = d;
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
