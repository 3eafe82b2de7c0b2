// The volume constraint, phase by phase. Mirrors src/solvers/volume/volume-constraint.ts.

import * as tuning from '../../../src/solvers/volume/tuning';
import {
  BODY_CANDIDATES, BODY_CHUNKS, BODY_COLLIDING, BODY_COUNT, BODY_DIRECTION, BODY_FLAGS, BODY_HELD, BODY_MASS_SHARES, BODY_MEAN_AREA, BODY_MOTION,
  BODY_PINNED, BODY_POSITIONS, BODY_SIZE, BODY_SPREAD, BODY_TOUCHED, BODY_VELOCITIES, BODY_VOLUME, CHUNK, FLAG_PINS, MAX_DIRECTION,
  SUM_CANDIDATES, SUM_CHANGE, SUM_COLLIDING, SUM_GAIN, SUM_MISSED, SUM_POSITIONS, SUM_STARTS, SUM_STOPPED, SUM_VOLUME,
  WORLD_TIME_STEP, WORLD_TOUCHING,
} from '../../layout';
import { add4, crossZxy4, madd4, mul4, splat4, sub4, yzx4 } from '../../simd/lanes';
import { sync, world } from '../../threads';
import { putVector, reduce, reduceMax } from '../rigid-motion';
import { chunkEnd, clearPartials, putSquares } from '../sums';
import { boundWays, hasContacts, LOOK_AHEAD, moveCandidates, tryWay } from './candidates';
import { measureCandidates, readCubic, sixVolumeAt, solveCubic, sumCubic } from './cubic';
import { findDirection, sumDirection, writeDirection } from './direction';
import { findPressedSpeed, pressedSpeed } from './pressing';
import { straightenOutward, writeOutward } from './outward';
import { conserveVelocities } from './velocity-constraint';
import { mixWeights, SMOOTHING_PASSES, smoothWeights, writeShares } from './weights';

const REACH: f64 = <f64>tuning.REACH;
const LIFT_REACH: f64 = <f64>tuning.LIFT_REACH;
const ANCHORED_REACH: f64 = <f64>tuning.ANCHORED_REACH;
/** Of bodies that others crush: in sizes per second and in ways of even growth; and how fast they move, see the reference. */
const CRUSHED_REACH: f64 = <f64>tuning.CRUSHED_REACH;
const CRUSHED_STRETCH: f64 = <f64>tuning.CRUSHED_STRETCH;
const WHOLE: f64 = <f64>tuning.WHOLE;
const FLAT: f64 = <f64>tuning.FLAT;
const CRUSHED_SPEED: f64 = <f64>tuning.CRUSHED_SPEED;
/** A way of the correction, in body sizes, that is short: the volume along it is a line but for what one step of Newton's mends. */
const SHORT: f64 = 0.02;
/**
 * A last step of Newton's, in body sizes, after which nobody looks: what it misses of the volume is its square. The normals
 * are those of before it.
 */
const LAST_STEP: f64 = 1e-5;
/** The same where obstacles were not looked for so far, or nothing is touched: single precision's rounding of positions. */
const ROUNDING: f64 = 1e-6;
const NEWTON_STEPS: i32 = 8;
/** Relative volume error at which a correction has reached its goal: above single precision's rounding. */
const REACHED: f64 = 1e-6;
const CONTACT_ROUNDS: i32 = <i32>tuning.CONTACT_ROUNDS;

/** Whether the normals are those of the accepted positions but for a last step; the same in all threads, as what follows. */
let normalsKnown: boolean = false;
/** Length of the longest direction. */
let longest: f64 = 0;
/** Last step of Newton's, in directions, and what it changes of 6V. */
let lastStep: f64 = 0;
let lastGain: f64 = 0;

/**
 * Steps 4 and 5 for the chunks `from` … `to` − 1 of this thread. Returns what ⅓ Σ x·n̄ of the positions and normals that it
 * leaves misses of 6V: two thirds of what the last step changed, which the normals do not know.
 */
export function conserve(body: usize, from: i32, to: i32, threads: i32): f64 {
  for (let c = from; c < to; c++) {
    writeShares(body, c);
    writeOutward(body, c);
  }
  sync(threads);
  const touched = load<u32>(world + WORLD_TOUCHING) != 0 && load<u32>(body + BODY_TOUCHED) != 0;
  findPressedSpeed(body, from, to, threads);
  boundWays(<f32>(pressedSpeed * load<f64>(world + WORLD_TIME_STEP)));
  const crushed = touched && isLively(body);
  const free = (load<u32>(body + BODY_FLAGS) & FLAG_PINS) != 0 ? ANCHORED_REACH : REACH;
  const reach = crushed ? crushedReach(body) : free;
  let gaveWay = !reachVolume(body, from, to, threads, false, false, reach);
  if (gaveWay && reduce(body, SUM_COLLIDING) > 0) {
    // Colliding particles may move off what they touch; if that is not enough, into what gives way itself: other bodies. Where
    // these crush it, they do so at once; only if that is not enough its free particles go further.
    hold(body, from, to, threads, false);
    gaveWay = !reachVolume(body, from, to, threads, true, crushed, LIFT_REACH);
    if (gaveWay && touched) {
      hold(body, from, to, threads, crushed);
      reachVolume(body, from, to, threads, !crushed, !crushed, crushed ? free : LIFT_REACH);
    }
  }
  conserveVelocities(body, from, to, threads, normalsKnown);
  return normalsKnown ? (2 * lastGain) / 3 : 0;
}

