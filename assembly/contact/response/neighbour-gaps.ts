// What contacts with other bodies mean for one of them: which of its particles touch what, and how far others may still
// move. Mirrors src/contact/response/neighbour-gaps.ts; a body reads the contacts of its pairs where they are.

import * as tuning from '../../../src/contact/response/tuning';
import * as obstacleTuning from '../../../src/contact/obstacles/tuning';
import {
  BODY_CANDIDATES, BODY_CHANGES, BODY_COLLIDING, BODY_COUNT, BODY_CROSSED, BODY_HELD, BODY_OWNER, BODY_PAIR_COUNT, BODY_PAIRS, BODY_PINNED,
  BODY_POSITIONS, BODY_SHIFT, BODY_STARTS, BODY_TOUCH_NORMALS, BODY_TOUCH_VELOCITIES, BODY_TOUCHED, BODY_VELOCITIES, BY_BODY, CHUNK,
  COLLIDER_BYTES, CONTACT_BYTES, PAIR_A, PAIR_B, PAIR_CONTACTS, PAIR_COUNT_A, PAIR_COUNT_B, PAIR_COUNT_EDGES,
  WORLD_COLLIDER_COUNT, WORLD_COLLIDERS,
} from '../../layout';
import { add4, div4, dot3, madd4, mul4, splat4, sub4, w4 } from '../../simd/lanes';
import { world } from '../../threads';
import { beginCandidates, particleList } from '../narrow-phase/candidates';
import { aim, clearOfFour, mayMeet, setDepth } from '../obstacles/collider';
import { NORMAL, PARTICLES, PRESSURE, SHIFT, SLACK, THICKNESS, WEIGHTS } from './feature-contacts';
import { mayTouch, resolveParticle, sweeps, takeBounds } from '../obstacles/obstacle-contact';
import { isAsleep } from '../soft/separation';
import { addReaction } from '../obstacles/reactions';
import { across } from './response';

/** A corner with less weight than this is not held by a contact: the others are. */
const HELD_WEIGHT: f32 = <f32>tuning.HELD_WEIGHT;
/** Of particles that others press from all sides, what is left of the mean normal is no direction. */
const NO_DIRECTION: f32 = <f32>tuning.NO_DIRECTION;
/** Gap at which bodies touch, in thicknesses: contacts that were resolved lie at 1 but for rounding. */
const TOUCHING: f32 = 1.001;
/** Most passes over all obstacles. */
const PASSES: i32 = <i32>obstacleTuning.PASSES;
/** Mark of particles that a round of the volume correction has held. */
export const NEWLY_HELD: u8 = 4;

// @ts-ignore: decorator
@inline export function pairOf(body: usize, n: u32): usize {
  return load<u32>(<usize>load<u32>(body + BODY_PAIRS) + (<usize>n << 2));
}

/** Obstacles have the last word: particles that other bodies have moved are resolved against them once more. */
export function touchAgain(body: usize, thread: i32, timeStep: f32): void {
  const colliderCount: i32 = load<i32>(world + WORLD_COLLIDER_COUNT);
  if (colliderCount == 0 || isAsleep(body)) return;
  const list = listMoved(body, thread);
  const count = load<i32>(list);
  if (count == 0) return;
  const colliders: usize = load<u32>(world + WORLD_COLLIDERS);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  // The marks of those that are listed: one more than the pass up to which they are looked at.
  const passes: usize = load<u32>(body + BODY_HELD);
  let low = splat4(Infinity);
  let high = splat4(-Infinity);
  let far = splat4(0);
  for (let n = 1; n <= count; n++) {
    const k = <usize>load<u32>(list + (<usize>n << 2)) << 4;
    const start = v128.load(starts + k);
    const end = v128.load(positions + k);
    low = f32x4.pmin(low, f32x4.pmin(start, end));
    high = f32x4.pmax(high, f32x4.pmax(start, end));
    far = f32x4.pmax(far, f32x4.abs(sub4(end, start)));
  }
  let found = false;
  let again = true;
  for (let pass = 0; pass < PASSES && again; pass++) {
    again = false;
    for (let c = 0; c < colliderCount; c++) {
      const collider = colliders + <usize>(c * COLLIDER_BYTES);
      if (!mayMeet(collider, body)) continue;
      aim(collider, body);
      takeBounds(low, high, far);
      const touches = mayTouch(1, true);
      // A particle that an obstacle has moved may be out of the bounds.
      if (!touches && !found) continue;
      const sweeping = pass == 0 && (found || sweeps);
      for (let n = 1; n <= count; n++) {
        const at = list + (<usize>n << 2);
        if (!sweeping && (n & 3) == 1 && n + 3 <= count && fourAreClear(positions, at, pass > 0)) {
          n += 3;
          continue;
        }
        const i: i32 = load<i32>(at);
        // After the first pass only those can be inside that an obstacle has moved in the pass before.
        if (load<u8>(pinned + i) != 0 || load<u8>(passes + i) <= <u8>pass) continue;
        const before = v128.load(velocities + (<usize>i << 4));
        if (!resolveParticle(body, i, timeStep, sweeping, pass > 0 ? setDepth : 0)) continue;
        found = true;
        again = true;
        store<u8>(passes + i, <u8>(pass + 2));
        addReaction(body, i / CHUNK, c, i, before);
      }
    }
  }
}

