// Moves goals near pins by what the goals of the pins miss. Mirrors followPins of src/solvers/pin-reach.ts, on velocities: what
// s·(g − x) is of a particle they tell.

import {
  BODY_CHANGES, BODY_FLAGS, BODY_PIN_REACH, BODY_POSITIONS, BODY_STARTS, BODY_VELOCITIES, CHUNK, FLAG_PINS, PIN_REACH_GROUPS,
  PIN_REACH_ITEM,
} from '../../layout';
import { madd4, mul4, splat4, splatW4, splatX4, splatY4, splatZ4, sub4 } from '../../simd/lanes';

/** For the particles of chunks `from` to `to`; pins are read of all. */
export function followPins(body: usize, from: i32, to: i32, timeStep: f32): void {
  const reach: usize = load<u32>(body + BODY_PIN_REACH);
  if (reach == 0 || (load<u32>(body + BODY_FLAGS) & FLAG_PINS) == 0) return;
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const changes: usize = load<u32>(body + BODY_CHANGES);
  const first: usize = (<usize>from * CHUNK) << 4;
  const end: usize = (<usize>to * CHUNK) << 4;
  const dt4 = splat4(timeStep);
  const perTime = splat4(<f32>1 / timeStep);
  const groups = load<u32>(reach);
  for (let g: u32 = 0; g < groups; g++) {
    const group = reach + PIN_REACH_GROUPS * <usize>(g + 1);
    let f0 = splat4(0);
    let f1 = splat4(0);
    let f2 = splat4(0);
    let f3 = splat4(0);
    let item = reach + <usize>load<u32>(group);
    for (let last = item + PIN_REACH_ITEM * <usize>load<u32>(group, 4); item < last; item += PIN_REACH_ITEM) {
      const k: usize = load<u32>(item);
      const row = v128.load(item, 16);
      const missed = madd4(dt4, v128.load(velocities + k), sub4(v128.load(starts + k), v128.load(positions + k)));
      f0 = madd4(splatX4(row), missed, f0);
      f1 = madd4(splatY4(row), missed, f1);
      f2 = madd4(splatZ4(row), missed, f2);
      f3 = madd4(splatW4(row), missed, f3);
    }
    item = reach + <usize>load<u32>(group, 8);
    for (let last = item + PIN_REACH_ITEM * <usize>load<u32>(group, 12); item < last; item += PIN_REACH_ITEM) {
      const k: usize = load<u32>(item);
      if (k < first || k >= end) continue;
      const row = v128.load(item, 16);
      const moved = madd4(
        splatX4(row), f0, madd4(splatY4(row), f1, madd4(splatZ4(row), f2, mul4(splatW4(row), f3))),
      );
      const v = sub4(v128.load(velocities + k), mul4(perTime, moved));
      v128.store(velocities + k, v);
      const left = madd4(dt4, v, sub4(v128.load(starts + k), v128.load(positions + k)));
      const square = mul4(left, left);
      const sum: f32 = f32x4.extract_lane(square, 0) + f32x4.extract_lane(square, 1) + f32x4.extract_lane(square, 2);
      store<f32>(changes + (k >> 2), sqrt<f32>(sum));
    }
  }
}
