// The second half of the volume constraint: velocities to zero flux. Mirrors conserveVelocities of
// src/solvers/volume/volume-constraint.ts, but free particles, whose flux is a line, are summed once, and only those in
// contact again in every round.

import {
  BODY_CANDIDATES, BODY_COLLIDING, BODY_CONTACT_NORMALS, BODY_DIRECTION, BODY_FLAGS, BODY_MEAN_AREA, BODY_NORMALS,
  BODY_POSITIONS, BODY_SHARES, BODY_SURFACE_VELOCITIES, BODY_TOUCH_NORMALS, BODY_TOUCH_VELOCITIES, BODY_VELOCITIES,
  BY_BODY, BY_OBSTACLE, CHUNK, FLAG_PINS,
} from '../../layout';
import { stopApproach } from '../../contact/obstacle-contact';
import { dot3, madd4, splat4 } from '../../simd/lanes';
import { sync } from '../../world/threads';
import { findRestoring, getPartial, putPartial, reduce } from '../rigid-motion';
import { restored } from '../surface/damping';
import { chunkEnd } from '../surface/moments';
import { findDirection, SUM_GAIN, sumDirection, writeDirection } from './direction';
import { evenWeights, SMOOTHING_PASSES, smoothWeights, SUM_COLLIDING, writeEvenOutward } from './weights';

/** Partial sums of the accepted positions: Σ m x (3), Σ m xxᵀ (6); change of momentum by their correction (6). */
export const SUM_POSITIONS = 48;
export const SUM_CHANGE = 57;
/** Partial sums of the flux: of free particles; of those in contact, two places that take turns; the size of all terms. */
const SUM_FREE_FLUX = 64;
const SUM_CONTACT_FLUX = 65;
const SUM_FLUX_SIZE = 67;
/** Number of a chunk's particles in contact, which stand in the place of its shares: nobody needs those any more. */
const LISTED = 68;
const BODY_LISTED = BODY_SHARES;

const FLUX_ROUNDS: i32 = 20;
/** Flux relative to the size of its terms that counts as none in single precision. */
const FLUX_REACHED: f64 = 1e-7;
/** Share of the velocity correction's effect that free particles must have. */
const FREE_GAIN: f64 = 0.5;

/**
 * Velocities to zero flux by secants over what obstacles let pass, see the reference. `normalsKnown`: those of the
 * positions. Two places for the sums of a round take turns, as it has one barrier.
 */
export function conserveVelocities(body: usize, from: i32, to: i32, threads: i32, normalsKnown: boolean): void {
  const even = <f32>load<f64>(body + BODY_MEAN_AREA);
  for (let c = from; c < to; c++) {
    writeEvenOutward(body, c, even, normalsKnown);
    sumDirection(body, c, 1);
  }
  sync(threads);
  findRestoring(body, SUM_POSITIONS, SUM_CHANGE);
  if (!findDirection(body)) return;
  const restoring = (load<u32>(body + BODY_FLAGS) & FLAG_PINS) == 0;
  for (let c = from; c < to; c++) {
    writeDirection(body, c, 1, false, false);
    if (restoring) restoreChunk(body, c);
    sumFlux(body, c);
  }
  sync(threads);
  const touching = reduce(body, SUM_COLLIDING) > 0;
  let gain = reduce(body, SUM_GAIN);
  let freeGain = reduce(body, SUM_GAIN + 1);
  const missing = FREE_GAIN * gain - freeGain;
  if (missing > 0 && touching) {
    const added = addFreeDirection(body, from, to, threads, missing);
    gain += added;
    freeGain += added;
  }
  const freeFlux = reduce(body, SUM_FREE_FLUX);
  let flux = freeFlux + reduce(body, SUM_CONTACT_FLUX);
  let best: f64 = 0;
  if (gain > 0 && !touching) best = -flux / gain;
  else if (gain > 0) {
    const small = FLUX_REACHED * reduce(body, SUM_FLUX_SIZE);
    let mu: f64 = 0;
    let bestFlux = abs(flux);
    let next = -flux / gain;
    for (let round = 1; round <= FLUX_ROUNDS && bestFlux > small; round++) {
      const place = SUM_CONTACT_FLUX + (round & 1);
      for (let c = from; c < to; c++) sumContactFlux(body, c, <f32>next, place);
      sync(threads);
      const nextFlux = freeFlux + next * freeGain + reduce(body, place);
      if (abs(nextFlux) < bestFlux) {
        best = next;
        bestFlux = abs(nextFlux);
      }
      const slope = (nextFlux - flux) / (next - mu);
      mu = next;
      flux = nextFlux;
      next = mu - flux / (slope > 0 ? slope : gain);
      if (<f32>next == <f32>mu) break;
    }
  }
  for (let c = from; c < to; c++) addVelocities(body, c, <f32>best);
}