/** Whether four particles of a list are clear of the obstacle aimed at. */
// @ts-ignore: decorator
@inline function fourAreClear(positions: usize, list: usize, set: boolean): boolean {
  return clearOfFour(
    v128.load(positions + (<usize>load<u32>(list) << 4)), v128.load(positions + (<usize>load<u32>(list, 4) << 4)),
    v128.load(positions + (<usize>load<u32>(list, 8) << 4)), v128.load(positions + (<usize>load<u32>(list, 12) << 4)),
    set,
  ) == 15;
}

/** Lists each particle of the body's contacts once, after their number, in the thread's working memory. */
function listMoved(body: usize, thread: i32): usize {
  beginCandidates(thread);
  const list = particleList(0);
  const marks: usize = load<u32>(body + BODY_HELD);
  const pairs: u32 = load<u32>(body + BODY_PAIR_COUNT);
  memory.fill(marks, 0, load<u32>(body + BODY_COUNT));
  let count = 0;
  for (let n: u32 = 0; n < pairs; n++) {
    const pair = pairOf(body, n);
    const isA = load<u32>(pair + PAIR_A) == <u32>body;
    const isB = load<u32>(pair + PAIR_B) == <u32>body;
    const first: usize = load<u32>(pair + PAIR_CONTACTS);
    const middle = first + <usize>load<u32>(pair + PAIR_COUNT_A) * CONTACT_BYTES;
    const last = middle + <usize>load<u32>(pair + PAIR_COUNT_B) * CONTACT_BYTES;
    const stop = last + <usize>load<u32>(pair + PAIR_COUNT_EDGES) * CONTACT_BYTES;
    for (let contact = first; contact < stop; contact += CONTACT_BYTES) {
      const split: usize = contact < last ? 4 : 8;
      const isSecond = contact >= middle && contact < last;
      const end: usize = (isSecond ? isA : isB) ? 16 : split;
      for (let c: usize = (isSecond ? isB : isA) ? 0 : split; c < end; c += 4) {
        const i: usize = <usize>load<u32>(contact + PARTICLES + c) >> 4;
        if (load<u8>(marks + i) != 0) continue;
        store<u8>(marks + i, 1);
        count++;
        store<i32>(list + (<usize>count << 2), <i32>i);
      }
    }
  }
  store<i32>(list, count);
  return list;
}

/** What is left of the gap of each contact of a pair, for the bodies' corrections. */
export function measureGaps(pair: usize): void {
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  const first: usize = load<u32>(pair + PAIR_CONTACTS);
  const middle = first + <usize>load<u32>(pair + PAIR_COUNT_A) * CONTACT_BYTES;
  const last = middle + <usize>load<u32>(pair + PAIR_COUNT_B) * CONTACT_BYTES;
  const stop = last + <usize>load<u32>(pair + PAIR_COUNT_EDGES) * CONTACT_BYTES;
  const crossed: usize = load<u32>(a + BODY_CROSSED);
  const positionsA: usize = load<u32>(a + BODY_POSITIONS);
  const positionsB: usize = load<u32>(b + BODY_POSITIONS);
  for (let contact = first; contact < stop; contact += CONTACT_BYTES) {
    const isSecond = contact >= middle && contact < last;
    const own = isSecond ? positionsB : positionsA;
    const other = isSecond ? positionsA : positionsB;
    const sum = across(contact, own, contact < last ? other : own, other);
    const gap = dot3(v128.load(contact + NORMAL), sum) + load<f32>(contact + SHIFT);
    store<f32>(contact + SLACK, gap - load<f32>(contact + THICKNESS));
    if (a == b && gap < 0 && contact < last) store<u8>(crossed + (<usize>load<u32>(contact + PARTICLES) >> 4), 1);
  }
}

