// A chunk against the obstacles, and what is known of it after contact.

import {
  BODY_CHUNK_BOXES, BODY_COLLIDING, BODY_CONTACT_NORMALS, BODY_FLAGS, BODY_HELD, BODY_MASS_SHARES, BODY_PINNED, BODY_POSITIONS,
  BODY_STARTS, BODY_SURFACE_VELOCITIES, BODY_VELOCITIES, BY_BODY, BY_OBSTACLE, CHUNK, COLLIDER_BYTES, FLAG_AGAIN, MAX_PRESSING, RUN,
  SUM_CONTACTS, SUM_PRESSED, SUM_SUPPORT, WORLD_COLLIDERS, WORLD_COLLIDER_COUNT,
} from '../layout';
import { aim, clearOfFour, clearWaysOfFour, mayMeet, setDepth } from '../contact/obstacles/collider';
import { mayTouch, resolveParticle, runBox, seesClearWays, sweeps, takeBounds, takeRunBox } from '../contact/obstacles/obstacle-contact';
import { addReaction, clearReactions } from '../contact/obstacles/reactions';
import { finishTouching } from '../contact/response/neighbour-gaps';
import { dot3, madd4, splat4 } from '../simd/lanes';
import { putPartial, putVector } from '../solvers/rigid-motion';
import { chunkEnd } from '../solvers/sums';
import { world } from '../threads';
import { extendBounds } from './move-chunk';
import * as tuning from '../../src/contact/obstacles/tuning';
import * as volumeTuning from '../../src/solvers/volume/tuning';

/** Most passes over all obstacles; they end when a pass finds nothing inside. */
const CONTACT_PASSES: i32 = <i32>tuning.PASSES;
/** Share of an obstacle's speed that goes away from the body from which on it leaves it. */
const LEAVING: f32 = <f32>volumeTuning.LEAVING;

/** Counts the particles in contact, sums which way obstacles push them, and finishes what is known of those that touch other bodies. */
export function countContacts(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const contacts: usize = load<u32>(body + BODY_CONTACT_NORMALS);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  // Of a body that is finished once more, the means are known.
  const again = (load<u32>(body + BODY_FLAGS) & FLAG_AGAIN) != 0;
  const surfaces: usize = load<u32>(body + BODY_SURFACE_VELOCITIES);
  let support = splat4(0);
  let pressed: f32 = 0;
  let fastest: f32 = 0;
  let count: i32 = 0;
  for (let run = chunk * CHUNK; run < end; run += RUN) {
    if (!anyMarked(colliding + run)) continue;
    const last = min(run + RUN, end);
    for (let i = run; i < last; i++) {
      const mark = load<u8>(colliding + i);
      if (mark == 0) continue;
      count++;
      const k = <usize>i << 4;
      if ((mark & BY_BODY) != 0 && !again) finishTouching(body, k);
      if ((mark & BY_OBSTACLE) == 0) continue;
      const normal = v128.load(contacts + k);
      support = madd4(v128.load32_splat(masses + (k >> 2)), normal, support);
      pressed += load<f32>(masses + (k >> 2));
      const surface = v128.load(surfaces + k);
      const square = dot3(surface, surface);
      if (!(-dot3(surface, normal) > LEAVING * sqrt(square))) fastest = max(fastest, square);
    }
  }
  putPartial(body, chunk, SUM_CONTACTS, count);
  putVector(body, chunk, SUM_SUPPORT, support);
  putPartial(body, chunk, SUM_PRESSED, pressed);
  putPartial(body, chunk, MAX_PRESSING, fastest);
}

/** Whether a particle of a run has a mark. */
// @ts-ignore: decorator
@inline function anyMarked(marks: usize): boolean {
  let any = v128.load(marks);
  for (let n: usize = 16; n < <usize>RUN; n += 16) any = v128.or(any, v128.load(marks + n));
  return v128.any_true(any);
}

