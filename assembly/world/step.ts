// A step of the world: small bodies whole by one thread each, large ones by all threads together. Either way the same
// arithmetic in the same order: the bits do not depend on the number of threads.
// predict → match → damp → contact → conserve → commit, as in src/backends/reference/stages.ts.

import {
  BODY_CHUNKS, BODY_CHUNK_BOXES, BODY_COLLIDING, BODY_CONTACTS, BODY_CONTACT_NORMALS, BODY_FLAGS, BODY_HELD, BODY_KEPT_VELOCITIES,
  BODY_MASS_SHARES, BODY_MOTION, BODY_NORMALS, BODY_ORDER, BODY_ORIGIN, BODY_PART_COUNT, BODY_PINNED, BODY_PIN_TARGETS, BODY_POSITIONS,
  BODY_SHOWN_POSITIONS, BODY_SHOWN_VELOCITIES, BODY_SIX_VOLUME, BODY_SIZE, BODY_STARTS, BODY_VELOCITIES, BY_BODY, BY_OBSTACLE, CHUNK,
  COLLIDER_BYTES, FLAG_AGAIN, FLAG_ASLEEP, FLAG_HOSTED, FLAG_PINS, FLAG_VOLUME, RUN, SUM_CONTACTS, SUM_MOTION, SUM_STARTS, SUM_SUPPORT,
  WORLD_AGAIN, WORLD_COLLIDERS, WORLD_COLLIDER_COUNT, WORLD_GRAVITY, WORLD_LARGE_COUNT, WORLD_PROFILE, WORLD_SMALL_COUNT, WORLD_THREADS,
  WORLD_TIME_STEP, WORLD_TOUCHING,
} from '../layout';
import { finishTouching } from '../contact/response/body-contacts';
import { bodyAt } from '../contact/broad-phase/body-pairs';
import { aim, areClear, mayMeet } from '../contact/obstacles/collider';
import { sampleSpeed } from '../contact/broad-phase/fast-approach';
import { addReaction, clearReactions } from '../contact/obstacles/reactions';
import { extendRunBox, mayTouch, putRunBox, resolveParticle, runBox, sweeps, takeBounds, takeRunBox } from '../contact/obstacles/obstacle-contact';
import { detectContacts, resolveContacts } from '../contact/soft/soft-contact';
import { add4, div4, dot3, madd4, mul4, splat4, sub4, vector30, x4, y4, z4 } from '../simd/lanes';
import { dampBody, matchBody, predictBody } from '../solvers/move';
import { putPartial, putVector, reduce, restored } from '../solvers/rigid-motion';
import { chunkEnd, notePinChange, putSquares } from '../solvers/sums';
import { conserveParts } from '../solvers/volume/parts';
import { conserve } from '../solvers/volume/volume-constraint';
import { finish, nextOf, passGate, sync, world } from '../threads';

// @ts-ignore: decorator
@external('env', 'now')
declare function now(): f64;

/** Most passes over all obstacles; they end when a pass finds nothing inside. */
const CONTACT_PASSES = 12;

/** Phases in which threads take bodies for themselves; those of contact come after them. */
const MOVING: usize = 0;
const COLLIDING: usize = 4;
const FINISHING: usize = 8;

/** Time [ms] when the current stage began, on the thread that keeps the profile. */
let stageStart: f64 = 0;

function endStage(stage: usize, keeps: boolean): void {
  if (!keeps) return;
  const time = now();
  const at = world + WORLD_PROFILE + (stage << 3);
  store<f64>(at, load<f64>(at) + time - stageStart);
  stageStart = time;
}

/** The parts of a step between which bodies wait for each other. */
const MOVE: i32 = 1;
const COLLIDE: i32 = 2;
const FINISH: i32 = 4;

/** This thread's part of a step; thread 0 keeps the profile. */
export function stepWorld(thread: i32): void {
  const threads: i32 = load<i32>(world + WORLD_THREADS);
  const timeStep = <f32>load<f64>(world + WORLD_TIME_STEP);
  if (thread == 0) stageStart = now();
  if (load<u32>(world + WORLD_AGAIN) != 0) {
    finishAgain(timeStep);
    return;
  }
  if (load<u32>(world + WORLD_TOUCHING) == 0) {
    stepBodies(MOVE | COLLIDE | FINISH, MOVING, thread, threads);
    return;
  }
  stepBodies(MOVE, MOVING, thread, threads);
  detectContacts(thread, threads, timeStep);
  stepBodies(COLLIDE, COLLIDING, thread, threads);
  resolveContacts(thread, threads, timeStep);
  endStage(3, thread == 0);
  stepBodies(FINISH, FINISHING, thread, threads);
}