/** Marks the particles of a body that touch others, with the mean normal, friction and velocity of what they touch. */
export function markTouching(body: usize): void {
  const pairs: u32 = load<u32>(body + BODY_PAIR_COUNT);
  let touched: u32 = 0;
  for (let n: u32 = 0; n < pairs; n++) {
    const pair = pairOf(body, n);
    const isA = load<u32>(pair + PAIR_A) == <u32>body;
    const isB = load<u32>(pair + PAIR_B) == <u32>body;
    const other: usize = load<u32>(pair + (isA ? PAIR_B : PAIR_A));
    const velocities: usize = isAsleep(other) ? 0 : load<u32>(other + BODY_VELOCITIES);
    const first: usize = load<u32>(pair + PAIR_CONTACTS);
    const middle = first + <usize>load<u32>(pair + PAIR_COUNT_A) * CONTACT_BYTES;
    const last = middle + <usize>load<u32>(pair + PAIR_COUNT_B) * CONTACT_BYTES;
    const stop = last + <usize>load<u32>(pair + PAIR_COUNT_EDGES) * CONTACT_BYTES;
    for (let contact = first; contact < stop; contact += CONTACT_BYTES) {
      const slack = load<f32>(contact + SLACK);
      const thickness = load<f32>(contact + THICKNESS);
      if (load<f32>(contact + PRESSURE) == 0 && slack + thickness > TOUCHING * thickness) continue;
      const split: usize = contact < last ? 4 : 8;
      const isSecond = contact >= middle && contact < last;
      if (isSecond ? isB : isA) touched |= touchSide(body, contact, 0, split, velocityOf(velocities, contact, split, 16));
      if (isSecond ? isA : isB) touched |= touchSide(body, contact, split, 16, velocityOf(velocities, contact, 0, split));
    }
  }
  store<u32>(body + BODY_TOUCHED, touched);
}

/** Velocity of one side of a contact, the bytes of whose particles are `from` to `to`: its vertex, its corners or an edge. */
// @ts-ignore: decorator
@inline function velocityOf(velocities: usize, contact: usize, from: usize, to: usize): v128 {
  let sum = splat4(0);
  // Of a body that sleeps.
  if (velocities == 0) return sum;
  for (let c = from; c < to; c += 4) {
    const weight = splat4(abs(load<f32>(contact + WEIGHTS + c)));
    sum = madd4(weight, v128.load(velocities + <usize>load<u32>(contact + PARTICLES + c)), sum);
  }
  return sum;
}

/** Adds a contact to the particles of one of its sides, as far as it holds them; 1 if it holds one, else 0. */
function touchSide(body: usize, contact: usize, from: usize, to: usize, velocity: v128): u32 {
  const marks: usize = load<u32>(body + BODY_COLLIDING);
  const touchNormals: usize = load<u32>(body + BODY_TOUCH_NORMALS);
  const touchVelocities: usize = load<u32>(body + BODY_TOUCH_VELOCITIES);
  const normal = v128.load(contact + NORMAL);
  let touched: u32 = 0;
  for (let c = from; c < to; c += 4) {
    const weight = load<f32>(contact + WEIGHTS + c);
    const share = abs(weight);
    if (share < HELD_WEIGHT) continue;
    touched = 1;
    const k: usize = load<u32>(contact + PARTICLES + c);
    const mark = load<u8>(marks + (k >> 4));
    const normals = touchNormals + k;
    const velocities = touchVelocities + k;
    const addedNormal = mul4(f32x4.replace_lane(splat4(weight), 3, share), normal);
    const addedVelocity = f32x4.replace_lane(mul4(splat4(share), velocity), 3, share);
    if ((mark & BY_BODY) == 0) {
      store<u8>(marks + (k >> 4), mark | BY_BODY);
      v128.store(normals, addedNormal);
      v128.store(velocities, addedVelocity);
    } else {
      v128.store(normals, add4(v128.load(normals), addedNormal));
      v128.store(velocities, add4(v128.load(velocities), addedVelocity));
    }
  }
  return touched;
}

