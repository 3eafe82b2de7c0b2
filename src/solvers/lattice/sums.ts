// Sums over regions of the lattice: fast, by three passes of running sums (bars along x, plates along y, blocks along z),
// whose cost does not depend on the region's width; and naive, member by member.
// Based on: A. Rivers, D. James, FastLSM, 2007.
//
// A region is reached from its centre along z, then y, then x, each way at most w particles far and stopping where the
// solid ends. So it never bridges a gap between two limbs, and the sum is the product of three one-dimensional sums,
// boundaries included. Each of those is symmetric (i is in j's window when j is in i's), but around a concave edge their
// product is not: "all members of i's region" is Z·Y·X, "all regions that hold i" is its transpose X·Y·Z. Where one is
// used for the moments and the other for the goals, momentum is kept exactly. Rivers and James take everything connected
// within the box instead, which needs a sum of its own for each irregular region.

import type { Lattice, LatticeAxis } from './lattice.js';
import { MAX_REGION_CELLS } from './settings.js';

/** Sums of rows of `stride` numbers, one row per lattice particle. */
export interface RegionSums {
  /** sums[i] = Σ of the values of all members of region i. */
  overMembers(values: Float64Array, stride: number, sums: Float64Array): void;
  /** sums[i] = Σ of the values of all regions that hold particle i. */
  overRegions(values: Float64Array, stride: number, sums: Float64Array): void;
}

/** Scratch for `largestStride` numbers per particle. */
export function fastSums({ count, axes }: Lattice, largestStride: number): RegionSums {
  const first = new Float64Array(largestStride * count);
  const second = new Float64Array(largestStride * count);
  const [x, y, z] = axes;
  const pass3 = (order: readonly LatticeAxis[]) => (values: Float64Array, stride: number, sums: Float64Array) => {
    runAlong(order[0], values, stride, first);
    runAlong(order[1], first, stride, second);
    runAlong(order[2], second, stride, sums);
  };
  return { overMembers: pass3([x, y, z]), overRegions: pass3([z, y, x]) };
}

/** Sum over each particle's window along one axis: the sum before it, plus who enters, minus who leaves. */
export function runAlong(axis: LatticeAxis, values: Float64Array, stride: number, sums: Float64Array): void {
  const { previous, next, first, last } = axis;
  for (let i = 0, row = 0; i < previous.length; i++, row += stride) {
    const before = previous[i];
    if (before < 0) {
      // Each line of particles begins anew, so that rounding does not travel farther than it.
      for (let c = 0; c < stride; c++) sums[row + c] = values[row + c];
      for (let j = i; j !== last[i]; ) {
        j = next[j];
        for (let c = 0, k = stride * j; c < stride; c++, k++) sums[row + c] += values[k];
      }
      continue;
    }
    const from = stride * before;
    const entering = stride * last[i];
    const leaving = stride * first[before];
    const enters = last[i] !== last[before];
    if (enters && first[i] !== first[before]) {
      for (let c = 0; c < stride; c++) sums[row + c] = sums[from + c] + (values[entering + c] - values[leaving + c]);
    } else if (enters) {
      for (let c = 0; c < stride; c++) sums[row + c] = sums[from + c] + values[entering + c];
    } else if (first[i] !== first[before]) {
      for (let c = 0; c < stride; c++) sums[row + c] = sums[from + c] - values[leaving + c];
    } else {
      for (let c = 0; c < stride; c++) sums[row + c] = sums[from + c];
    }
  }
}

/** The same sums in O((2w+1)³) per region: plain lattice shape matching, the tests' oracle. Strides are multiples of 3. */
export function naiveSums({ axes }: Lattice): RegionSums {
  const [x, y, z] = axes;
  return {
    overMembers: (values, stride, sums) => visitMembers(z, y, x, values, stride, sums),
    overRegions: (values, stride, sums) => visitMembers(x, y, z, values, stride, sums),
  };
}

/** First numbers of the rows along the innermost axis. */
const rows = new Int32Array(2 * MAX_REGION_CELLS + 1);

/** Walks from each particle along one axis, from there along the next, and adds up what lies along the third. */
function visitMembers(
  outer: LatticeAxis,
  middle: LatticeAxis,
  inner: LatticeAxis,
  values: Float64Array,
  stride: number,
  sums: Float64Array,
): void {
  for (let i = 0, row = 0; i < outer.next.length; i++, row += stride) {
    for (let c = 0; c < stride; c++) sums[row + c] = 0;
    for (let o = outer.first[i]; ; o = outer.next[o]) {
      for (let m = middle.first[o]; ; m = middle.next[m]) {
        let length = 0;
        for (let n = inner.first[m]; ; n = inner.next[n]) {
          rows[length++] = stride * n;
          if (n === inner.last[m]) break;
        }
        for (let c = 0; c < stride; c += 3) {
          let x = 0;
          let y = 0;
          let z = 0;
          for (let r = 0; r < length; r++) {
            const k = rows[r] + c;
            x += values[k];
            y += values[k + 1];
            z += values[k + 2];
          }
          sums[row + c] += x;
          sums[row + c + 1] += y;
          sums[row + c + 2] += z;
        }
        if (m === middle.last[o]) break;
      }
      if (o === outer.last[i]) break;
    }
  }
}
