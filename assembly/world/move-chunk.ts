// A chunk moves: x = xⁿ + Δt·v with its momentum restored and pins at their targets, and the bounds of its motion.

import {
  BODY_CHUNK_BOXES, BODY_COLLIDING, BODY_MASS_SHARES, BODY_PINNED, BODY_PIN_TARGETS, BODY_POSITIONS, BODY_STARTS, BODY_VELOCITIES, CHUNK,
  RUN, SUM_STARTS,
} from '../layout';
import { extendRunBox, putRunBox, runBox } from '../contact/obstacles/obstacle-contact';
import { add4, div4, madd4, mul4, splat4, sub4, x4, y4, z4 } from '../simd/lanes';
import { putVector, restored } from '../solvers/rigid-motion';
import { chunkEnd, notePinChange, putSquares } from '../solvers/sums';

/** Restores momentum; x = xⁿ + Δt·v; pins to their targets; bounds of the ways. */
export function moveChunk(body: usize, chunk: i32, timeStep: f32): void {
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
export function boundChunk(body: usize, chunk: i32): void {
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

/** Lets the bounds of a chunk and of a run hold a particle that an obstacle has moved. */
export function extendBounds(chunkBox: usize, box: usize, start: v128, end: v128): void {
  const displacement = sub4(end, start);
  extendRunBox(box, end, displacement);
  v128.store(chunkBox, f32x4.pmin(v128.load(chunkBox), end));
  v128.store(chunkBox, f32x4.pmax(v128.load(chunkBox, 16), end), 16);
  v128.store(chunkBox, f32x4.pmin(v128.load(chunkBox, 32), displacement), 32);
  v128.store(chunkBox, f32x4.pmax(v128.load(chunkBox, 48), displacement), 48);
}