/** Takes all bodies through parts of the step: large ones together, small ones each by the thread that comes first. */
function stepBodies(parts: i32, phase: usize, thread: i32, threads: i32): void {
  const small: i32 = load<i32>(world + WORLD_SMALL_COUNT);
  const large: i32 = load<i32>(world + WORLD_LARGE_COUNT);
  for (let n = 0; n < large; n++) stepBody(bodyAt(small + n), parts, thread, threads, thread == 0);
  for (let n = nextOf(phase, small, thread, threads); n < small; n = nextOf(phase, small, thread, threads)) {
    stepBody(bodyAt(n), parts, 0, 1, thread == 0);
    finish(phase, small, threads);
  }
  // The end of the step waits for all threads anyway.
  if ((parts & FINISH) == 0) passGate(phase, small, threads);
}

/**
 * Bodies whose particles the host has moved back: obstacles for those that touch nothing, volume, commit. On one thread; what is
 * known of contacts stays.
 */
function finishAgain(timeStep: f32): void {
  const bodies: i32 = load<i32>(world + WORLD_SMALL_COUNT) + load<i32>(world + WORLD_LARGE_COUNT);
  for (let n = 0; n < bodies; n++) {
    const body = bodyAt(n);
    if ((load<u32>(body + BODY_FLAGS) & FLAG_AGAIN) == 0) continue;
    const chunks: i32 = load<i32>(body + BODY_CHUNKS);
    for (let c = 0; c < chunks; c++) collideFree(body, c, timeStep);
    endStage(3, true);
    finishBody(body, 0, chunks, 0, 1, timeStep, true);
  }
}

function stepBody(body: usize, parts: i32, thread: i32, threads: i32, keeps: boolean): void {
  if ((load<u32>(body + BODY_FLAGS) & FLAG_ASLEEP) != 0) return;
  const chunks: i32 = load<i32>(body + BODY_CHUNKS);
  const from = (chunks * thread) / threads;
  const to = (chunks * (thread + 1)) / threads;
  const timeStep = <f32>load<f64>(world + WORLD_TIME_STEP);
  if ((parts & MOVE) != 0) {
    if ((load<u32>(body + BODY_FLAGS) & FLAG_HOSTED) == 0) moveBody(body, from, to, threads, timeStep, keeps);
    else {
      for (let c = from; c < to; c++) boundChunk(body, c);
      endStage(2, keeps);
    }
  }
  if ((parts & COLLIDE) != 0) {
    for (let c = from; c < to; c++) collideChunk(body, c, timeStep);
    if (parts != COLLIDE) {
      sync(threads);
      endStage(3, keeps);
    }
  }
  if ((parts & FINISH) != 0) finishBody(body, from, to, thread, threads, timeStep, keeps);
}

/** predict, match, damp, and x = xⁿ + Δt·v. */
function moveBody(body: usize, from: i32, to: i32, threads: i32, timeStep: f32, keeps: boolean): void {
  const fall = vector30(
    <f32>(load<f64>(world + WORLD_GRAVITY) * load<f64>(world + WORLD_TIME_STEP)),
    <f32>(load<f64>(world + WORLD_GRAVITY, 8) * load<f64>(world + WORLD_TIME_STEP)),
    <f32>(load<f64>(world + WORLD_GRAVITY, 16) * load<f64>(world + WORLD_TIME_STEP)),
  );
  predictBody(body, from, to, threads, timeStep, fall);
  endStage(0, keeps);
  matchBody(body, from, to, threads, timeStep);
  endStage(1, keeps);
  dampBody(body, from, to, threads, timeStep);
  for (let c = from; c < to; c++) moveChunk(body, c, timeStep);
  endStage(2, keeps);
}

