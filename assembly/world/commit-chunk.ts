// The end of a step: positions and velocities are shown, and the host is told what it asks.

import {
  BODY_CHUNKS, BODY_CONTACTS, BODY_FLAGS, BODY_KEPT_VELOCITIES, BODY_MASS_SHARES, BODY_MOTION, BODY_NORMALS, BODY_ORDER, BODY_ORIGIN,
  BODY_PINNED, BODY_POSITIONS, BODY_SHOWN_POSITIONS, BODY_SHOWN_VELOCITIES, BODY_SIX_VOLUME, BODY_SIZE, BODY_STARTS, BODY_VELOCITIES,
  CHUNK, FLAG_PINS, SUM_CONTACTS, SUM_MOTION, SUM_STARTS,
} from '../layout';
import { sampleSpeed } from '../contact/broad-phase/fast-approach';
import { add4, div4, dot3, splat4, sub4, vector30, x4, y4, z4 } from '../simd/lanes';
import { putPartial, reduce } from '../solvers/rigid-motion';
import { chunkEnd } from '../solvers/sums';

/** Shows positions and velocities in the mesh's own order; pins last. */
export function commitChunk(body: usize, chunk: i32, timeStep: f32, touching: boolean): void {
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
export function endBody(body: usize, missed: f64): void {
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
