// The second half of the volume constraint: velocities to zero flux. Mirrors conserveVelocities of
// src/solvers/volume/volume-constraint.ts, but free particles, whose flux is a line, are summed once, and only those in
// contact again in every round.

import * as tuning from '../../../src/solvers/volume/tuning';
import {
  BODY_CANDIDATES, BODY_COLLIDING, BODY_CONTACT_NORMALS, BODY_DIRECTION, BODY_FLAGS, BODY_MEAN_AREA, BODY_NORMALS, BODY_OUTWARD,
  BODY_POSITIONS, BODY_SHARES, BODY_SURFACE_VELOCITIES, BODY_TOUCH_NORMALS, BODY_TOUCH_VELOCITIES, BODY_VELOCITIES, BODY_WEIGHTS_SCRATCH,
  BY_BODY, BY_OBSTACLE, CHUNK, FLAG_PINS, LIST_DOUBLE, LIST_SINGLE, SUM_CHANGE, SUM_COLLIDING, SUM_CONTACT_FLUX, SUM_FLUX_SIZE,
  SUM_FREE_FLUX, SUM_GAIN, SUM_POSITIONS,
} from '../../layout';
import { stopApproach } from '../../contact/obstacles/obstacle-contact';
import {
  add4, addWide, column3, div4, dot3, dots4, madd4, mul4, splat4, sub4, sums4, sumWide,
} from '../../simd/lanes';
import { sync } from '../../threads';
import { addPartial, findRestoring, getPartial, putPartial, reduce, restored } from '../rigid-motion';
import { chunkEnd } from '../sums';
import { findDirection, sumDirection, writeDirection } from './direction';
import { writeEvenOutward } from './outward';
import { evenWeights, SMOOTHING_PASSES, smoothWeights, unmarked } from './weights';