export function collideChunk(body: usize, chunk: i32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const colliders: usize = load<u32>(world + WORLD_COLLIDERS);
  const count: i32 = load<i32>(world + WORLD_COLLIDER_COUNT);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  // Of particles that collide, up to which pass; nobody needs who is held yet.
  const passes: usize = load<u32>(body + BODY_HELD);
  const first = chunk * CHUNK;
  const box = <usize>load<u32>(body + BODY_CHUNK_BOXES) + (<usize>chunk << 6);
  clearReactions(body, chunk);
  let again = true;
  for (let pass = 0; pass < CONTACT_PASSES && again; pass++) {
    again = false;
    for (let n = 0; n < count; n++) {
      const collider = colliders + <usize>(n * COLLIDER_BYTES);
      if (!mayMeet(collider, body)) continue;
      aim(collider, body);
      takeBounds(v128.load(box), v128.load(box, 16), f32x4.pmax(f32x4.abs(v128.load(box, 32)), f32x4.abs(v128.load(box, 48))));
      if (!mayTouch(1, true)) continue;
      for (let run = first; run < end; run += RUN) {
        // After the first pass only those can be inside that an obstacle has moved in the pass before.
        if (pass > 0 && !anyMarked(colliding + run)) continue;
        const last = min(run + RUN, end);
        takeRunBox(runBox(body, run));
        if (!mayTouch(1, true)) continue;
        const sweeping = pass == 0 && sweeps;
        const waysTell = sweeping && seesClearWays();
        for (let four = run; four < last; four += 4) {
          const points = positions + (<usize>four << 4);
          let clear = 0;
          if (!sweeping) clear = fourAreClear(points, pass > 0);
          else if (waysTell) clear = clearWaysOfFour(starts + (<usize>four << 4), points);
          // On the surface all four have to be: there single ones are told apart by their distance.
          if (pass > 0 && clear != 15) clear = 0;
          for (let left = ~clear & ((1 << min(4, last - four)) - 1); left != 0; left &= left - 1) {
            const i = four + ctz(left);
            if (load<u8>(pinned + i) != 0 || (pass > 0 && (load<u8>(colliding + i) == 0 || load<u8>(passes + i) < <u8>pass))) continue;
            const before = v128.load(velocities + (<usize>i << 4));
            // What was set down on a surface is found a rounding inside it again.
            if (!resolveParticle(body, i, timeStep, sweeping, pass > 0 ? setDepth : 0)) continue;
            again = true;
            store<u8>(passes + i, <u8>(pass + 1));
            addReaction(body, chunk, n, i, before);
            extendBounds(box, runBox(body, run), v128.load(starts + (<usize>i << 4)), v128.load(positions + (<usize>i << 4)));
          }
        }
      }
    }
  }
}

/** Obstacles for particles that touch nothing yet, without looking along their ways: they have gone back a little only. */
export function collideFree(body: usize, chunk: i32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const marks: usize = load<u32>(body + BODY_HELD);
  const colliders: usize = load<u32>(world + WORLD_COLLIDERS);
  const count: i32 = load<i32>(world + WORLD_COLLIDER_COUNT);
  for (let i = chunk * CHUNK; i < end; i++) store<u8>(marks + i, load<u8>(pinned + i) | load<u8>(colliding + i));
  let again = true;
  for (let pass = 0; pass < CONTACT_PASSES && again; pass++) {
    again = false;
    for (let n = 0; n < count; n++) {
      const collider = colliders + <usize>(n * COLLIDER_BYTES);
      if (!mayMeet(collider, body)) continue;
      aim(collider, body);
      for (let i = chunk * CHUNK; i < end; i++) {
        if (load<u8>(marks + i) != 0) continue;
        const before = v128.load(velocities + (<usize>i << 4));
        if (!resolveParticle(body, i, timeStep, false, pass > 0 ? setDepth : 0)) continue;
        again = true;
        addReaction(body, chunk, n, i, before);
      }
    }
  }
}

// @ts-ignore: decorator
@inline function fourAreClear(points: usize, set: boolean): i32 {
  return clearOfFour(v128.load(points), v128.load(points, 16), v128.load(points, 32), v128.load(points, 48), set);
}