/** conserve and commit. */
function finishBody(
  body: usize, from: i32, to: i32, thread: i32, threads: i32, timeStep: f32, keeps: boolean,
): void {
  for (let c = from; c < to; c++) countContacts(body, c);
  let missed: f64 = 0;
  if ((load<u32>(body + BODY_FLAGS) & FLAG_VOLUME) == 0) sync(threads);
  else if (load<u32>(body + BODY_PART_COUNT) == 0) missed = conserve(body, from, to, threads);
  else missed = conserveParts(body, thread, threads);
  endStage(4, keeps);

  const contacts = reduce(body, SUM_CONTACTS);
  for (let c = from; c < to; c++) commitChunk(body, c, timeStep, contacts > 0);
  sync(threads);
  if (thread == 0) endBody(body, missed);
  endStage(5, keeps);
}

/** Counts the particles in contact, sums which way obstacles push them, and finishes what is known of those that touch other bodies. */
function countContacts(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const contacts: usize = load<u32>(body + BODY_CONTACT_NORMALS);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  // Of a body that is finished once more, the means are known.
  const again = (load<u32>(body + BODY_FLAGS) & FLAG_AGAIN) != 0;
  let support = splat4(0);
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
      support = madd4(v128.load32_splat(masses + (k >> 2)), v128.load(contacts + k), support);
    }
  }
  putPartial(body, chunk, SUM_CONTACTS, count);
  putVector(body, chunk, SUM_SUPPORT, support);
}

/** Restores momentum; x = xⁿ + Δt·v; pins to their targets; bounds of the ways. */
function moveChunk(body: usize, chunk: i32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const targets: usize = load<u32>(body + BODY_PIN_TARGETS);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const dt4 = splat4(timeStep);
  let low = splat4(Infinity);
  let high = splat4(-Infinity);
  let least = splat4(Infinity);
  let most = splat4(-Infinity);
  // Not finite where one of the ways is not: comparisons would step over it.
  let displacements = splat4(0);
  for (let run = chunk * CHUNK; run < end; run += RUN) {
    const last = min(run + RUN, end);
    let runLow = splat4(Infinity);
    let runHigh = splat4(-Infinity);
    let runLeast = splat4(Infinity);
    let runMost = splat4(-Infinity);
    for (let i = run; i < last; i++) {
      const k = <usize>i << 4;
      const start = v128.load(starts + k);
      let v = restored(v128.load(velocities + k), start);
      let x = madd4(dt4, v, start);
      if (load<u8>(pinned + i) != 0) {
        x = v128.load(targets + k);
        const pinVelocity = div4(sub4(x, start), dt4);
        notePinChange(body, k, v, pinVelocity);
        v = pinVelocity;
      }
      v128.store(velocities + k, v);
      v128.store(positions + k, x);
      runLow = f32x4.pmin(runLow, f32x4.pmin(start, x));
      runHigh = f32x4.pmax(runHigh, f32x4.pmax(start, x));
      const displacement = sub4(x, start);
      displacements = add4(displacements, displacement);
      runLeast = f32x4.pmin(runLeast, displacement);
      runMost = f32x4.pmax(runMost, displacement);
    }
    for (let i = run; i < last; i += 4) store<u32>(colliding + i, 0);
    putRunBox(runBox(body, run), runLow, runHigh, f32x4.pmax(f32x4.abs(runLeast), f32x4.abs(runMost)));
    low = f32x4.pmin(low, runLow);
    high = f32x4.pmax(high, runHigh);
    least = f32x4.pmin(least, runLeast);
    most = f32x4.pmax(most, runMost);
  }
  putChunkBox(body, chunk, low, high, least, most, displacements);
}

