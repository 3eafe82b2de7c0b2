// A step of the world: small bodies whole by one thread each, large ones by all threads together. Either way the same
// arithmetic in the same order: the bits do not depend on the number of threads.
// predict → match → damp → contact → conserve → commit, as in src/backends/reference/stages.ts.

import {
  BODY_CHUNKS, BODY_COLLIDING, BODY_CONTACTS, BODY_DAMPING, BODY_FLAGS, BODY_KEPT_VELOCITIES, BODY_ORDER, BODY_ORIGIN,
  BODY_PIN_TARGETS, BODY_PINNED, BODY_POSITIONS, BODY_SHOWN_POSITIONS, BODY_SHOWN_VELOCITIES, BODY_SIZE, BODY_STARTS,
  BODY_STIFFNESS, BODY_VELOCITIES, CHUNK, COLLIDER_BYTES, FLAG_PINS, FLAG_VOLUME, WORLD_BODIES,
  WORLD_COLLIDER_COUNT, WORLD_COLLIDERS, WORLD_GRAVITY, WORLD_LARGE_COUNT, WORLD_NEXT_BODY, WORLD_PROFILE,
  WORLD_SMALL_COUNT, WORLD_THREADS, WORLD_TIME_STEP,
} from '../layout';
import { aim } from '../contact/collider';
import { boundRun, mayTouch, resolveParticle, RUN, sweeps } from '../contact/obstacle-contact';
import { add4, div4, madd4, splat4, sub4, vector30, x4, y4, z4 } from '../simd/lanes';
import { findRestoring, putPartial, reduce } from '../solvers/rigid-motion';
import { dampRegions, dampVelocities, restored, SUM_DAMP, writeMomenta } from '../solvers/surface/damping';
import { pullToGoals, SUM_MATCH, transformRegions } from '../solvers/surface/goals';
import { chunkEnd, predict, SUM_STARTS } from '../solvers/surface/moments';
import { conserve } from '../solvers/volume/volume-constraint';
import { next, sync, world } from './threads';

// @ts-ignore: decorator
@external('env', 'now')
declare function now(): f64;

/** Most passes over all obstacles; they end when a pass finds nothing inside. */
const CONTACT_PASSES = 12;
/** Partial sum: particles in contact. */
const SUM_CONTACTS = 72;

/** Time [ms] when the current stage began, on the thread that keeps the profile. */
let stageStart: f64 = 0;

function endStage(stage: usize, keeps: boolean): void {
  if (!keeps) return;
  const time = now();
  const at = world + WORLD_PROFILE + (stage << 3);
  store<f64>(at, load<f64>(at) + time - stageStart);
  stageStart = time;
}

/** This thread's part of a step; thread 0 keeps the profile. */
export function stepWorld(thread: i32): void {
  const threads: i32 = load<i32>(world + WORLD_THREADS);
  const bodies: usize = load<u32>(world + WORLD_BODIES);
  const small: i32 = load<i32>(world + WORLD_SMALL_COUNT);
  const large: i32 = load<i32>(world + WORLD_LARGE_COUNT);
  if (thread == 0) stageStart = now();
  for (let n = 0; n < large; n++) stepBody(load<u32>(bodies + (<usize>(small + n) << 2)), thread, threads);
  for (let n = next(world + WORLD_NEXT_BODY); n < small; n = next(world + WORLD_NEXT_BODY)) {
    stepBody(load<u32>(bodies + (<usize>n << 2)), 0, 1, thread == 0);
  }
}

