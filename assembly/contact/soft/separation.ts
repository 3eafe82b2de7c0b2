// Moves two bodies that lie in each other apart, around the deepest of their pockets. Mirrors src/contact/soft/separation.ts.

import * as tuning from '../../../src/contact/soft/tuning';
import {
  BODY_COUNT, BODY_FLAGS, BODY_MASS, BODY_MASS_SHARES, BODY_PINNED, BODY_POSITIONS, BODY_SIZE, BODY_SLOW_TIME,
  BODY_STARTS, BODY_VELOCITIES, FLAG_ASLEEP, PAIR_A, PAIR_B, PAIR_DEEP, PAIR_POCKET, PAIR_WAY,
} from '../../layout';
import { dot3, madd4, mul4, splat4, sub4, w4 } from '../../simd/lanes';
import { offsetOf } from '../narrow-phase/detection';

/** How fast they are moved apart, in sizes of the smaller body per second, and the time [s] that it takes at least. */
const SPEED: f32 = <f32>tuning.SPEED;
const LEAVE_TIME: f32 = <f32>tuning.LEAVE_TIME;
const HURRY: f32 = <f32>tuning.HURRY;
const HURRIED: f32 = <f32>tuning.HURRIED;

/** Moves the two bodies of a deep pair apart around the deepest pocket, a bounded way per step, and takes their approach there. */
export function separate(pair: usize, timeStep: f32): void {
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  const way = f32x4.replace_lane(v128.load(pair + PAIR_WAY), 3, 0);
  const middle = v128.load(pair + PAIR_POCKET);
  const middleB = sub4(middle, offsetOf(a, b));
  const size = <f32>min(load<f64>(a + BODY_SIZE), load<f64>(b + BODY_SIZE));
  const inner = w4(middle);
  const outer = load<f32>(pair + PAIR_WAY, 12);
  // Of the bodies as they are by now: others may have stopped them already.
  const velocityA = meanAround(a, middle, inner, outer);
  const velocityB = meanAround(b, middleB, inner, outer);
  const massA: f64 = isAsleep(a) ? Infinity : load<f64>(a + BODY_MASS) * w4(velocityA);
  const massB: f64 = isAsleep(b) ? Infinity : load<f64>(b + BODY_MASS) * w4(velocityB);
  const shareA: f32 = massB == Infinity ? 1 : massA == Infinity ? 0 : <f32>(massB / (massA + massB));
  const stop = max<f32>(0, dot3(sub4(velocityB, velocityA), way));
  const hurry = min<f32>(HURRIED, <f32>1 + HURRY * slowTime(a, b));
  const leave = min(SPEED * size, (hurry * load<f32>(pair + PAIR_DEEP)) / LEAVE_TIME);
  const shift = (leave + stop) * timeStep;
  move(a, middle, inner, outer, way, shareA * shift, shareA * stop);
  move(b, middleB, inner, outer, way, (shareA - 1) * shift, (shareA - 1) * stop);
}

/** For how long both have been slow [s]. */
function slowTime(a: usize, b: usize): f32 {
  return min(load<f32>(a + BODY_SLOW_TIME), load<f32>(b + BODY_SLOW_TIME));
}

/** By how much a particle is moved with a pocket of this middle: 1 within, 0 far away. */
// @ts-ignore: decorator
@inline function weightAt(point: v128, middle: v128, inner: f32, outer: f32): f32 {
  const d = sub4(point, middle);
  const t = min<f32>(1, max<f32>(0, (outer - sqrt(dot3(d, d))) / (outer - inner)));
  return t * t * (<f32>3 - <f32>2 * t);
}

/** Mean velocity of a body around a pocket, and the share of its mass that this is. */
function meanAround(body: usize, middle: v128, inner: f32, outer: f32): v128 {
  const starts: usize = load<u32>(body + BODY_STARTS);
  const shares: usize = load<u32>(body + BODY_MASS_SHARES);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const count: usize = load<u32>(body + BODY_COUNT);
  let sum = splat4(0);
  let mass: f32 = 0;
  for (let i: usize = 0; i < count; i++) {
    const weight = load<f32>(shares + (i << 2)) * weightAt(v128.load(starts + (i << 4)), middle, inner, outer);
    sum = madd4(splat4(weight), v128.load(velocities + (i << 4)), sum);
    mass += weight;
  }
  mass = max<f32>(mass, 1e-6);
  return f32x4.replace_lane(mul4(splat4(<f32>1 / mass), sum), 3, mass);
}

// @ts-ignore: decorator
@inline export function isAsleep(body: usize): boolean {
  return (load<u32>(body + BODY_FLAGS) & FLAG_ASLEEP) != 0;
}

function move(body: usize, middle: v128, inner: f32, outer: f32, way: v128, shift: f32, speed: f32): void {
  if (shift == 0) return;
  const starts: usize = load<u32>(body + BODY_STARTS);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const count: usize = load<u32>(body + BODY_COUNT);
  for (let i: usize = 0; i < count; i++) {
    if (load<u8>(pinned + i) != 0) continue;
    const k = i << 4;
    const weight = weightAt(v128.load(starts + k), middle, inner, outer);
    v128.store(positions + k, madd4(splat4(weight * shift), way, v128.load(positions + k)));
    v128.store(velocities + k, madd4(splat4(weight * speed), way, v128.load(velocities + k)));
  }
}
