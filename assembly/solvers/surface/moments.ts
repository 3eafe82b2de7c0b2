// Prediction and the prefix sums of m̃·x⊗[x⁰; 1] in one pass. Mirrors src/solvers/moments.ts.

import {
  BLOCK, BODY_FLAGS, BODY_MASS_SHARES, BODY_PINNED, BODY_PIN_CHANGES, BODY_PIN_TARGETS, BODY_POSITIONS, BODY_PREFIX,
  BODY_REGION_MASSES, BODY_REST_POSITIONS, BODY_STARTS, BODY_VELOCITIES, CHUNK, FLAG_PINS, ROW, SUM_STARTS,
} from '../../layout';
import { add4, div4, madd4, mul4, splat4, splatX4, splatY4, splatZ4, sub4 } from '../../simd/lanes';
import { putVector } from '../rigid-motion';
import { chunkEnd, putSquares } from '../sums';
import { nextRow4 } from './region-sums';

/** Address of the prefix row that stands before particle i. */
// @ts-ignore: decorator
@inline export function rowBefore(prefix: usize, i: i32): usize {
  return prefix + <usize>(i + i / BLOCK) * ROW;
}

/** v ← v + Δt·g; xⁿ ← x; x ← xⁿ + Δt·v; pins to their targets; the moments' prefix sums; sums of xⁿ. */
export function predict(body: usize, chunk: i32, timeStep: f32, fall: v128): void {
  const end = chunkEnd(body, chunk);
  const pins = (load<u32>(body + BODY_FLAGS) & FLAG_PINS) != 0;
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const targets: usize = load<u32>(body + BODY_PIN_TARGETS);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const rest: usize = load<u32>(body + BODY_REST_POSITIONS);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  const regionMasses: usize = load<u32>(body + BODY_REGION_MASSES);
  let row = rowBefore(load<u32>(body + BODY_PREFIX), chunk * CHUNK);
  const dt4 = splat4(timeStep);
  let sum = splat4(0);
  let squares = splat4(0);
  let products = splat4(0);
  let p0 = splat4(0);
  let p1 = splat4(0);
  let p2 = splat4(0);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const start = v128.load(positions + k);
    let v = add4(v128.load(velocities + k), fall);
    let x = madd4(dt4, v, start);
    if (pins && load<u8>(pinned + i) != 0) {
      x = v128.load(targets + k);
      const pinVelocity = div4(sub4(x, start), dt4);
      v128.store(<usize>load<u32>(body + BODY_PIN_CHANGES) + k, sub4(pinVelocity, v));
      v = pinVelocity;
    }
    v128.store(starts + k, start);
    v128.store(velocities + k, v);
    v128.store(positions + k, x);

    const m = v128.load32_splat(masses + (<usize>i << 2));
    const ms = mul4(m, start);
    sum = add4(sum, ms);
    squares = madd4(ms, start, squares);
    // (x, x, y)·(y, z, z)
    products = madd4(v128.shuffle<f32>(ms, ms, 0, 0, 1, 3), v128.shuffle<f32>(start, start, 1, 2, 2, 3), products);

    if ((i & (BLOCK - 1)) == 0) {
      p0 = splat4(0);
      p1 = splat4(0);
      p2 = splat4(0);
      v128.store(row, p0);
      v128.store(row, p1, 16);
      v128.store(row, p2, 32);
      row += ROW;
    }
    const mx = mul4(v128.load32_splat(regionMasses + (<usize>i << 2)), x);
    const x0 = v128.load(rest + k);
    p0 = nextRow4(p0, mul4(splatX4(mx), x0));
    p1 = nextRow4(p1, mul4(splatY4(mx), x0));
    p2 = nextRow4(p2, mul4(splatZ4(mx), x0));
    v128.store(row, p0);
    v128.store(row, p1, 16);
    v128.store(row, p2, 32);
    row += ROW;
  }
  putVector(body, chunk, SUM_STARTS, sum);
  putSquares(body, chunk, SUM_STARTS + 3, squares, products);
}
