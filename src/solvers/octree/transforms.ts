// From the sums of moments to region transforms, and from their transposed sums to the frames and goals of the nodes.
// Based on: [SOG08 §4.3 eqs. 6–8]; deviation: masses over loads, transposed sums, and a weight per region, so that stiffness
// may vary in space without touching momentum: what a region gives to its leaves sums to zero, whatever its weight.

import { MOMENT_STRIDE } from '../moments.js';
import { nearestRotation, rotationMatrix } from '../rotation.js';
import { PREVIOUS_LINE_SHARE } from '../tuning.js';
import { flow, type Plasticity } from './plasticity.js';
import type { RegionRest } from './region-rest.js';

const affine = new Float64Array(9);
const rotation = new Float64Array(9);
const linear = new Float64Array(9);

/** State of the regions that lasts from step to step. */
export interface RegionState {
  /** Rotation R (x, y, z, w), the warm start of the next. */
  readonly quaternions: Float64Array;
  /** S, the shape that a region has flowed into, row by row, det 1. */
  readonly flows: Float64Array;
  /** Size of the shape that the body goes back to, in sizes at rest. */
  readonly restScale: number;
}

/**
 * w·T (12 numbers, row by row) of each region, T = [R·S | c − R·S·c⁰], from the sums of m̃·x⊗[x⁰; 1]: c = Σ m̃x/M̃, R nearest
 * to A·Sᵀ, A = Σ m̃ x x⁰ᵀ − M̃ c c⁰ᵀ. With `plasticity` S flows afterwards: before T, it would cost angular momentum.
 */
export function writeTransforms(
  rest: RegionRest,
  sums: Float64Array,
  state: RegionState,
  transforms: Float64Array,
  plasticity: Plasticity | false,
  timeStep: number,
): void {
  const { regionTotals, regionCentres, restMoments, goalWeights } = rest;
  const { quaternions, flows, restScale } = state;
  for (let r = 0, k = 0, row = 0; r < regionTotals.length; r++, k += 3, row += MOMENT_STRIDE) {
    const inverse = 1 / regionTotals[r];
    const weight = goalWeights[r];
    const x0 = regionCentres[k];
    const y0 = regionCentres[k + 1];
    const z0 = regionCentres[k + 2];
    for (let c = 0; c < 3; c++) {
      const s = row + 4 * c;
      affine[3 * c] = sums[s] - sums[s + 3] * x0;
      affine[3 * c + 1] = sums[s + 1] - sums[s + 3] * y0;
      affine[3 * c + 2] = sums[s + 2] - sums[s + 3] * z0;
    }
    timesTransposed(affine, flows, 9 * r);
    nearestRotation(affine, 0, restMoments[r], quaternions, 4 * r, PREVIOUS_LINE_SHARE);
    rotationMatrix(quaternions, 4 * r, rotation);
    times(rotation, flows, 9 * r, linear);
    if (restScale !== 1) for (let c = 0; c < 9; c++) linear[c] *= restScale;
    for (let c = 0; c < 3; c++) {
      const s = row + 4 * c;
      const lx = linear[3 * c];
      const ly = linear[3 * c + 1];
      const lz = linear[3 * c + 2];
      transforms[s] = weight * lx;
      transforms[s + 1] = weight * ly;
      transforms[s + 2] = weight * lz;
      transforms[s + 3] = weight * (sums[s + 3] * inverse - (lx * x0 + ly * y0 + lz * z0));
    }
    if (plasticity) flow(rest.restMatrices, 6 * r, affine, rotation, flows, 9 * r, plasticity, timeStep);
  }
}

/** Tᵢ = Σ w·T / Wᵢ in place, from the sums over the regions that hold i. */
export function divideByLoads({ goalLoads }: RegionRest, frames: Float64Array): void {
  for (let i = 0, row = 0; i < goalLoads.length; i++) {
    const inverse = 1 / goalLoads[i];
    for (let c = 0; c < MOMENT_STRIDE; c++, row++) frames[row] *= inverse;
  }
}

/** gᵢ = Tᵢ·[x⁰ᵢ; 1] + origin. */
export function writeGoals(
  { positions: rest }: RegionRest,
  frames: Float64Array,
  origin: ArrayLike<number>,
  goals: Float64Array,
): void {
  for (let k = 0, row = 0; k < goals.length; k += 3, row += MOMENT_STRIDE) {
    const x = rest[k];
    const y = rest[k + 1];
    const z = rest[k + 2];
    for (let c = 0; c < 3; c++) {
      const s = row + 4 * c;
      goals[k + c] = origin[c] + frames[s] * x + frames[s + 1] * y + frames[s + 2] * z + frames[s + 3];
    }
  }
}

/** A ← A·Sᵀ */
function timesTransposed(a: Float64Array, s: Float64Array, at: number): void {
  for (let r = 0; r < 9; r += 3) {
    const [x, y, z] = [a[r], a[r + 1], a[r + 2]];
    for (let c = 0; c < 3; c++) a[r + c] = x * s[at + 3 * c] + y * s[at + 3 * c + 1] + z * s[at + 3 * c + 2];
  }
}

/** out = R·S */
function times(a: Float64Array, s: Float64Array, at: number, out: Float64Array): void {
  for (let r = 0; r < 9; r += 3) {
    for (let c = 0; c < 3; c++) out[r + c] = a[r] * s[at + c] + a[r + 1] * s[at + 3 + c] + a[r + 2] * s[at + 6 + c];
  }
}
