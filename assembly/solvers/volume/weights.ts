// Who takes part in the volume correction. Mirrors src/solvers/volume/weights.ts; the weights for positions and for
// velocities stand side by side and are smoothed together.

import * as tuning from '../../../src/solvers/volume/tuning';
import {
  BODY_CHANGES, BODY_COLLIDING, BODY_COUNT, BODY_GLOBAL_SHARE, BODY_HELD, BODY_INNER_MAX, BODY_INNER_MIN, BODY_INNER_SHARE,
  BODY_PAIR_DEPTHS, BODY_PAIR_LENGTHS, BODY_PARTNERS, BODY_PINNED, BODY_POSITIONS, BODY_RINGS, BODY_RING_OFFSETS, BODY_SHARES,
  BODY_VOLUME_WEIGHTS, BODY_WEIGHTS, BODY_WEIGHTS_SCRATCH, CHUNK, SUM_COLLIDING, SUM_SHARES,
} from '../../layout';
import {
  add4, column0, column1, column2, div4, high4, highPair4, low4, lowPair4, madd4, mul4, splat4, squares4, sub4, w4,
  x4, y4, z4,
} from '../../simd/lanes';
import { putPartial, reduce } from '../rigid-motion';
import { chunkEnd } from '../sums';

const SHARE_CAP: f32 = <f32>tuning.SHARE_CAP;
const SMOOTHING: f32 = <f32>tuning.SMOOTHING;
export const SMOOTHING_PASSES: i32 = <i32>tuning.SMOOTHING_PASSES;

/** β·σ·d + (1 − β)·‖c‖ of each particle, and the total; held is pinned or colliding; how many collide. */
export function writeShares(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const beta = <f32>load<f64>(body + BODY_INNER_SHARE);
  const stiffest = <f32>load<f64>(body + BODY_INNER_MAX);
  const range = <f32>load<f64>(body + BODY_INNER_MIN) - stiffest;
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const changes: usize = load<u32>(body + BODY_CHANGES);
  const partners: usize = load<u32>(body + BODY_PARTNERS);
  const lengths: usize = load<u32>(body + BODY_PAIR_LENGTHS);
  const depths: usize = load<u32>(body + BODY_PAIR_DEPTHS);
  const shares: usize = load<u32>(body + BODY_SHARES);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const held: usize = load<u32>(body + BODY_HELD);
  let total: f64 = 0;
  let touching: i32 = 0;
  for (let i = chunk * CHUNK; i < end; i += 4) {
    const n = <usize>i << 2;
    const numbers = i32x4.add(i32x4.splat(i), i32x4(0, 1, 2, 3));
    let share = mul4(splat4(<f32>1 - beta), v128.load(changes + n));
    if (beta > 0) {
      const at = positions + (n << 2);
      const d0 = sub4(v128.load(at), v128.load(positions + (<usize>load<u32>(partners + n) << 4)));
      const d1 = sub4(v128.load(at, 16), v128.load(positions + (<usize>load<u32>(partners + n, 4) << 4)));
      const d2 = sub4(v128.load(at, 32), v128.load(positions + (<usize>load<u32>(partners + n, 8) << 4)));
      const d3 = sub4(v128.load(at, 48), v128.load(positions + (<usize>load<u32>(partners + n, 12) << 4)));
      const length = f32x4.sqrt(squares4(column0(d0, d1, d2, d3), column1(d0, d1, d2, d3), column2(d0, d1, d2, d3)));
      const stiffness = madd4(v128.load(depths + n), splat4(range), splat4(stiffest));
      const local = mul4(mul4(splat4(beta), stiffness), f32x4.abs(sub4(length, v128.load(lengths + n))));
      // A particle without a partner is its own.
      share = add4(share, v128.andnot(local, i32x4.eq(v128.load(partners + n), numbers)));
    }
    // Those that fill up have none.
    share = v128.and(share, i32x4.lt_s(numbers, i32x4.splat(end)));
    v128.store(shares + n, share);
    total = total + <f64>x4(share) + <f64>y4(share) + <f64>z4(share) + <f64>w4(share);
    const touches = load<u32>(colliding + i);
    if (touches != 0) touching += 4 - popcnt(i32x4.bitmask(unmarked(touches)));
    store<u32>(held + i, load<u32>(pinned + i) | touches);
  }
  putPartial(body, chunk, SUM_SHARES, total);
  putPartial(body, chunk, SUM_COLLIDING, touching);
}