/** Whether a body moved fast in the step before, against its size. */
function isLively(body: usize): boolean {
  const speed = CRUSHED_SPEED * load<f64>(body + BODY_SIZE);
  return load<f64>(body + BODY_MOTION) > 0.5 * speed * speed;
}

/** Furthest that free particles of a body go that others crush, in its sizes. */
function crushedReach(body: usize): f64 {
  const missing = abs(6 * load<f64>(body + BODY_VOLUME) - reduce(body, SUM_VOLUME)) / 6;
  const area = load<f64>(body + BODY_MEAN_AREA) * <f64>load<i32>(body + BODY_COUNT);
  const even = missing / (area * load<f64>(body + BODY_SIZE));
  const cx = reduce(body, SUM_STARTS);
  const cy = reduce(body, SUM_STARTS + 1);
  const cz = reduce(body, SUM_STARTS + 2);
  const squares = reduce(body, SUM_STARTS + 3) + reduce(body, SUM_STARTS + 4) + reduce(body, SUM_STARTS + 5);
  const wider = sqrt((squares - cx * cx - cy * cy - cz * cz) / load<f64>(body + BODY_SPREAD));
  const stretch = CRUSHED_STRETCH * min(1, max(0, (FLAT - wider) / (FLAT - WHOLE)));
  return min(REACH, max(CRUSHED_REACH * load<f64>(world + WORLD_TIME_STEP), stretch * even));
}

/** Holds the pinned particles for a further try, and those in contact or not. */
function hold(body: usize, from: i32, to: i32, threads: i32, colliding: boolean): void {
  for (let c = from; c < to; c++) {
    holdChunk(body, c, colliding);
    writeOutward(body, c);
  }
  sync(threads);
}

function holdChunk(body: usize, chunk: i32, alsoColliding: boolean): void {
  const end = chunkEnd(body, chunk);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const held: usize = load<u32>(body + BODY_HELD);
  for (let i = chunk * CHUNK; i < end; i++) {
    store<u8>(held + i, load<u8>(pinned + i) | (alsoColliding ? load<u8>(colliding + i) : 0));
  }
}

/**
 * Moves positions along the weighted direction, none further than `reach` body sizes; whether the volume is V₀ then. Ends with
 * all threads in step.
 */
function reachVolume(
  body: usize, from: i32, to: i32, threads: i32, lift: boolean, firmOnly: boolean, reach: f64,
): boolean {
  for (let c = from; c < to; c++) mixWeights(body, c);
  sync(threads);
  for (let pass = 0; pass < SMOOTHING_PASSES; pass++) {
    for (let c = from; c < to; c++) smoothWeights(body, c, pass);
    sync(threads);
  }
  const target = 6 * load<f64>(body + BODY_VOLUME);
  const size = load<f64>(body + BODY_SIZE);
  const near = !firmOnly && hasContacts(body);
  normalsKnown = false;
  lastStep = 0;
  let reached = false;
  // Where no particle may move there are no candidates: what stands in their place is from another step.
  let accepted: usize = BODY_POSITIONS;
  for (let round = 0; round < CONTACT_ROUNDS; round++) {
    reached = false;
    accepted = BODY_POSITIONS;
    if (!findWay(body, from, to, threads, lift, firmOnly)) break;
    accepted = BODY_CANDIDATES;
    const slope = reduce(body, SUM_GAIN);
    let lambda = (target - reduce(body, SUM_VOLUME)) / slope;
    if (round == 0 && slope > 0) {
      if (abs(lambda) * longest <= min(SHORT, reach) * size) {
        reached = goByNewton(body, from, to, threads, lambda, slope, min(SHORT, reach), near);
        if (reached) break;
        renewOutward(body, from, to, threads);
        continue;
      }
      if (reach <= SHORT) {
        // Further than these particles may go: they go as far as they may, and a further try does the rest.
        lambda = (lambda > 0 ? reach : -reach) * (size / longest);
        tryWay(body, from, to, threads, <f32>lambda, <f32>size, near, true);
        break;
      }
    }
    for (let c = from; c < to; c++) sumCubic(body, c);
    sync(threads);
    readCubic(body);
    lambda = solveCubic(target, (reach * size) / longest);
    reached = abs(sixVolumeAt(lambda) - target) <= REACHED * target;
    const isLast = round == CONTACT_ROUNDS - 1;
    if (!tryWay(body, from, to, threads, <f32>lambda, <f32>size, near, isLast)) break;
    reached = false;
    if (!isLast) renewOutward(body, from, to, threads);
  }
  for (let c = from; c < to; c++) acceptPositions(body, c, accepted, <f32>lastStep);
  // What reads the positions of other chunks waits for them.
  if (!normalsKnown) sync(threads);
  return reached;
}

