// Single kernels for the tests, each over all chunks of a body; not part of what ships. Where a kernel's way of keeping
// numbers is its own business, the way in and out is here and not in the tests.

import { BODY_CHUNKS, BODY_WEIGHTS, SUM_CUBIC, SUM_MATCH, SUM_STARTS } from './layout';
import { vector30 } from './simd/lanes';
import { findRestoring, putPartial } from './solvers/rigid-motion';
import { clearPartials } from './solvers/sums';
import { dampRegions, dampVelocities, writeMomenta } from './solvers/surface/damping';
import { pullToGoals, transformRegions } from './solvers/surface/goals';
import { predict } from './solvers/surface/moments';
import { LANE_A, LANE_MOMENT, nearestRotations, ROWS } from './solvers/surface/rotation';
import { c0, c1, c2, c3, readCubic, solveCubic, sumCubic } from './solvers/volume/cubic';
import { findDirection, sumDirection, writeDirection } from './solvers/volume/direction';
import { conserve } from './solvers/volume/volume-constraint';
import { writeOutward } from './solvers/volume/outward';
import { mixWeights, smoothWeights, writeShares } from './solvers/volume/weights';
import { workingMemory as lanes } from './threads';

export { attach } from './index';

// @ts-ignore: decorator
@inline function chunksOf(body: usize): i32 {
  return load<i32>(body + BODY_CHUNKS);
}

/** predict without gravity, then match: v ← v + s·(g − x*)/Δt, momentum not yet restored. */
export function match(body: usize, stiffness: f32, timeStep: f32): void {
  for (let c = 0; c < chunksOf(body); c++) predict(body, c, timeStep, vector30(0, 0, 0));
  for (let c = 0; c < chunksOf(body); c++) transformRegions(body, c);
  for (let c = 0; c < chunksOf(body); c++) pullToGoals(body, c, stiffness, timeStep);
}

/** Damping of the velocities of a step that starts at the positions, momentum not yet restored. */
export function damp(body: usize, share: f32, timeStep: f32): void {
  for (let c = 0; c < chunksOf(body); c++) {
    predict(body, c, timeStep, vector30(0, 0, 0));
    clearPartials(body, c, SUM_MATCH, 6);
  }
  findRestoring(body, SUM_STARTS, SUM_MATCH);
  for (let c = 0; c < chunksOf(body); c++) writeMomenta(body, c, timeStep);
  for (let c = 0; c < chunksOf(body); c++) dampRegions(body, c);
  for (let c = 0; c < chunksOf(body); c++) dampVelocities(body, c, share, timeStep);
}

/** Nearest rotations: row-major matrices of nine floats, quaternions (x, y, z, w; in: previous), rest moments. */
export function rotate(matrices: usize, quaternions: usize, moments: usize, count: i32): void {
  // Four x, four y, four z, four w, as the kernel keeps them.
  const packed = lanes + ROWS;
  for (let group = 0; group < count; group += 4) {
    for (let lane = 0; lane < 4; lane++) {
      const at = lanes + (<usize>lane << 2);
      const i: usize = group + lane;
      const there = group + lane < count;
      for (let n: usize = 0; n < 9; n++) {
        store<f32>(at + LANE_A + (n << 4), there ? load<f32>(matrices + 36 * i + (n << 2)) : n % 4 == 0 ? 1 : 0);
      }
      for (let n: usize = 0; n < 4; n++) {
        store<f32>(packed + (n << 4) + (<usize>lane << 2), there ? load<f32>(quaternions + 16 * i + (n << 2)) : n == 3 ? 1 : 0);
      }
      store<f32>(at + LANE_MOMENT, there ? load<f32>(moments + 4 * i) : 1);
    }
    nearestRotations(packed);
    for (let lane = 0; lane < 4 && group + lane < count; lane++) {
      for (let n: usize = 0; n < 4; n++) {
        store<f32>(quaternions + 16 * <usize>(group + lane) + (n << 2), load<f32>(packed + (n << 4) + (<usize>lane << 2)));
      }
    }
  }
}

/** Smoothed weights for positions and velocities; `changes`, `pinned` and `colliding` are the body's. */
export function weigh(body: usize): void {
  for (let c = 0; c < chunksOf(body); c++) writeShares(body, c);
  for (let c = 0; c < chunksOf(body); c++) mixWeights(body, c);
  for (let pass = 0; pass < 2; pass++) {
    for (let c = 0; c < chunksOf(body); c++) smoothWeights(body, c, pass);
  }
}

/** Weight of a particle: for positions (lane 0) or velocities (lane 1). */
export function weightOf(body: usize, i: i32, lane: i32): f32 {
  return load<f32>(<usize>load<u32>(body + BODY_WEIGHTS) + (<usize>i << 4) + (<usize>lane << 2));
}

/** The direction of the position correction by the weights there are; false where no particle has any. */
export function direct(body: usize): boolean {
  for (let c = 0; c < chunksOf(body); c++) writeOutward(body, c);
  for (let c = 0; c < chunksOf(body); c++) sumDirection(body, c, 0);
  if (!findDirection(body, false)) return false;
  for (let c = 0; c < chunksOf(body); c++) writeDirection(body, c, 0, false, false);
  return true;
}

/** The cubic of 6V along the body's direction. */
export function expand(body: usize): void {
  for (let c = 0; c < chunksOf(body); c++) writeOutward(body, c);
  for (let c = 0; c < chunksOf(body); c++) sumCubic(body, c);
  readCubic(body);
}

/** Its coefficient of the n-th power. */
export function coefficient(n: i32): f64 {
  return n == 0 ? c0 : n == 1 ? c1 : n == 2 ? c2 : c3;
}

/** The root of a cubic given by its coefficients; uses the sums of a body of one chunk. */
export function solve(body: usize, a0: f64, a1: f64, a2: f64, a3: f64, target: f64, limit: f64): f64 {
  putPartial(body, 0, SUM_CUBIC, a0);
  putPartial(body, 0, SUM_CUBIC + 1, a1);
  putPartial(body, 0, SUM_CUBIC + 2, a2);
  putPartial(body, 0, SUM_CUBIC + 3, a3);
  readCubic(body);
  return solveCubic(target, limit);
}

/** Positions to V₀, velocities to zero flux, without obstacles. */
export function keepVolume(body: usize): void {
  conserve(body, 0, chunksOf(body), 1);
}