/** w = (1 − α)·g + α/n for both weights; held (pinned) particles get no position (velocity) weight, those that fill up none. */
export function mixWeights(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const alpha = <f32>load<f64>(body + BODY_GLOBAL_SHARE);
  const shares: usize = load<u32>(body + BODY_SHARES);
  const weights: usize = load<u32>(body + BODY_WEIGHTS);
  const held: usize = load<u32>(body + BODY_HELD);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const uniform = <f32>1 / <f32>load<i32>(body + BODY_COUNT);
  const total = reduce(body, SUM_SHARES);
  const perShare: f32 = total > 0 ? <f32>(1 / total) : 0;
  const cap = splat4(SHARE_CAP * uniform);
  const local = splat4(<f32>1 - alpha);
  const global = splat4(alpha * uniform);
  const factors: usize = load<u32>(body + BODY_VOLUME_WEIGHTS);
  for (let i = chunk * CHUNK; i < end; i += 4) {
    const own = perShare > 0 ? f32x4.pmin(cap, mul4(v128.load(shares + (<usize>i << 2)), splat4(perShare))) : splat4(uniform);
    let weight = madd4(local, own, global);
    if (factors != 0) weight = mul4(v128.load(factors + (<usize>i << 2)), weight);
    const moves = v128.and(unmarked(load<u32>(held + i)), splat4(1));
    const turns = v128.and(unmarked(load<u32>(pinned + i)), splat4(1));
    // Rows of the two weights, and after them 1 where a particle may have the one and the other.
    const low = low4(mul4(moves, weight), mul4(turns, weight));
    const high = high4(mul4(moves, weight), mul4(turns, weight));
    const mayLow = low4(moves, turns);
    const mayHigh = high4(moves, turns);
    const to = weights + (<usize>i << 4);
    v128.store(to, lowPair4(low, mayLow));
    v128.store(to, highPair4(low, mayLow), 16);
    v128.store(to, lowPair4(high, mayHigh), 32);
    v128.store(to, highPair4(high, mayHigh), 48);
  }
  for (let i = end; (i & 3) != 0; i++) v128.store(weights + (<usize>i << 4), splat4(0));
}

/** The lanes whose byte of four marks is 0. */
// @ts-ignore: decorator
@inline export function unmarked(marks: u32): v128 {
  const wide = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(i32x4.splat(marks)));
  return i32x4.eq(wide, i32x4.splat(0));
}

/** The same position weight for every particle that is free; velocity weights stay. */
export function evenWeights(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const weights: usize = load<u32>(body + BODY_WEIGHTS);
  const held: usize = load<u32>(body + BODY_HELD);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const uniform = <f32>1 / <f32>load<i32>(body + BODY_COUNT);
  for (let i = chunk * CHUNK; i < end; i++) {
    const mark: u8 = load<u8>(pinned + i) | load<u8>(colliding + i);
    store<u8>(held + i, mark);
    const at = weights + (<usize>i << 4);
    const moves = <f32>i32(mark == 0);
    store<f32>(at, moves * uniform);
    store<f32>(at, moves, 8);
  }
}

/** One pass of the umbrella filter, from one set of weights to the other; `pass` even or odd. */
export function smoothWeights(body: usize, chunk: i32, pass: i32): void {
  const end = chunkEnd(body, chunk);
  const first: usize = load<u32>(body + BODY_WEIGHTS);
  const second: usize = load<u32>(body + BODY_WEIGHTS_SCRATCH);
  const from = pass & 1 ? second : first;
  const to = pass & 1 ? first : second;
  const rings: usize = load<u32>(body + BODY_RINGS);
  const ringOffsets: usize = load<u32>(body + BODY_RING_OFFSETS);
  const old = splat4(1 - SMOOTHING);
  const fresh = splat4(SMOOTHING);
  for (let i = chunk * CHUNK; i < end; i++) {
    const begin = rings + (<usize>load<u32>(ringOffsets + (<usize>i << 2)) << 2);
    const last = rings + (<usize>load<u32>(ringOffsets + (<usize>i << 2), 4) << 2);
    let sum: v128;
    if (last - begin == 24) {
      // Six neighbours are the rule: without the loop.
      sum = add4(v128.load(from + <usize>load<u32>(begin)), v128.load(from + <usize>load<u32>(begin, 4)));
      sum = add4(sum, add4(v128.load(from + <usize>load<u32>(begin, 8)), v128.load(from + <usize>load<u32>(begin, 12))));
      sum = add4(sum, add4(v128.load(from + <usize>load<u32>(begin, 16)), v128.load(from + <usize>load<u32>(begin, 20))));
    } else {
      // Two neighbours at a time; an odd one, the last, comes first.
      sum = (last - begin) & 4 ? v128.load(from + <usize>load<u32>(last - 4)) : splat4(0);
      for (let e = begin; e + 4 < last; e += 8) {
        sum = add4(sum, add4(v128.load(from + <usize>load<u32>(e)), v128.load(from + <usize>load<u32>(e, 4))));
      }
    }
    const own = v128.load(from + (<usize>i << 4));
    const mean = div4(sum, splat4(<f32>((last - begin) >> 2)));
    const smooth = mul4(madd4(fresh, mean, mul4(old, own)), v128.shuffle<f32>(own, own, 2, 3, 2, 3));
    v128.store(to + (<usize>i << 4), v128.shuffle<f32>(smooth, own, 0, 1, 6, 7));
  }
}
