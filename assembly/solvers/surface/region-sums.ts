// Sums over the regions of four particles: per interval the difference of two prefix rows, O(ω) of them in a region.
// Mirrors src/solvers/surface/region-sums.ts. Tried: one walk over the intervals that neighbouring regions share, shifted by a
// row; the accumulators of four regions do not fit the registers, no gain. Two intervals at a time: no gain, nor with an
// empty one after odd numbers. A jump by the number of intervals into code without a loop: slower, it guesses wrong.

import { BODY_INTERVAL_OFFSETS, BODY_INTERVALS } from '../../layout';
import { add4, splat4, sub4 } from '../../simd/lanes';

/** What a row holds: the row before it and a particle's own values. */
// @ts-ignore: decorator
@inline export function nextRow4(before: v128, own: v128): v128 {
  return add4(before, own);
}

/** Sums of the first two vectors of the rows over the regions of particles group … group + 3, as `sumRows3` writes them. */
export function sumRows2(body: usize, rows: usize, group: i32, out: usize): void {
  const offsets: usize = <usize>load<u32>(body + BODY_INTERVAL_OFFSETS) + (<usize>group << 2);
  const intervals: usize = load<u32>(body + BODY_INTERVALS);
  const e1 = intervals + (<usize>load<u32>(offsets, 4) << 3);
  const e2 = intervals + (<usize>load<u32>(offsets, 8) << 3);
  const e3 = intervals + (<usize>load<u32>(offsets, 12) << 3);
  sumRow2(intervals + (<usize>load<u32>(offsets) << 3), e1, rows, out);
  sumRow2(e1, e2, rows, out + 16);
  sumRow2(e2, e3, rows, out + 32);
  sumRow2(e3, intervals + (<usize>load<u32>(offsets, 16) << 3), rows, out + 48);
}

// @ts-ignore: decorator
@inline function sumRow2(first: usize, last: usize, rows: usize, at: usize): void {
  let r0 = splat4(0);
  let r1 = splat4(0);
  for (let e = first; e < last; e += 8) {
    const from = rows + <usize>load<u32>(e);
    const to = rows + <usize>load<u32>(e, 4);
    r0 = add4(r0, sub4(v128.load(to), v128.load(from)));
    r1 = add4(r1, sub4(v128.load(to, 16), v128.load(from, 16)));
  }
  v128.store(at, r0);
  v128.store(at, r1, 64);
}

/**
 * Sums of the first three vectors of the rows over the regions of particles group … group + 3. Vector r of lane l goes to
 * out + 64·r + 16·l.
 */
export function sumRows3(body: usize, rows: usize, group: i32, out: usize): void {
  const offsets: usize = <usize>load<u32>(body + BODY_INTERVAL_OFFSETS) + (<usize>group << 2);
  const intervals: usize = load<u32>(body + BODY_INTERVALS);
  const e1 = intervals + (<usize>load<u32>(offsets, 4) << 3);
  const e2 = intervals + (<usize>load<u32>(offsets, 8) << 3);
  const e3 = intervals + (<usize>load<u32>(offsets, 12) << 3);
  sumRow3(intervals + (<usize>load<u32>(offsets) << 3), e1, rows, out);
  sumRow3(e1, e2, rows, out + 16);
  sumRow3(e2, e3, rows, out + 32);
  sumRow3(e3, intervals + (<usize>load<u32>(offsets, 16) << 3), rows, out + 48);
}

// @ts-ignore: decorator
@inline function sumRow3(first: usize, last: usize, rows: usize, at: usize): void {
  let r0 = splat4(0);
  let r1 = splat4(0);
  let r2 = splat4(0);
  for (let e = first; e < last; e += 8) {
    const from = rows + <usize>load<u32>(e);
    const to = rows + <usize>load<u32>(e, 4);
    r0 = add4(r0, sub4(v128.load(to), v128.load(from)));
    r1 = add4(r1, sub4(v128.load(to, 16), v128.load(from, 16)));
    r2 = add4(r2, sub4(v128.load(to, 32), v128.load(from, 32)));
  }
  v128.store(at, r0);
  v128.store(at, r1, 64);
  v128.store(at, r2, 128);
}

/** The same for all four vectors. */
export function sumRows4(body: usize, rows: usize, group: i32, out: usize): void {
  const offsets: usize = <usize>load<u32>(body + BODY_INTERVAL_OFFSETS) + (<usize>group << 2);
  const intervals: usize = load<u32>(body + BODY_INTERVALS);
  const e1 = intervals + (<usize>load<u32>(offsets, 4) << 3);
  const e2 = intervals + (<usize>load<u32>(offsets, 8) << 3);
  const e3 = intervals + (<usize>load<u32>(offsets, 12) << 3);
  sumRow4(intervals + (<usize>load<u32>(offsets) << 3), e1, rows, out);
  sumRow4(e1, e2, rows, out + 16);
  sumRow4(e2, e3, rows, out + 32);
  sumRow4(e3, intervals + (<usize>load<u32>(offsets, 16) << 3), rows, out + 48);
}

// @ts-ignore: decorator
@inline function sumRow4(first: usize, last: usize, rows: usize, at: usize): void {
  let r0 = splat4(0);
  let r1 = splat4(0);
  let r2 = splat4(0);
  let r3 = splat4(0);
  for (let e = first; e < last; e += 8) {
    const from = rows + <usize>load<u32>(e);
    const to = rows + <usize>load<u32>(e, 4);
    r0 = add4(r0, sub4(v128.load(to), v128.load(from)));
    r1 = add4(r1, sub4(v128.load(to, 16), v128.load(from, 16)));
    r2 = add4(r2, sub4(v128.load(to, 32), v128.load(from, 32)));
    r3 = add4(r3, sub4(v128.load(to, 48), v128.load(from, 48)));
  }
  v128.store(at, r0);
  v128.store(at, r1, 64);
  v128.store(at, r2, 128);
  v128.store(at, r3, 192);
}
