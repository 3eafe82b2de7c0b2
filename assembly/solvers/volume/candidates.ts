// Positions that the correction tries along its direction; particles that would go into something are held there, as far as
// they fit. Mirrors parts of src/solvers/volume/volume-constraint.ts and of what it asks of obstacles.

import {
  BODY_CANDIDATES, BODY_CHANGES, BODY_DIRECTION, BODY_HELD, BODY_NORMALS, BODY_PAIR_COUNT, BODY_POSITIONS, BODY_STARTS, BODY_WEIGHTS,
  CHUNK,
  COLLIDER_BYTES, RUN, SUM_HELD, SUM_MISSED, SUM_STOPPED, WORLD_COLLIDERS, WORLD_COLLIDER_COUNT, WORLD_CONTACT_COUNT, WORLD_TOUCHING,
} from '../../layout';
import { forbidTouching, NEWLY_HELD } from '../../contact/response/neighbour-gaps';
import { aim, clearOfFour, mayMeet } from '../../contact/obstacles/collider';
import {
  isForbidden, mayTouch, putRunBox, runBox, shareThatFits, sweeps, takeBounds, takeRunBox,
} from '../../contact/obstacles/obstacle-contact';
import { add4, dot3, madd4, splat4, sub4 } from '../../simd/lanes';
import { sync, world } from '../../threads';
import { addPartial, putPartial, reduce } from '../rigid-motion';
import { chunkEnd } from '../sums';

/** How much further than λ obstacles are looked for: holding particles makes λ grow, and rounds cost. */
export const LOOK_AHEAD: f32 = 0.5;
/** How deep the correction may carry a particle into an obstacle, in body sizes: single precision's rounding. */
const CONTACT_TOLERANCE: f32 = 2e-6;
/** How far held particles may go, as a share; nobody needs the changes any more. */
const BODY_FITS = BODY_CHANGES;

/** How far particles of the body may be from where they started in this step [m], 0 for anywhere. */
let furthest: f32 = 0;

/** Says so, for all ways until it is called again. */
export function boundWays(way: f32): void {
  furthest = way;
}

/**
 * Candidates at λ; particles that would go into an obstacle or another body are held, and go as far as they fit. Whether
 * there are any; with `staying` the others' candidates stay as they are. Ends with all threads in step.
 */
export function tryWay(
  body: usize, from: i32, to: i32, threads: i32, lambda: f32, size: f32, near: boolean, staying: boolean,
): boolean {
  for (let c = from; c < to; c++) tryCandidates(body, c, lambda, size);
  sync(threads);
  if (near) holdTouching(body, from, to, threads, size);
  if (reduce(body, SUM_HELD) == 0) return false;
  for (let c = from; c < to; c++) moveAsFits(body, c, lambda, staying);
  sync(threads);
  return true;
}

/** Whether other bodies are near. */
export function hasContacts(body: usize): boolean {
  return load<u32>(world + WORLD_TOUCHING) != 0 && load<u32>(world + WORLD_CONTACT_COUNT) != 0 && load<u32>(body + BODY_PAIR_COUNT) != 0;
}

/** Holds the particles that would come too near to other bodies; their candidates are of several threads. */
function holdTouching(body: usize, from: i32, to: i32, threads: i32, size: f32): void {
  if (from < to) {
    const end = chunkEnd(body, to - 1);
    const marked = forbidTouching(body, from * CHUNK, end, CONTACT_TOLERANCE * size, LOOK_AHEAD);
    if (marked > 0) addPartial(body, from, SUM_HELD, marked);
  }
  sync(threads);
}

/**
 * Moves the particles that were just held as far as they fit. Left where they were they would fall behind, step by step,
 * until the whole correction fits, and tremble. With `staying` the others go on from their candidates.
 */
function moveAsFits(body: usize, chunk: i32, lambda: f32, staying: boolean): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  const candidates: usize = load<u32>(body + BODY_CANDIDATES);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const held: usize = load<u32>(body + BODY_HELD);
  const weights: usize = load<u32>(body + BODY_WEIGHTS);
  const fits: usize = load<u32>(body + BODY_FITS);
  let stopped: f64 = 0;
  let missed: f64 = 0;
  for (let i = chunk * CHUNK; i < end; i++) {
    if (load<u8>(held + i) != NEWLY_HELD) continue;
    const k = <usize>i << 4;
    const fit = load<f32>(fits + (<usize>i << 2));
    const x = madd4(splat4(lambda * fit), v128.load(direction + k), v128.load(positions + k));
    store<u8>(held + i, 1);
    store<f32>(weights + k, 0);
    v128.store(positions + k, x);
    if (!staying) continue;
    const gain: f64 = dot3(v128.load(direction + k), v128.load(normals + k));
    stopped += gain;
    missed += (1 - <f64>fit) * <f64>lambda * gain;
    v128.store(direction + k, splat4(0));
    v128.store(candidates + k, x);
  }
  putPartial(body, chunk, SUM_STOPPED, stopped);
  putPartial(body, chunk, SUM_MISSED, missed);
}

// Bounds of the ways of the last chunk's candidates.
let candidatesLow: v128 = i64x2.splat(0);
let candidatesHigh: v128 = i64x2.splat(0);
let candidatesFar: v128 = i64x2.splat(0);