/** Sums to means, for one particle that touches other bodies. */
export function finishTouching(body: usize, k: usize): void {
  const normals = <usize>load<u32>(body + BODY_TOUCH_NORMALS) + k;
  const velocities = <usize>load<u32>(body + BODY_TOUCH_VELOCITIES) + k;
  const sum = v128.load(normals);
  const velocity = v128.load(velocities);
  const share = w4(velocity);
  const length = sqrt(dot3(sum, sum));
  const scale: f32 = length > NO_DIRECTION * share ? <f32>1 / length : 0;
  v128.store(normals, f32x4.replace_lane(mul4(splat4(scale), sum), 3, w4(sum) / share));
  v128.store(velocities, f32x4.replace_lane(div4(velocity, splat4(share)), 3, 0));
}

/**
 * Holds the particles `from` … `to` − 1 of a body or a part that their way from the positions to the candidates, and `ahead` of it further,
 * would carry too near to another body; they know how far they fit. Returns how many.
 */
export function forbidTouching(body: usize, from: i32, to: i32, tolerance: f32, ahead: f32): f64 {
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const candidates: usize = load<u32>(body + BODY_CANDIDATES);
  const held: usize = load<u32>(body + BODY_HELD);
  const fits: usize = load<u32>(body + BODY_CHANGES);
  const pairs: u32 = load<u32>(body + BODY_PAIR_COUNT);
  const owner: u32 = load<u32>(body + BODY_OWNER);
  const shift: usize = load<u32>(body + BODY_SHIFT);
  const bytes = <usize>load<u32>(body + BODY_COUNT) << 4;
  let marked: f64 = 0;
  for (let n: u32 = 0; n < pairs; n++) {
    const pair = pairOf(body, n);
    const isA = load<u32>(pair + PAIR_A) == owner;
    const isB = load<u32>(pair + PAIR_B) == owner;
    // Bodies and parts move on their own: each may take half of what is left.
    const part: f32 = isA && isB && owner == <u32>body ? 1 : 0.5;
    const first: usize = load<u32>(pair + PAIR_CONTACTS);
    const middle = first + <usize>load<u32>(pair + PAIR_COUNT_A) * CONTACT_BYTES;
    const last = middle + <usize>load<u32>(pair + PAIR_COUNT_B) * CONTACT_BYTES;
    const stop = last + <usize>load<u32>(pair + PAIR_COUNT_EDGES) * CONTACT_BYTES;
    for (let contact = first; contact < stop; contact += CONTACT_BYTES) {
      const split: usize = contact < last ? 4 : 8;
      const isSecond = contact >= middle && contact < last;
      const begin: usize = (isSecond ? isB : isA) ? 0 : split;
      const end: usize = (isSecond ? isA : isB) ? 16 : split;
      const normal = v128.load(contact + NORMAL);
      let approach: f32 = 0;
      for (let c = begin; c < end; c += 4) {
        // Below a part's first particle the difference wraps around: what is another part's is beyond its bytes either way.
        const k = <usize>load<u32>(contact + PARTICLES + c) - shift;
        if (k < bytes) approach -= advance(contact, c, k, normal, positions, candidates);
      }
      const slack = part * max<f32>(0, load<f32>(contact + SLACK));
      if (!((<f32>1 + ahead) * approach > slack + tolerance)) continue;
      const fit = min<f32>(1, slack / approach);
      for (let c = begin; c < end; c += 4) {
        const k = <usize>load<u32>(contact + PARTICLES + c) - shift;
        const i = <i32>(k >> 4);
        if (k >= bytes || i < from || i >= to || advance(contact, c, k, normal, positions, candidates) >= 0) continue;
        const mark = load<u8>(held + i);
        const at = fits + (<usize>i << 2);
        // Of several contacts the one that lets it go least far counts.
        if (mark == NEWLY_HELD) store<f32>(at, min(load<f32>(at), fit));
        if (mark != 0) continue;
        store<u8>(held + i, NEWLY_HELD);
        store<f32>(at, fit);
        marked += 1;
      }
    }
  }
  return marked;
}

/** How far a particle of a contact, at byte k, moves from its position to its candidate, along the normal, by its weight [m]. */
// @ts-ignore: decorator
@inline function advance(contact: usize, c: usize, k: usize, normal: v128, positions: usize, candidates: usize): f32 {
  return load<f32>(contact + WEIGHTS + c) * dot3(normal, sub4(v128.load(candidates + k), v128.load(positions + k)));
}