function stepBody(body: usize, thread: i32, threads: i32, keeps: boolean = thread == 0): void {
  const chunks: i32 = load<i32>(body + BODY_CHUNKS);
  const from = (chunks * thread) / threads;
  const to = (chunks * (thread + 1)) / threads;
  const timeStep = <f32>load<f64>(world + WORLD_TIME_STEP);
  const fall = vector30(
    <f32>(load<f64>(world + WORLD_GRAVITY) * load<f64>(world + WORLD_TIME_STEP)),
    <f32>(load<f64>(world + WORLD_GRAVITY, 8) * load<f64>(world + WORLD_TIME_STEP)),
    <f32>(load<f64>(world + WORLD_GRAVITY, 16) * load<f64>(world + WORLD_TIME_STEP)),
  );
  for (let c = from; c < to; c++) predict(body, c, timeStep, fall);
  sync(threads);
  endStage(0, keeps);

  for (let c = from; c < to; c++) transformRegions(body, c);
  sync(threads);
  const stiffness = <f32>load<f64>(body + BODY_STIFFNESS);
  for (let c = from; c < to; c++) pullToGoals(body, c, stiffness, timeStep);
  sync(threads);
  findRestoring(body, SUM_STARTS, SUM_MATCH);
  endStage(1, keeps);

  const damping = <f32>load<f64>(body + BODY_DAMPING);
  if (damping > 0) {
    for (let c = from; c < to; c++) writeMomenta(body, c, timeStep);
    sync(threads);
    for (let c = from; c < to; c++) dampRegions(body, c);
    sync(threads);
    for (let c = from; c < to; c++) dampVelocities(body, c, damping, timeStep);
    sync(threads);
    findRestoring(body, SUM_STARTS, SUM_DAMP);
  }
  endStage(2, keeps);

  for (let c = from; c < to; c++) {
    moveChunk(body, c, timeStep);
    collideChunk(body, c, timeStep);
  }
  sync(threads);
  endStage(3, keeps);

  if ((load<u32>(body + BODY_FLAGS) & FLAG_VOLUME) != 0) conserve(body, from, to, threads);
  endStage(4, keeps);

  const contacts = reduce(body, SUM_CONTACTS);
  for (let c = from; c < to; c++) commitChunk(body, c, timeStep, contacts > 0);
  sync(threads);
  if (thread == 0) finishBody(body);
  endStage(5, keeps);
}

/** Restores momentum; x = xⁿ + Δt·v; pins to their targets. */
function moveChunk(body: usize, chunk: i32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const pins = (load<u32>(body + BODY_FLAGS) & FLAG_PINS) != 0;
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const targets: usize = load<u32>(body + BODY_PIN_TARGETS);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const dt4 = splat4(timeStep);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const start = v128.load(starts + k);
    let v = restored(v128.load(velocities + k), start);
    let x = madd4(dt4, v, start);
    if (pins && load<u8>(pinned + i) != 0) {
      x = v128.load(targets + k);
      v = div4(sub4(x, start), dt4);
    }
    v128.store(velocities + k, v);
    v128.store(positions + k, x);
    store<u8>(colliding + i, 0);
  }
}

function collideChunk(body: usize, chunk: i32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const colliders: usize = load<u32>(world + WORLD_COLLIDERS);
  const count: i32 = load<i32>(world + WORLD_COLLIDER_COUNT);
  let found = true;
  for (let pass = 0; pass < CONTACT_PASSES && found; pass++) {
    found = false;
    for (let n = 0; n < count; n++) {
      aim(colliders + <usize>(n * COLLIDER_BYTES), body);
      for (let run = chunk * CHUNK; run < end; run += RUN) {
        const last = min(run + RUN, end);
        boundRun(starts, positions, run, last);
        if (!mayTouch(1, true)) continue;
        const sweeping = pass == 0 && sweeps;
        for (let i = run; i < last; i++) {
          // After the first pass only those can be inside that another obstacle has moved.
          if (load<u8>(pinned + i) != 0 || (pass > 0 && load<u8>(colliding + i) == 0)) continue;
          if (resolveParticle(body, i, timeStep, sweeping)) found = true;
        }
      }
    }
  }
  let touching: f64 = 0;
  for (let i = chunk * CHUNK; i < end; i++) touching += load<u8>(colliding + i);
  putPartial(body, chunk, SUM_CONTACTS, touching);
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
  const ox = load<f64>(body + BODY_ORIGIN);
  const oy = load<f64>(body + BODY_ORIGIN, 8);
  const oz = load<f64>(body + BODY_ORIGIN, 16);
  const moved = touching || pins;
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
    store<f32>(shownPositions + to, <f32>(ox + <f64>x4(x)));
    store<f32>(shownPositions + to, <f32>(oy + <f64>y4(x)), 4);
    store<f32>(shownPositions + to, <f32>(oz + <f64>z4(x)), 8);
    store<f32>(shownVelocities + to, x4(v));
    store<f32>(shownVelocities + to, y4(v), 4);
    store<f32>(shownVelocities + to, z4(v), 8);
    v128.store(keptVelocities + k, v);
  }
}

/** Counts contacts, and lets the body's frame follow the body so that its numbers stay small. */
function finishBody(body: usize): void {
  store<i32>(body + BODY_CONTACTS, <i32>reduce(body, SUM_CONTACTS));
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
