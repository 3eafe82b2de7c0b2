// What obstacles do to a body: summed per chunk and obstacle, so that the bits do not depend on the number of threads.
// Mirrors src/contact/response/touches.ts.

import * as tuning from '../../../src/contact/response/tuning';
import {
  BODY_CONTACT_NORMALS, BODY_MASS_SHARES, BODY_POSITIONS, BODY_REACTIONS, BODY_VELOCITIES, REACTION_BYTES,
  REACTION_COLLIDER, REACTION_IMPULSE, REACTION_MOMENT, REACTION_NORMAL, REACTION_POINT, REACTION_SLOTS,
  REACTION_WEIGHT, WORLD_COLLIDER_COUNT,
} from '../../layout';
import { x4, y4, z4 } from '../../simd/lanes';
import { world } from '../../threads';

/** Share of its mass [m/s] by which a particle counts for the point and the normal where nothing presses. */
const UNPRESSED: f64 = <f64>tuning.UNPRESSED;

// @ts-ignore: decorator
@inline function slotCount(): i32 {
  return min(load<i32>(world + WORLD_COLLIDER_COUNT), REACTION_SLOTS);
}

/** The chunk's first record. */
// @ts-ignore: decorator
@inline function reactionsOf(body: usize, chunk: i32): usize {
  return <usize>load<u32>(body + BODY_REACTIONS) + <usize>(chunk * slotCount() * REACTION_BYTES);
}

/** Nothing has touched the chunk yet. Records are begun in order, so the first that holds nothing is followed by none that does. */
export function clearReactions(body: usize, chunk: i32): void {
  let at = reactionsOf(body, chunk);
  for (let n = slotCount(); n > 0 && load<u32>(at, REACTION_COLLIDER) != 0; n--, at += REACTION_BYTES) {
    store<u32>(at, 0, REACTION_COLLIDER);
  }
}

/** The record of an obstacle, begun where there is none yet; 0 where there is no room. */
function slotOf(body: usize, chunk: i32, collider: i32): usize {
  let at = reactionsOf(body, chunk);
  for (let n = slotCount(); n > 0; n--, at += REACTION_BYTES) {
    const key = load<i32>(at, REACTION_COLLIDER);
    if (key == collider + 1) return at;
    if (key != 0) continue;
    memory.fill(at, 0, REACTION_BYTES);
    store<i32>(at, collider + 1, REACTION_COLLIDER);
    return at;
  }
  return 0;
}

// @ts-ignore: decorator
@inline function addVector(at: usize, x: f64, y: f64, z: f64): void {
  store<f64>(at, load<f64>(at) + x);
  store<f64>(at, load<f64>(at, 8) + y, 8);
  store<f64>(at, load<f64>(at, 16) + z, 16);
}

/** Adds what obstacle `collider` did to particle i, whose velocity was `before`. */
export function addReaction(body: usize, chunk: i32, collider: i32, i: i32, before: v128): void {
  const at = slotOf(body, chunk, collider);
  if (at == 0) return;
  const k = <usize>i << 4;
  const x = v128.load(<usize>load<u32>(body + BODY_POSITIONS) + k);
  const v = v128.load(<usize>load<u32>(body + BODY_VELOCITIES) + k);
  const normal = v128.load(<usize>load<u32>(body + BODY_CONTACT_NORMALS) + k);
  const m = <f64>load<f32>(<usize>load<u32>(body + BODY_MASS_SHARES) + (<usize>i << 2));
  const px = <f64>x4(x);
  const py = <f64>y4(x);
  const pz = <f64>z4(x);
  const jx = m * (<f64>x4(v) - <f64>x4(before));
  const jy = m * (<f64>y4(v) - <f64>y4(before));
  const jz = m * (<f64>z4(v) - <f64>z4(before));
  const nx = <f64>x4(normal);
  const ny = <f64>y4(normal);
  const nz = <f64>z4(normal);
  const weight = UNPRESSED * m + max<f64>(0, jx * nx + jy * ny + jz * nz);
  addVector(at + REACTION_IMPULSE, jx, jy, jz);
  addVector(at + REACTION_MOMENT, py * jz - pz * jy, pz * jx - px * jz, px * jy - py * jx);
  addVector(at + REACTION_POINT, weight * px, weight * py, weight * pz);
  addVector(at + REACTION_NORMAL, weight * nx, weight * ny, weight * nz);
  store<f64>(at, load<f64>(at, REACTION_WEIGHT) + weight, REACTION_WEIGHT);
}