/**
 * Where local weights gather at the contact, free particles share evenly in what is missing, see the reference. Returns
 * the gain that this adds.
 */
function addFreeDirection(body: usize, from: i32, to: i32, threads: i32, missing: f64): f64 {
  for (let c = from; c < to; c++) evenWeights(body, c);
  sync(threads);
  for (let pass = 0; pass < SMOOTHING_PASSES; pass++) {
    for (let c = from; c < to; c++) smoothWeights(body, c, pass);
    sync(threads);
  }
  for (let c = from; c < to; c++) sumDirection(body, c, 0);
  sync(threads);
  if (!findDirection(body)) return 0;
  for (let c = from; c < to; c++) writeDirection(body, c, 0, false, false, BODY_CANDIDATES);
  sync(threads);
  const free = reduce(body, SUM_GAIN);
  if (!(free > 0)) return 0;
  const share = splat4(<f32>(missing / free));
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  const candidates: usize = load<u32>(body + BODY_CANDIDATES);
  const end = chunkEnd(body, to - 1);
  for (let i = from * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    v128.store(direction + k, madd4(share, v128.load(candidates + k), v128.load(direction + k)));
  }
  return missing;
}

/** Restores the angular momentum that moving the positions changed. */
function restoreChunk(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    v128.store(velocities + k, restored(v128.load(velocities + k), v128.load(positions + k)));
  }
}

/** Flux of the velocities that obstacles let pass, and the size of its terms; lists the particles in contact. */
function sumFlux(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const listed = <usize>load<u32>(body + BODY_LISTED) + (<usize>(chunk * CHUNK) << 2);
  let count: usize = 0;
  let free: f64 = 0;
  let size: f64 = 0;
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    if (load<u8>(colliding + i) != 0) {
      store<u32>(listed + (count++ << 2), <u32>i);
      continue;
    }
    const term = dot3(v128.load(velocities + k), v128.load(normals + k));
    free += term;
    size += abs(term);
  }
  putPartial(body, chunk, LISTED, <f64>count);
  putPartial(body, chunk, SUM_FREE_FLUX, free);
  putPartial(body, chunk, SUM_FLUX_SIZE, size + sumContactFlux(body, chunk, 0, SUM_CONTACT_FLUX));
}

/** Flux of v + μ·d of a chunk's particles in contact; returns the size of its terms. */
function sumContactFlux(body: usize, chunk: i32, mu: f32, place: i32): f64 {
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const contacts: usize = load<u32>(body + BODY_CONTACT_NORMALS);
  const surfaces: usize = load<u32>(body + BODY_SURFACE_VELOCITIES);
  const touchNormals: usize = load<u32>(body + BODY_TOUCH_NORMALS);
  const touchVelocities: usize = load<u32>(body + BODY_TOUCH_VELOCITIES);
  const first = <usize>load<u32>(body + BODY_LISTED) + (<usize>(chunk * CHUNK) << 2);
  const end = first + (<usize>getPartial(body, chunk, LISTED) << 2);
  const mu4 = splat4(mu);
  let flux: f64 = 0;
  let size: f64 = 0;
  for (let at = first; at < end; at += 4) {
    const i: usize = load<u32>(at);
    const k = i << 4;
    let v = madd4(mu4, v128.load(direction + k), v128.load(velocities + k));
    const mark = load<u8>(colliding + i);
    if ((mark & BY_BODY) != 0) v = stopApproach(v, v128.load(touchNormals + k), v128.load(touchVelocities + k));
    if ((mark & BY_OBSTACLE) != 0) v = stopApproach(v, v128.load(contacts + k), v128.load(surfaces + k));
    const term = dot3(v, v128.load(normals + k));
    flux += term;
    size += abs(term);
  }
  putPartial(body, chunk, place, flux);
  return size;
}

function addVelocities(body: usize, chunk: i32, mu: f32): void {
  const end = chunkEnd(body, chunk);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  const mu4 = splat4(mu);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    v128.store(velocities + k, madd4(mu4, v128.load(direction + k), v128.load(velocities + k)));
  }
}
