// Bodies between obstacles that close on them: how fast their particles may move. Mirrors src/solvers/volume/pressing.ts.

import * as tuning from '../../../src/solvers/volume/tuning';
import {
  BODY_FLAGS, BODY_MASS_SHARES, BODY_PRESSED_SPEED, BODY_SIZE, BODY_STARTS, BODY_VELOCITIES, CHUNK, FLAG_HOSTED, MAX_DIRECTION, MAX_PRESSING, SUM_DAMP,
  SUM_MATCH, SUM_PRESSED, SUM_STARTS, SUM_SUPPORT, WORLD_TIME_STEP,
} from '../../layout';
import { add4, crossZxy4, dot3, madd4, mul4, splat4, sub4, yzx4 } from '../../simd/lanes';
import { sync, world } from '../../threads';
import { findRestoring, putPartial, putVector, reduce, reduceMax, restored } from '../rigid-motion';
import { chunkEnd } from '../sums';

const PRESSED_SHARE: f64 = <f64>tuning.PRESSED_SHARE;
const OPPOSED: f64 = <f64>tuning.OPPOSED;
const PRESSED_SPEEDS: f64 = <f64>tuning.PRESSED_SPEEDS;
const PRESSED_CALM: f64 = <f64>tuning.PRESSED_CALM;
const PRESSED_ELASTIC: f64 = <f64>tuning.PRESSED_ELASTIC;
const PRESSED_MOST: f64 = <f64>tuning.PRESSED_MOST;
const PRESSED_FALL: f64 = <f64>tuning.PRESSED_FALL;
const PRESSED_RISE: f64 = <f64>tuning.PRESSED_RISE;
const PRESSED_FREE: f64 = <f64>tuning.PRESSED_FREE;
const PRESSED_EASY: f32 = <f32>tuning.PRESSED_EASY;
const PRESSED_EASE: f64 = <f64>tuning.PRESSED_EASE;

/** What the last body's particles may move at most [m/s], 0 for any; the same in all threads. */
export let pressedSpeed: f64 = 0;

/** After the contacts of a step: the speed that counts from here on. All threads find it; who ends the body writes it down. */
export function findPressedSpeed(body: usize, from: i32, to: i32, threads: i32): void {
  pressedSpeed = nextPressedSpeed(body, from, to, threads);
}

function nextPressedSpeed(body: usize, from: i32, to: i32, threads: i32): f64 {
  const before = load<f64>(body + BODY_PRESSED_SPEED);
  const size = load<f64>(body + BODY_SIZE);
  const timeStep = load<f64>(world + WORLD_TIME_STEP);
  const pressing = isPressed(body);
  if (!pressing && before == 0) return 0;
  for (let c = from; c < to; c++) sumMomentum(body, c);
  sync(threads);
  const mean = lengthAt(body, SUM_MATCH);
  if (!pressing) {
    const risen = max(before + PRESSED_RISE * size * timeStep, mean + PRESSED_CALM * size);
    return risen > PRESSED_FREE * size + mean ? 0 : risen;
  }
  const speed = max(sqrt(reduceMax(body, MAX_PRESSING)), mean);
  const pressed = min(PRESSED_SPEEDS * speed + PRESSED_CALM * size, speed + PRESSED_MOST * size);
  return before == 0 ? pressed : max(pressed, before / (1 + PRESSED_FALL * timeStep));
}

/** Whether obstacles press a body from opposite sides. */
function isPressed(body: usize): boolean {
  const touching = reduce(body, SUM_PRESSED);
  if (touching < PRESSED_SHARE || (load<u32>(body + BODY_FLAGS) & FLAG_HOSTED) != 0) return false;
  return lengthAt(body, SUM_SUPPORT) <= OPPOSED * touching;
}

/** Length of a vector that was summed. */
function lengthAt(body: usize, place: i32): f64 {
  const x = reduce(body, place);
  const y = reduce(body, place + 1);
  const z = reduce(body, place + 2);
  return sqrt(x * x + y * y + z * z);
}

/** Σ m v; nobody needs what matching changed any more. */
function sumMomentum(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  let sum = splat4(0);
  for (let i = chunk * CHUNK; i < end; i++) {
    sum = madd4(v128.load32_splat(masses + (<usize>i << 2)), v128.load(velocities + (<usize>i << 4)), sum);
  }
  putVector(body, chunk, SUM_MATCH, sum);
}

/**
 * Slows a pressed body down of which particles are faster than what presses it explains, all of it by one factor, see the reference;
 * leaves the field that restores momentum.
 */
export function slowDown(body: usize, from: i32, to: i32, threads: i32): void {
  const before = load<f64>(body + BODY_PRESSED_SPEED);
  if (before == 0) return;
  const speed = <f32>before;
  const most = max(speed, <f32>(PRESSED_ELASTIC * load<f64>(body + BODY_SIZE)));
  for (let c = from; c < to; c++) measureChunk(body, c);
  sync(threads);
  const fastest = min(most, <f32>sqrt(reduceMax(body, MAX_DIRECTION)));
  for (let c = from; c < to; c++) slowChunk(body, c, most, fastest > speed ? speed / fastest : 1);
  // Everybody has read it; who writes, writes the same.
  if (from == 0 && fastest < PRESSED_EASY * speed) {
    store<f64>(body + BODY_PRESSED_SPEED, (1 + PRESSED_EASE * load<f64>(world + WORLD_TIME_STEP)) * before);
  }
  sync(threads);
  findRestoring(body, SUM_STARTS, SUM_DAMP);
}

/** The square of the fastest; no direction is known yet. */
function measureChunk(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  let fastest: f32 = 0;
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const v = restored(v128.load(velocities + k), v128.load(starts + k));
    fastest = max(fastest, dot3(v, v));
  }
  putPartial(body, chunk, MAX_DIRECTION, <f64>fastest);
}

function slowChunk(body: usize, chunk: i32, most: f32, share: f32): void {
  const end = chunkEnd(body, chunk);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  let linear = splat4(0);
  let moment = splat4(0);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const start = v128.load(starts + k);
    const v = restored(v128.load(velocities + k), start);
    const square = dot3(v, v);
    const slowed = mul4(splat4(square > most * most ? share * (most / sqrt(square)) : share), v);
    v128.store(velocities + k, slowed);
    const mdv = mul4(v128.load32_splat(masses + (<usize>i << 2)), sub4(slowed, v));
    linear = add4(linear, mdv);
    moment = add4(moment, crossZxy4(start, mdv));
  }
  putVector(body, chunk, SUM_DAMP, linear);
  putVector(body, chunk, SUM_DAMP + 3, yzx4(moment));
}