/** Bounds of the ways of a body that the host has moved, and the sums of where it was; nothing touches it yet. */
function boundChunk(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  let low = splat4(Infinity);
  let high = splat4(-Infinity);
  let least = splat4(Infinity);
  let most = splat4(-Infinity);
  let displacements = splat4(0);
  let sum = splat4(0);
  let squares = splat4(0);
  let products = splat4(0);
  for (let run = chunk * CHUNK; run < end; run += RUN) {
    const last = min(run + RUN, end);
    let runLow = splat4(Infinity);
    let runHigh = splat4(-Infinity);
    let runLeast = splat4(Infinity);
    let runMost = splat4(-Infinity);
    for (let i = run; i < last; i++) {
      const k = <usize>i << 4;
      const start = v128.load(starts + k);
      const x = v128.load(positions + k);
      const ms = mul4(v128.load32_splat(masses + (<usize>i << 2)), start);
      sum = add4(sum, ms);
      squares = madd4(ms, start, squares);
      products = madd4(v128.shuffle<f32>(ms, ms, 0, 0, 1, 3), v128.shuffle<f32>(start, start, 1, 2, 2, 3), products);
      runLow = f32x4.pmin(runLow, f32x4.pmin(start, x));
      runHigh = f32x4.pmax(runHigh, f32x4.pmax(start, x));
      const displacement = sub4(x, start);
      displacements = add4(displacements, displacement);
      runLeast = f32x4.pmin(runLeast, displacement);
      runMost = f32x4.pmax(runMost, displacement);
    }
    for (let i = run; i < last; i += 4) store<u32>(colliding + i, 0);
    putRunBox(runBox(body, run), runLow, runHigh, f32x4.pmax(f32x4.abs(runLeast), f32x4.abs(runMost)));
    low = f32x4.pmin(low, runLow);
    high = f32x4.pmax(high, runHigh);
    least = f32x4.pmin(least, runLeast);
    most = f32x4.pmax(most, runMost);
  }
  putChunkBox(body, chunk, low, high, least, most, displacements);
  putVector(body, chunk, SUM_STARTS, sum);
  putSquares(body, chunk, SUM_STARTS + 3, squares, products);
}

/** Box of a chunk's ways, lowest and highest displacement; not finite where one of the ways is not. */
function putChunkBox(body: usize, chunk: i32, low: v128, high: v128, least: v128, most: v128, displacements: v128): void {
  const box = <usize>load<u32>(body + BODY_CHUNK_BOXES) + (<usize>chunk << 6);
  v128.store(box, low);
  v128.store(box, high, 16);
  const nothing = mul4(displacements, splat4(0));
  v128.store(box, f32x4.replace_lane(least, 3, x4(nothing) + y4(nothing) + z4(nothing)), 32);
  v128.store(box, most, 48);
}

/** Whether a particle of a run has a mark. */
// @ts-ignore: decorator
@inline function anyMarked(marks: usize): boolean {
  let any = v128.load(marks);
  for (let n: usize = 16; n < <usize>RUN; n += 16) any = v128.or(any, v128.load(marks + n));
  return v128.any_true(any);
}

function collideChunk(body: usize, chunk: i32, timeStep: f32): void {
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
        for (let i = run; i < last; i++) {
          if (!sweeping && (i & 3) == 0 && fourAreClear(positions + (<usize>i << 4))) {
            i += 3;
            continue;
          }
          if (load<u8>(pinned + i) != 0 || (pass > 0 && (load<u8>(colliding + i) == 0 || load<u8>(passes + i) < <u8>pass))) continue;
          const before = v128.load(velocities + (<usize>i << 4));
          if (!resolveParticle(body, i, timeStep, sweeping)) continue;
          again = true;
          store<u8>(passes + i, <u8>(pass + 1));
          addReaction(body, chunk, n, i, before);
          extendBounds(box, runBox(body, run), v128.load(starts + (<usize>i << 4)), v128.load(positions + (<usize>i << 4)));
        }
      }
    }
  }
}

/** Obstacles for particles that touch nothing yet, without looking along their ways: they have gone back a little only. */
function collideFree(body: usize, chunk: i32, timeStep: f32): void {
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
        if (!resolveParticle(body, i, timeStep, false)) continue;
        again = true;
        addReaction(body, chunk, n, i, before);
      }
    }
  }
}

// @ts-ignore: decorator
@inline function fourAreClear(points: usize): boolean {
  return areClear(v128.load(points), v128.load(points, 16), v128.load(points, 32), v128.load(points, 48));
}