const FLUX_ROUNDS: i32 = <i32>tuning.FLUX_ROUNDS;
/** Flux relative to the size of its terms that counts as none in single precision. */
const FLUX_REACHED: f64 = 1e-7;
/** Share of the velocity correction's effect that free particles must have. */
const FREE_GAIN: f64 = <f64>tuning.FREE_GAIN;

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
  if (!findDirection(body, false)) return;
  const restoring = (load<u32>(body + BODY_FLAGS) & FLAG_PINS) == 0;
  for (let c = from; c < to; c++) {
    writeDirection(body, c, 1, false, false);
    if (restoring) restoreChunk(body, c);
    sumFreeFlux(body, c);
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
  let best: f64 = 0;
  if (gain > 0 && !touching) best = -freeFlux / gain;
  else if (gain > 0) {
    for (let c = from; c < to; c++) {
      writeContactFlux(body, c);
      addPartial(body, c, SUM_FLUX_SIZE, sumContactFlux(body, c, 0, SUM_CONTACT_FLUX));
    }
    sync(threads);
    let flux = freeFlux + reduce(body, SUM_CONTACT_FLUX);
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
  if (!findDirection(body, true)) return 0;
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

/** Restores the angular momentum that moving the positions changed; none to restore under pins. */
function restoreChunk(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    v128.store(velocities + k, restored(v128.load(velocities + k), v128.load(positions + k)));
  }
}

/**
 * Flux of a chunk's particles that touch nothing, and the size of its terms; lists those in contact: with one thing from the
 * front of the list, with bodies and obstacles at once from its back.
 */
function sumFreeFlux(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const listed = listOf(body, chunk);
  let single = listed;
  let double = listed + (<usize>(end - chunk * CHUNK) << 2);
  let flux = f64x2.splat(0);
  let size = f64x2.splat(0);
  for (let i = chunk * CHUNK; i < end; i += 4) {
    const k = <usize>i << 4;
    let terms = dots4(velocities + k, splat4(0), normals + k);
    const marks = load<u32>(colliding + i);
    if (marks != 0) {
      terms = v128.and(unmarked(marks), terms);
      for (let n = i; n < i + 4; n++) {
        const mark = load<u8>(colliding + n);
        if (mark == (BY_BODY | BY_OBSTACLE)) {
          double -= 4;
          store<u32>(double, <u32>n);
        } else if (mark != 0) {
          store<u32>(single, <u32>n);
          single += 4;
        }
      }
    }
    flux = addWide(flux, terms);
    size = addWide(size, f32x4.abs(terms));
  }
  putPartial(body, chunk, LIST_SINGLE, <f64>(single - listed));
  putPartial(body, chunk, LIST_DOUBLE, <f64>(double - listed));
  putPartial(body, chunk, SUM_FREE_FLUX, sumWide(flux));
  putPartial(body, chunk, SUM_FLUX_SIZE, sumWide(size));
}

/** A chunk's list of particles in contact, which stands in the place of its shares: nobody needs those any more. */
// @ts-ignore: decorator
@inline function listOf(body: usize, chunk: i32): usize {
  return <usize>load<u32>(body + BODY_SHARES) + (<usize>(chunk * CHUNK) << 2);
}

// What the flux of particles in contact depends on, as functions of μ: u = v + μd − s, s the velocity of what is touched and
// m its normal. Four particles side by side, in the places of candidates, outward directions and weights.
/** u·m at μ = 0, and its slope d·m; u·n̄ and d·n̄. */
const BODY_APPROACHES = BODY_CANDIDATES;
/** u·u = q₀ + q₁μ + q₂μ²; m·n̄. */
const BODY_SQUARES = BODY_OUTWARD;
/** s·n̄; friction. */
const BODY_SURFACES = BODY_WEIGHTS_SCRATCH;

/** Writes what the flux of a chunk's particles in contact with one thing depends on; four that are not full have no flux. */
function writeContactFlux(body: usize, chunk: i32): void {
  const listed = listOf(body, chunk);
  const end = listed + <usize>getPartial(body, chunk, LIST_SINGLE);
  const place = <usize>(chunk * CHUNK) << 4;
  const approaches = <usize>load<u32>(body + BODY_APPROACHES) + place;
  const squares = <usize>load<u32>(body + BODY_SQUARES) + place;
  const surfaces = <usize>load<u32>(body + BODY_SURFACES) + place;
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  for (let at = listed; at < end; at += 16) {
    const last = end - 4;
    const i0: usize = load<u32>(at);
    const i1: usize = load<u32>(min(at + 4, last));
    const i2: usize = load<u32>(min(at + 8, last));
    const i3: usize = load<u32>(min(at + 12, last));
    const counts = f32x4.lt(f32x4(0, 4, 8, 12), splat4(<f32>(end - at)));
    const s0 = v128.load(surfaceOf(body, i0));
    const s1 = v128.load(surfaceOf(body, i1));
    const s2 = v128.load(surfaceOf(body, i2));
    const s3 = v128.load(surfaceOf(body, i3));
    const m0 = v128.load(contactOf(body, i0));
    const m1 = v128.load(contactOf(body, i1));
    const m2 = v128.load(contactOf(body, i2));
    const m3 = v128.load(contactOf(body, i3));
    const n0 = v128.load(normals + (i0 << 4));
    const n1 = v128.load(normals + (i1 << 4));
    const n2 = v128.load(normals + (i2 << 4));
    const n3 = v128.load(normals + (i3 << 4));
    const to = (at - listed) << 2;
    v128.store(surfaces + to, v128.and(counts, sums4(mul4(s0, n0), mul4(s1, n1), mul4(s2, n2), mul4(s3, n3))));
    v128.store(surfaces + to, column3(m0, m1, m2, m3), 16);
    v128.store(squares + to, sums4(mul4(m0, n0), mul4(m1, n1), mul4(m2, n2), mul4(m3, n3)), 48);
    const u0 = sub4(v128.load(velocities + (i0 << 4)), s0);
    const u1 = sub4(v128.load(velocities + (i1 << 4)), s1);
    const u2 = sub4(v128.load(velocities + (i2 << 4)), s2);
    const u3 = sub4(v128.load(velocities + (i3 << 4)), s3);
    v128.store(approaches + to, v128.and(counts, sums4(mul4(u0, m0), mul4(u1, m1), mul4(u2, m2), mul4(u3, m3))));
    v128.store(approaches + to, v128.and(counts, sums4(mul4(u0, n0), mul4(u1, n1), mul4(u2, n2), mul4(u3, n3))), 32);
    v128.store(squares + to, sums4(mul4(u0, u0), mul4(u1, u1), mul4(u2, u2), mul4(u3, u3)));
    const d0 = v128.load(direction + (i0 << 4));
    const d1 = v128.load(direction + (i1 << 4));
    const d2 = v128.load(direction + (i2 << 4));
    const d3 = v128.load(direction + (i3 << 4));
    v128.store(approaches + to, v128.and(counts, sums4(mul4(d0, m0), mul4(d1, m1), mul4(d2, m2), mul4(d3, m3))), 16);
    v128.store(approaches + to, v128.and(counts, sums4(mul4(d0, n0), mul4(d1, n1), mul4(d2, n2), mul4(d3, n3))), 48);
    const ud = sums4(mul4(u0, d0), mul4(u1, d1), mul4(u2, d2), mul4(u3, d3));
    v128.store(squares + to, add4(ud, ud), 16);
    v128.store(squares + to, sums4(mul4(d0, d0), mul4(d1, d1), mul4(d2, d2), mul4(d3, d3)), 32);
  }
}

/** Normal, and friction after it, of the one thing that a particle touches. */
// @ts-ignore: decorator
@inline function contactOf(body: usize, i: usize): usize {
  const byBody = load<u8>(<usize>load<u32>(body + BODY_COLLIDING) + i) == BY_BODY;
  return <usize>load<u32>(body + (byBody ? BODY_TOUCH_NORMALS : BODY_CONTACT_NORMALS)) + (i << 4);
}

/** Velocity of the one thing that a particle touches. */
// @ts-ignore: decorator
@inline function surfaceOf(body: usize, i: usize): usize {
  const byBody = load<u8>(<usize>load<u32>(body + BODY_COLLIDING) + i) == BY_BODY;
  return <usize>load<u32>(body + (byBody ? BODY_TOUCH_VELOCITIES : BODY_SURFACE_VELOCITIES)) + (i << 4);
}

/** Flux of v + μ·d of a chunk's particles in contact that is let pass, see `stopApproach`; returns the size of its terms. */
function sumContactFlux(body: usize, chunk: i32, mu: f32, place: i32): f64 {
  const count = <usize>getPartial(body, chunk, LIST_SINGLE) << 2;
  const first = <usize>(chunk * CHUNK) << 4;
  const approaches = <usize>load<u32>(body + BODY_APPROACHES) + first;
  const squares = <usize>load<u32>(body + BODY_SQUARES) + first;
  const surfaces = <usize>load<u32>(body + BODY_SURFACES) + first;
  const mu4 = splat4(mu);
  const none = splat4(0);
  let flux = f64x2.splat(0);
  let size = f64x2.splat(0);
  for (let at: usize = 0; at < count; at += 64) {
    const approach = madd4(mu4, v128.load(approaches + at, 16), v128.load(approaches + at));
    const outward = madd4(mu4, v128.load(approaches + at, 48), v128.load(approaches + at, 32));
    const square = madd4(mu4, madd4(mu4, v128.load(squares + at, 32), v128.load(squares + at, 16)), v128.load(squares + at));
    const slip = f32x4.sqrt(f32x4.pmax(none, sub4(square, mul4(approach, approach))));
    const friction = v128.load(surfaces + at, 16);
    // Where there is no slip the share is no number, and all of it is taken.
    const share = f32x4.pmin(splat4(1), div4(mul4(f32x4.neg(friction), approach), slip));
    const braked = v128.and(f32x4.gt(friction, none), share);
    const into = mul4(approach, v128.load(squares + at, 48));
    const taken = add4(into, mul4(braked, sub4(outward, into)));
    const terms = sub4(add4(outward, v128.load(surfaces + at)), v128.and(f32x4.lt(approach, none), taken));
    flux = addWide(flux, terms);
    size = addWide(size, f32x4.abs(terms));
  }
  const doubles = sumDoubleFlux(body, chunk, mu);
  putPartial(body, chunk, place, sumWide(flux) + doubles);
  return sumWide(size) + abs(doubles);
}

/** The same of those few that touch bodies and obstacles at once. */
function sumDoubleFlux(body: usize, chunk: i32, mu: f32): f64 {
  const listed = listOf(body, chunk);
  const end = listed + (<usize>(chunkEnd(body, chunk) - chunk * CHUNK) << 2);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  const contacts: usize = load<u32>(body + BODY_CONTACT_NORMALS);
  const surfaces: usize = load<u32>(body + BODY_SURFACE_VELOCITIES);
  const touchNormals: usize = load<u32>(body + BODY_TOUCH_NORMALS);
  const touchVelocities: usize = load<u32>(body + BODY_TOUCH_VELOCITIES);
  let flux: f64 = 0;
  for (let at = listed + <usize>getPartial(body, chunk, LIST_DOUBLE); at < end; at += 4) {
    const k = <usize>load<u32>(at) << 4;
    let v = madd4(splat4(mu), v128.load(direction + k), v128.load(velocities + k));
    v = stopApproach(v, v128.load(touchNormals + k), v128.load(touchVelocities + k));
    v = stopApproach(v, v128.load(contacts + k), v128.load(surfaces + k));
    flux += dot3(v, v128.load(normals + k));
  }
  return flux;
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
