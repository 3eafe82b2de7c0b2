// Sums over the regions of four particles, member by member from the particles' own data: O(ω²) in a region. Stands in for
// region-sums.ts in the benchmarks, to show what sums over paths save; everything else of the kernels is the same. In place
// of intervals there are lists of the members, which the benchmark writes. Rows hold each region's own values.

import {
  BLOCK, BODY_INTERVAL_OFFSETS, BODY_INTERVALS, BODY_POSITIONS, BODY_PREFIX, BODY_REGION_MASSES, BODY_REST_POSITIONS,
  BODY_STARTS, BODY_VELOCITIES, ROW, WORLD_TIME_STEP,
} from '../../layout';
import { add4, cross4, madd4, mul4, splat4, splatX4, splatY4, splatZ4 } from '../../simd/lanes';
import { world } from '../../threads';

/** What a row holds: the values of one region. */
// @ts-ignore: decorator
@inline export function nextRow4(before: v128, own: v128): v128 {
  return own;
}

/** The row after particle j; there is one more where a block begins. */
// @ts-ignore: decorator
@inline function rowOf(rows: usize, j: usize): usize {
  return rows + (j + j / BLOCK + 1) * ROW;
}

/** Sums of the first two vectors of the rows over the regions of particles group … group + 3, as `sumRows3` writes them. */
export function sumRows2(body: usize, rows: usize, group: i32, out: usize): void {
  const offsets: usize = <usize>load<u32>(body + BODY_INTERVAL_OFFSETS) + (<usize>group << 2);
  const members: usize = load<u32>(body + BODY_INTERVALS);
  for (let lane: usize = 0; lane < 4; lane++) {
    const n = offsets + (lane << 2);
    let r0 = splat4(0);
    let r1 = splat4(0);
    const last = members + (<usize>load<u32>(n, 4) << 2);
    for (let e = members + (<usize>load<u32>(n) << 2); e < last; e += 4) {
      const row = rowOf(rows, load<u32>(e));
      r0 = add4(r0, v128.load(row));
      r1 = add4(r1, v128.load(row, 16));
    }
    const at = out + (lane << 4);
    v128.store(at, r0);
    v128.store(at, r1, 64);
  }
}

/**
 * Moments m̃·x⊗[x⁰; 1] of the members, or sums of the first three vectors of the rows, over the regions of particles
 * group … group + 3. Vector r of lane l goes to out + 64·r + 16·l.
 */
export function sumRows3(body: usize, rows: usize, group: i32, out: usize): void {
  const offsets: usize = <usize>load<u32>(body + BODY_INTERVAL_OFFSETS) + (<usize>group << 2);
  const members: usize = load<u32>(body + BODY_INTERVALS);
  const moments = rows == load<u32>(body + BODY_PREFIX);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const rest: usize = load<u32>(body + BODY_REST_POSITIONS);
  const masses: usize = load<u32>(body + BODY_REGION_MASSES);
  for (let lane: usize = 0; lane < 4; lane++) {
    const n = offsets + (lane << 2);
    let r0 = splat4(0);
    let r1 = splat4(0);
    let r2 = splat4(0);
    const last = members + (<usize>load<u32>(n, 4) << 2);
    const first = members + (<usize>load<u32>(n) << 2);
    if (moments) {
      for (let e = first; e < last; e += 4) {
        const j: usize = load<u32>(e);
        const mx = mul4(v128.load32_splat(masses + (j << 2)), v128.load(positions + (j << 4)));
        const x0 = v128.load(rest + (j << 4));
        r0 = madd4(splatX4(mx), x0, r0);
        r1 = madd4(splatY4(mx), x0, r1);
        r2 = madd4(splatZ4(mx), x0, r2);
      }
    } else {
      for (let e = first; e < last; e += 4) {
        const row = rowOf(rows, load<u32>(e));
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

/** Momenta m̃·(x, v, x×v, xxᵀ) of the members, at the middle of the step. */
export function sumRows4(body: usize, rows: usize, group: i32, out: usize): void {
  const offsets: usize = <usize>load<u32>(body + BODY_INTERVAL_OFFSETS) + (<usize>group << 2);
  const members: usize = load<u32>(body + BODY_INTERVALS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const masses: usize = load<u32>(body + BODY_REGION_MASSES);
  const halfStep = splat4(<f32>0.5 * <f32>load<f64>(world + WORLD_TIME_STEP));
  for (let lane: usize = 0; lane < 4; lane++) {
    const n = offsets + (lane << 2);
    let r0 = splat4(0);
    let r1 = splat4(0);
    let r2 = splat4(0);
    let r3 = splat4(0);
    const last = members + (<usize>load<u32>(n, 4) << 2);
    for (let e = members + (<usize>load<u32>(n) << 2); e < last; e += 4) {
      const j: usize = load<u32>(e);
      const v = v128.load(velocities + (j << 4));
      const x = madd4(halfStep, v, v128.load(starts + (j << 4)));
      const m = v128.load32_splat(masses + (j << 2));
      const mx = mul4(m, x);
      const square = mul4(mx, x);
      // Fourth lanes: xx, yy, zz; then (x, x, y)·(y, z, z).
      r0 = add4(r0, v128.shuffle<f32>(mx, square, 0, 1, 2, 4));
      r1 = add4(r1, v128.shuffle<f32>(mul4(m, v), square, 0, 1, 2, 5));
      r2 = add4(r2, v128.shuffle<f32>(cross4(mx, v), square, 0, 1, 2, 6));
      r3 = madd4(v128.shuffle<f32>(mx, mx, 0, 0, 1, 3), v128.shuffle<f32>(x, x, 1, 2, 2, 3), r3);
    }
    const at = out + (lane << 4);
    v128.store(at, r0);
    v128.store(at, r1, 64);
    v128.store(at, r2, 128);
    v128.store(at, r3, 192);
  }
}
