// Bounds how far particles get within a step, and how fast they are. Mirrors src/solvers/volume/shorten-ways.ts.

import {
  BODY_COLLIDING, BODY_MASS_SHARES, BODY_PINNED, BODY_POSITIONS, BODY_STARTS, BODY_SURFACE_VELOCITIES, BODY_TOUCH_VELOCITIES,
  BODY_VELOCITIES, BY_BODY, BY_OBSTACLE, CHUNK, WORLD_TIME_STEP,
} from '../../layout';
import { add4, cross4, dot3, madd4, mul4, splat4, sub4 } from '../../simd/lanes';
import { world } from '../../threads';
import { chunkEnd } from '../sums';

/** What the last chunk lost of momentum and of angular momentum, by shares of the mass. */
export let linearChange: v128 = i64x2.splat(0);
export let angularChange: v128 = i64x2.splat(0);

/**
 * Leaves no particle of a chunk but pinned ones further than `furthest` from where it was at the start of the step, over the way of what
 * it touches, and none that touches nothing faster than that.
 */
export function shortenWays(body: usize, chunk: i32, field: usize, furthest: f32): void {
  const end = chunkEnd(body, chunk);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  const before: usize = load<u32>(body + BODY_POSITIONS);
  const positions: usize = load<u32>(body + field);
  const timeStep = <f32>load<f64>(world + WORLD_TIME_STEP);
  const fastest = furthest / timeStep;
  linearChange = splat4(0);
  angularChange = splat4(0);
  for (let i = chunk * CHUNK; i < end; i++) {
    if (load<u8>(pinned + i) != 0) continue;
    const k = <usize>i << 4;
    const start = v128.load(starts + k);
    const way = sub4(v128.load(positions + k), start);
    const square = dot3(way, way);
    const touches = load<u8>(colliding + i);
    const most = touches == 0 ? furthest : furthest + timeStep * speedOfTouched(body, k, touches);
    if (square > most * most) v128.store(positions + k, madd4(splat4(most / sqrt(square)), way, start));
    if (touches != 0) continue;
    const velocity = v128.load(velocities + k);
    const speed = sqrt(dot3(velocity, velocity));
    if (!(speed > fastest)) continue;
    const slower = mul4(splat4(fastest / speed), velocity);
    const change = mul4(v128.load32_splat(masses + (<usize>i << 2)), sub4(slower, velocity));
    linearChange = add4(linearChange, change);
    angularChange = add4(angularChange, cross4(v128.load(before + k), change));
    v128.store(velocities + k, slower);
  }
}

/** How fast the obstacle and the other body are that a particle touches. */
function speedOfTouched(body: usize, k: usize, touches: u8): f32 {
  let speed: f32 = 0;
  if ((touches & BY_OBSTACLE) != 0) speed += lengthAt(<usize>load<u32>(body + BODY_SURFACE_VELOCITIES) + k);
  if ((touches & BY_BODY) != 0) speed += lengthAt(<usize>load<u32>(body + BODY_TOUCH_VELOCITIES) + k);
  return speed;
}

// @ts-ignore: decorator
@inline function lengthAt(place: usize): f32 {
  const v = v128.load(place);
  return sqrt(dot3(v, v));
}