/** The direction of the particles that may move, and how long it is; false where there is none. */
function findWay(body: usize, from: i32, to: i32, threads: i32, lift: boolean, firmOnly: boolean): boolean {
  // The outward directions are fresh: each way is preceded by writing them.
  const touching = reduce(body, SUM_COLLIDING) > 0;
  for (let c = from; c < to; c++) {
    if (touching) straightenOutward(body, c);
    sumDirection(body, c, 0);
  }
  sync(threads);
  if (!findDirection(body, true)) return false;
  for (let c = from; c < to; c++) writeDirection(body, c, 0, lift, firmOnly);
  sync(threads);
  longest = sqrt(reduceMax(body, MAX_DIRECTION));
  return longest > 0;
}

/** Normals and volume of the positions after some have moved. */
function renewOutward(body: usize, from: i32, to: i32, threads: i32): void {
  for (let c = from; c < to; c++) writeOutward(body, c);
  sync(threads);
}

/**
 * A short way needs no cubic: steps of Newton's reach V₀, and the normals found on the way are those of V₀. Particles that
 * would go into an obstacle stop there, and leave what they miss to the others. Whether V₀ is reached within `reach` body sizes.
 */
function goByNewton(
  body: usize, from: i32, to: i32, threads: i32, first: f64, gain: f64, reach: f64, near: boolean,
): boolean {
  const target = 6 * load<f64>(body + BODY_VOLUME);
  const size = load<f64>(body + BODY_SIZE);
  const touching = reduce(body, SUM_COLLIDING) > 0;
  let slope = gain;
  // A body that grows evenly, by ε, has (1 + ε)³ of its volume: the line misses a third of the square.
  let lambda = first * (1 - max(-0.25, min(0.25, (first * slope) / (3 * target))));
  let tried = lambda;
  let stopped = tryWay(body, from, to, threads, <f32>lambda, <f32>size, near, true);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let further: f64 = 0;
    if (stopped) {
      slope -= reduce(body, SUM_STOPPED);
      further = reduce(body, SUM_MISSED) / slope;
    } else {
      for (let c = from; c < to; c++) measureCandidates(body, c);
      sync(threads);
      slope = reduce(body, SUM_CANDIDATES + 1);
      further = (target - reduce(body, SUM_CANDIDATES)) / slope;
    }
    lambda += further;
    const isSafe = abs(lambda - tried) <= LOOK_AHEAD * abs(tried);
    if (!stopped && abs(further) * longest <= (touching && isSafe ? LAST_STEP : ROUNDING) * size) {
      lastStep = further;
      lastGain = further * slope;
      normalsKnown = true;
      return true;
    }
    if (!(abs(lambda) * longest <= reach * size)) return false;
    stopped = false;
    if (isSafe) {
      for (let c = from; c < to; c++) moveCandidates(body, c, <f32>lambda);
      sync(threads);
    } else {
      tried = lambda;
      stopped = tryWay(body, from, to, threads, <f32>lambda, <f32>size, near, true);
    }
  }
  return false;
}

/** x ← the field's positions, and `last` of the direction; sums of positions and of the change of angular momentum. */
function acceptPositions(body: usize, chunk: i32, field: usize, last: f32): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const candidates: usize = load<u32>(body + field);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  let sum = splat4(0);
  let squares = splat4(0);
  let products = splat4(0);
  let angular = splat4(0);
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const m = v128.load32_splat(masses + (<usize>i << 2));
    let x = v128.load(candidates + k);
    if (last != 0) x = madd4(splat4(last), v128.load(direction + k), x);
    angular = add4(angular, crossZxy4(mul4(m, sub4(x, v128.load(positions + k))), v128.load(velocities + k)));
    v128.store(positions + k, x);
    const mx = mul4(m, x);
    sum = add4(sum, mx);
    squares = madd4(mx, x, squares);
    products = madd4(v128.shuffle<f32>(mx, mx, 0, 0, 1, 3), v128.shuffle<f32>(x, x, 1, 2, 2, 3), products);
  }
  putVector(body, chunk, SUM_POSITIONS, sum);
  putSquares(body, chunk, SUM_POSITIONS + 3, squares, products);
  clearPartials(body, chunk, SUM_CHANGE, 3);
  putVector(body, chunk, SUM_CHANGE + 3, yzx4(angular));
}