/** Candidates x + λ·d. */
export function moveCandidates(body: usize, chunk: i32, lambda: f32): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  const candidates: usize = load<u32>(body + BODY_CANDIDATES);
  const lambda4 = splat4(lambda);
  let low = splat4(Infinity);
  let high = splat4(-Infinity);
  let far = splat4(0);
  for (let run = chunk * CHUNK; run < end; run += RUN) {
    const last = min(run + RUN, end);
    let runLow = splat4(Infinity);
    let runHigh = splat4(-Infinity);
    let runFar = splat4(0);
    for (let i = run; i < last; i++) {
      const k = <usize>i << 4;
      const start = v128.load(positions + k);
      const candidate = madd4(lambda4, v128.load(direction + k), start);
      v128.store(candidates + k, candidate);
      runLow = f32x4.pmin(runLow, f32x4.pmin(start, candidate));
      runHigh = f32x4.pmax(runHigh, f32x4.pmax(start, candidate));
      runFar = f32x4.pmax(runFar, f32x4.abs(sub4(candidate, start)));
    }
    putRunBox(runBox(body, run), runLow, runHigh, runFar);
    low = f32x4.pmin(low, runLow);
    high = f32x4.pmax(high, runHigh);
    far = f32x4.pmax(far, runFar);
  }
  candidatesLow = low;
  candidatesHigh = high;
  candidatesFar = far;
}

/** Candidates; particles that would be carried into an obstacle, looking ahead, are held and know how far they fit. */
function tryCandidates(body: usize, chunk: i32, lambda: f32, size: f32): void {
  moveCandidates(body, chunk, lambda);
  const low = candidatesLow;
  const high = candidatesHigh;
  const far = candidatesFar;
  const first = chunk * CHUNK;
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const candidates: usize = load<u32>(body + BODY_CANDIDATES);
  const held: usize = load<u32>(body + BODY_HELD);
  const fits: usize = load<u32>(body + BODY_FITS);
  let marked: f64 = 0;
  const colliders: usize = load<u32>(world + WORLD_COLLIDERS);
  const colliderCount: i32 = load<i32>(world + WORLD_COLLIDER_COUNT);
  for (let n = 0; n < colliderCount; n++) {
    const collider = colliders + <usize>(n * COLLIDER_BYTES);
    if (!mayMeet(collider, body)) continue;
    aim(collider, body);
    takeBounds(low, high, far);
    if (!mayTouch(1 + LOOK_AHEAD, false)) continue;
    for (let run = first; run < end; run += RUN) {
      const last = min(run + RUN, end);
      takeRunBox(runBox(body, run));
      if (!mayTouch(1 + LOOK_AHEAD, false)) continue;
      let clear = 0;
      for (let i = run; i < last; i++) {
        const k = <usize>i << 4;
        if ((i & 3) == 0 && !sweeps) {
          clear = clearOfFour(
            beyond(positions + k, candidates + k), beyond(positions + k + 16, candidates + k + 16),
            beyond(positions + k + 32, candidates + k + 32), beyond(positions + k + 48, candidates + k + 48), false,
          );
          if (clear == 15) {
            i += 3;
            continue;
          }
        }
        if ((clear & (1 << (i & 3))) != 0) continue;
        const mark = load<u8>(held + i);
        if (mark != 0 && mark != NEWLY_HELD) continue;
        const start = v128.load(positions + k);
        const end = beyond(positions + k, candidates + k);
        if (!isForbidden(start, end, CONTACT_TOLERANCE * size)) continue;
        const fit = min<f32>(1, (<f32>1 + LOOK_AHEAD) * shareThatFits(start));
        const at = fits + (<usize>i << 2);
        store<f32>(at, mark == 0 ? fit : min(fit, load<f32>(at)));
        if (mark != 0) continue;
        store<u8>(held + i, NEWLY_HELD);
        marked += 1;
      }
    }
  }
  if (furthest > 0) marked += holdFar(body, first, end);
  putPartial(body, chunk, SUM_HELD, marked);
}

/** Holds the particles that would be too far from where they started, looking ahead; returns how many were not held. */
function holdFar(body: usize, first: i32, end: i32): f64 {
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const candidates: usize = load<u32>(body + BODY_CANDIDATES);
  const held: usize = load<u32>(body + BODY_HELD);
  const fits: usize = load<u32>(body + BODY_FITS);
  const reach2 = furthest * furthest;
  let marked: f64 = 0;
  for (let i = first; i < end; i++) {
    const mark = load<u8>(held + i);
    if (mark != 0 && mark != NEWLY_HELD) continue;
    const k = <usize>i << 4;
    const position = v128.load(positions + k);
    const from = sub4(position, v128.load(starts + k));
    const way = sub4(beyond(positions + k, candidates + k), position);
    const to = add4(from, way);
    const way2 = dot3(way, way);
    if (!(dot3(to, to) > reach2) || !(way2 > 0)) continue;
    // |from + t·way| = reach where it leaves; what began beyond comes as near as it can.
    const along = dot3(from, way);
    const root = sqrt(max<f32>(0, along * along + way2 * (reach2 - dot3(from, from))));
    const fit = min<f32>(1, (<f32>1 + LOOK_AHEAD) * max<f32>(0, (root - along) / way2));
    const at = fits + (<usize>i << 2);
    store<f32>(at, mark == 0 ? fit : min(fit, load<f32>(at)));
    if (mark != 0) continue;
    store<u8>(held + i, NEWLY_HELD);
    marked += 1;
  }
  return marked;
}

/** Where a particle comes that goes on past its candidate. */
// @ts-ignore: decorator
@inline function beyond(position: usize, candidate: usize): v128 {
  const end = v128.load(candidate);
  return madd4(splat4(LOOK_AHEAD), sub4(end, v128.load(position)), end);
}