/** Lets the bounds of a chunk and of a run hold a particle that an obstacle has moved. */
function extendBounds(chunkBox: usize, box: usize, start: v128, end: v128): void {
  const displacement = sub4(end, start);
  extendRunBox(box, end, displacement);
  v128.store(chunkBox, f32x4.pmin(v128.load(chunkBox), end));
  v128.store(chunkBox, f32x4.pmax(v128.load(chunkBox, 16), end), 16);
  v128.store(chunkBox, f32x4.pmin(v128.load(chunkBox, 32), displacement), 32);
  v128.store(chunkBox, f32x4.pmax(v128.load(chunkBox, 48), displacement), 48);
}

/** Shows positions and velocities in the mesh's own order; pins last. */
function commitChunk(body: usize, chunk: i32, timeStep: f32, touching: boolean): void {
  const end = chunkEnd(body, chunk);
  const pins = (load<u32>(body + BODY_FLAGS) & FLAG_PINS) != 0;
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const order: usize = load<u32>(body + BODY_ORDER);
  const shownPositions: usize = load<u32>(body + BODY_SHOWN_POSITIONS);
  const shownVelocities: usize = load<u32>(body + BODY_SHOWN_VELOCITIES);
  const keptVelocities: usize = load<u32>(body + BODY_KEPT_VELOCITIES);
  const oxy = v128.load(body + BODY_ORIGIN);
  const oz = load<f64>(body + BODY_ORIGIN, 16);
  const moved = touching || pins;
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const first = v128.load(positions);
  let motion: f64 = 0;
  let volume: f64 = 0;
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const x = v128.load(positions + k);
    let v = v128.load(velocities + k);
    // In contact or under pins the solver's velocity also holds pressure; shown is how the particle moved.
    if (moved) {
      v = div4(sub4(x, v128.load(starts + k)), splat4(timeStep));
      if (pins && load<u8>(pinned + i) != 0) v128.store(velocities + k, v);
    }
    const to = <usize>load<u32>(order + (<usize>i << 2)) * 12;
    const xy = f32x4.demote_f64x2_zero(f64x2.add(oxy, f64x2.promote_low_f32x4(x)));
    v128.store_lane<u64>(shownPositions + to, xy, 0);
    store<f32>(shownPositions + to, <f32>(oz + <f64>z4(x)), 8);
    v128.store_lane<u64>(shownVelocities + to, v, 0);
    v128.store_lane<u32>(shownVelocities + to, v, 2, 8);
    v128.store(keptVelocities + k, v);
    motion += <f64>(load<f32>(masses + (<usize>i << 2)) * dot3(v, v));
    volume += <f64>dot3(sub4(x, first), v128.load(normals + k));
  }
  putPartial(body, chunk, SUM_MOTION, motion);
  putPartial(body, chunk, SUM_MOTION + 1, volume);
}

/**
 * Tells the host what it asks of a body (`missed` of its 6V by sums over normals), and lets the body's frame follow it so that
 * its numbers stay small.
 */
function endBody(body: usize, missed: f64): void {
  store<i32>(body + BODY_CONTACTS, <i32>reduce(body, SUM_CONTACTS));
  store<f64>(body + BODY_MOTION, 0.5 * reduce(body, SUM_MOTION));
  store<f64>(body + BODY_SIX_VOLUME, reduce(body, SUM_MOTION + 1) / 3 + missed);
  sampleSpeed(body);
  const cx = reduce(body, SUM_STARTS);
  const cy = reduce(body, SUM_STARTS + 1);
  const cz = reduce(body, SUM_STARTS + 2);
  const size = load<f64>(body + BODY_SIZE);
  if (cx * cx + cy * cy + cz * cz < size * size) return;
  // The shift is a float, so that the frame and the particles move by the same amount.
  const shift = vector30(<f32>-cx, <f32>-cy, <f32>-cz);
  store<f64>(body + BODY_ORIGIN, load<f64>(body + BODY_ORIGIN) - <f64>x4(shift));
  store<f64>(body + BODY_ORIGIN, load<f64>(body + BODY_ORIGIN, 8) - <f64>y4(shift), 8);
  store<f64>(body + BODY_ORIGIN, load<f64>(body + BODY_ORIGIN, 16) - <f64>z4(shift), 16);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const chunks: i32 = load<i32>(body + BODY_CHUNKS);
  const end = chunkEnd(body, chunks - 1);
  for (let i = 0; i < end; i++) {
    const k = <usize>i << 4;
    v128.store(positions + k, add4(v128.load(positions + k), shift));
  }
}
