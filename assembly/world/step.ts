// A step of the world: small bodies whole by one thread each, large ones by all threads together. Either way the same
// arithmetic in the same order: the bits do not depend on the number of threads.
// predict → match → damp → contact → conserve → commit, as in src/backends/reference/stages.ts.

import {
  BODY_CHUNKS, BODY_FLAGS, BODY_PART_COUNT, BODY_PRESSED_SPEED, FLAG_AGAIN, FLAG_ASLEEP, FLAG_HOSTED, FLAG_VOLUME, SUM_CONTACTS, WORLD_AGAIN, WORLD_GRAVITY,
  WORLD_LARGE_COUNT, WORLD_PROFILE, WORLD_SMALL_COUNT, WORLD_THREADS, WORLD_TIME_STEP, WORLD_TOUCHING,
} from '../layout';
import { bodyAt } from '../contact/broad-phase/body-pairs';
import { detectContacts, resolveContacts } from '../contact/soft/soft-contact';
import { vector30 } from '../simd/lanes';
import { dampBody, matchBody, predictBody } from '../solvers/move';
import { reduce } from '../solvers/rigid-motion';
import { conserveParts } from '../solvers/volume/parts';
import { findPressedSpeed, pressedSpeed, slowDown } from '../solvers/volume/pressing';
import { conserve } from '../solvers/volume/volume-constraint';
import { finish, nextOf, passGate, sync, world } from '../threads';
import { collideChunk, collideFree, countContacts } from './collide-chunk';
import { commitChunk, endBody } from './commit-chunk';
import { boundChunk, moveChunk } from './move-chunk';

// @ts-ignore: decorator
@external('env', 'now')
declare function now(): f64;

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
  slowDown(body, from, to, threads);
  for (let c = from; c < to; c++) moveChunk(body, c, timeStep);
  endStage(2, keeps);
}

/** conserve and commit. */
function finishBody(
  body: usize, from: i32, to: i32, thread: i32, threads: i32, timeStep: f32, keeps: boolean,
): void {
  for (let c = from; c < to; c++) countContacts(body, c);
  let missed: f64 = 0;
  const isWhole = load<u32>(body + BODY_PART_COUNT) == 0;
  const keepsVolume = (load<u32>(body + BODY_FLAGS) & FLAG_VOLUME) != 0;
  if (!keepsVolume) {
    sync(threads);
    if (isWhole) findPressedSpeed(body, from, to, threads);
  } else if (isWhole) missed = conserve(body, from, to, threads);
  else missed = conserveParts(body, thread, threads);
  endStage(4, keeps);

  const contacts = reduce(body, SUM_CONTACTS);
  const bounded = isWhole && pressedSpeed != 0;
  for (let c = from; c < to; c++) commitChunk(body, c, timeStep, contacts > 0 || bounded);
  sync(threads);
  if (thread == 0) {
    if (isWhole) store<f64>(body + BODY_PRESSED_SPEED, pressedSpeed);
    endBody(body, missed);
  }
  endStage(5, keeps);
}
