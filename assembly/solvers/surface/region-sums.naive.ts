// Sums over the regions of four particles, member by member: O(ω²) of them in a region. Stands in for region-sums.ts in
// the benchmarks, to show what prefix sums save; everything else of the kernels is the same. Rows hold each particle's own
// values, in path order, so that an interval is a run of rows in memory.

import { BODY_INTERVAL_OFFSETS, BODY_INTERVALS } from '../../layout';
import { add4, splat4 } from '../../simd/lanes';

/** Bytes per row. */
export const ROW: usize = 64;

/** What a row holds: a particle's own values. */
// @ts-ignore: decorator
@inline export function nextRow4(before: v128, own: v128): v128 {
  return own;
}

/**
 * Sums of the first two vectors of the rows over the regions of particles group … group + 3. Vector r of lane l goes to
 * out + 64·r + 16·l.
 */
export function sumRows2(body: usize, rows: usize, group: i32, out: usize): void {
  const offsets: usize = <usize>load<u32>(body + BODY_INTERVAL_OFFSETS) + (<usize>group << 2);
  const intervals: usize = load<u32>(body + BODY_INTERVALS);
  for (let lane: usize = 0; lane < 4; lane++) {
    const n = offsets + (lane << 2);
    let r0 = splat4(0);
    let r1 = splat4(0);
    const last = intervals + (<usize>load<u32>(n, 4) << 3);
    for (let e = intervals + (<usize>load<u32>(n) << 3); e < last; e += 8) {
      const to = rows + <usize>load<u32>(e, 4);
      for (let row = rows + <usize>load<u32>(e) + ROW; row <= to; row += ROW) {
        r0 = add4(r0, v128.load(row));
        r1 = add4(r1, v128.load(row, 16));
      }
    }
    const at = out + (lane << 4);
    v128.store(at, r0);
    v128.store(at, r1, 64);
  }
}

/** The same for three vectors. */
export function sumRows3(body: usize, rows: usize, group: i32, out: usize): void {
  const offsets: usize = <usize>load<u32>(body + BODY_INTERVAL_OFFSETS) + (<usize>group << 2);
  const intervals: usize = load<u32>(body + BODY_INTERVALS);
  for (let lane: usize = 0; lane < 4; lane++) {
    const n = offsets + (lane << 2);
    let r0 = splat4(0);
    let r1 = splat4(0);
    let r2 = splat4(0);
    const last = intervals + (<usize>load<u32>(n, 4) << 3);
    for (let e = intervals + (<usize>load<u32>(n) << 3); e < last; e += 8) {
      const to = rows + <usize>load<u32>(e, 4);
      for (let row = rows + <usize>load<u32>(e) + ROW; row <= to; row += ROW) {
        r0 = add4(r0, v128.load(row));
        r1 = add4(r1, v128.load(row, 16));
        r2 = add4(r2, v128.load(row, 32));
      }
    }
    const at = out + (lane << 4);
    v128.store(at, r0);
    v128.store(at, r1, 64);
    v128.store(at, r2, 128);
  }
}

/** The same for all four vectors. */
export function sumRows4(body: usize, rows: usize, group: i32, out: usize): void {
  const offsets: usize = <usize>load<u32>(body + BODY_INTERVAL_OFFSETS) + (<usize>group << 2);
  const intervals: usize = load<u32>(body + BODY_INTERVALS);
  for (let lane: usize = 0; lane < 4; lane++) {
    const n = offsets + (lane << 2);
    let r0 = splat4(0);
    let r1 = splat4(0);
    let r2 = splat4(0);
    let r3 = splat4(0);
    const last = intervals + (<usize>load<u32>(n, 4) << 3);
    for (let e = intervals + (<usize>load<u32>(n) << 3); e < last; e += 8) {
      const to = rows + <usize>load<u32>(e, 4);
      for (let row = rows + <usize>load<u32>(e) + ROW; row <= to; row += ROW) {
        r0 = add4(r0, v128.load(row));
        r1 = add4(r1, v128.load(row, 16));
        r2 = add4(r2, v128.load(row, 32));
        r3 = add4(r3, v128.load(row, 48));
      }
    }
    const at = out + (lane << 4);
    v128.store(at, r0);
    v128.store(at, r1, 64);
    v128.store(at, r2, 128);
    v128.store(at, r3, 192);
  }
}
