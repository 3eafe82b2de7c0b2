// What damping by regions computes, whatever the regions are and however sums over them are formed: momenta, the rigid
// velocity field of each region, and the way of the velocities towards the mean of the fields.
// Based on: Müller, Heidelberger, Hennix, Ratcliff, Position Based Dynamics, 2007, §3.5; per region as Rivers and James,
// FastLSM, 2007. Deviation: momenta are taken at the middle of the step, xⁿ + ½Δt·v, where a finite rotation's velocities
// are exactly ω×r, so that a spinning rigid body is not damped at all.

import { solveSymmetric } from '../math/mat3.js';
import type { PaintedRegions } from './painted-regions.js';
import { INERTIA_FLOOR } from './tuning.js';

/** m̃·x (3), m̃·v (3), m̃·x×v (3), m̃·xxᵀ (6: xx, xy, xz, yy, yz, zz). */
export const DAMPING_STRIDE = 15;
/** ω (3), v − ω×t (3): the region's velocity field as a function of x. */
export const FIELD_STRIDE = 6;

const inertia = new Float64Array(6);
const angular = new Float64Array(3);
const turn = new Float64Array(3);

/** Writes positions at the middle of the step [m], relative to where the first particle started. */
export function writeMiddles(
  starts: Float64Array,
  velocities: Float64Array,
  timeStep: number,
  middles: Float64Array,
): void {
  for (let k = 0; k < starts.length; k++) middles[k] = starts[k] - starts[k % 3] + 0.5 * timeStep * velocities[k];
}

/** Writes DAMPING_STRIDE numbers per particle, to be summed over the members of each region. */
export function writeMomenta(
  regionMasses: Float64Array,
  middles: Float64Array,
  velocities: Float64Array,
  values: Float64Array,
): void {
  for (let i = 0, k = 0, row = 0; i < regionMasses.length; i++, k += 3, row += DAMPING_STRIDE) {
    const m = regionMasses[i];
    const x = middles[k];
    const y = middles[k + 1];
    const z = middles[k + 2];
    const u = velocities[k];
    const v = velocities[k + 1];
    const w = velocities[k + 2];
    values[row] = m * x;
    values[row + 1] = m * y;
    values[row + 2] = m * z;
    values[row + 3] = m * u;
    values[row + 4] = m * v;
    values[row + 5] = m * w;
    values[row + 6] = m * (y * w - z * v);
    values[row + 7] = m * (z * u - x * w);
    values[row + 8] = m * (x * v - y * u);
    values[row + 9] = m * x * x;
    values[row + 10] = m * x * y;
    values[row + 11] = m * x * z;
    values[row + 12] = m * y * y;
    values[row + 13] = m * y * z;
    values[row + 14] = m * z * z;
  }
}

/** Writes the rigid velocity field of each region (FIELD_STRIDE numbers) from the sums of its momenta. */
export function writeFields(
  {
    regionTotals,
    restMoments,
    dampings,
  }: {
    readonly regionTotals: Float64Array;
    readonly restMoments: Float64Array;
    readonly dampings?: PaintedRegions;
  },
  sums: Float64Array,
  fields: Float64Array,
): void {
  for (let i = 0, s = 0, row = 0; i < regionTotals.length; i++, s += DAMPING_STRIDE, row += FIELD_STRIDE) {
    const mass = regionTotals[i];
    const tx = sums[s] / mass;
    const ty = sums[s + 1] / mass;
    const tz = sums[s + 2] / mass;
    const vx = sums[s + 3] / mass;
    const vy = sums[s + 4] / mass;
    const vz = sums[s + 5] / mass;
    angular[0] = sums[s + 6] - mass * (ty * vz - tz * vy);
    angular[1] = sums[s + 7] - mass * (tz * vx - tx * vz);
    angular[2] = sums[s + 8] - mass * (tx * vy - ty * vx);
    const xx = sums[s + 9] - mass * tx * tx;
    const yy = sums[s + 12] - mass * ty * ty;
    const zz = sums[s + 14] - mass * tz * tz;
    inertia[0] = yy + zz;
    inertia[1] = mass * tx * ty - sums[s + 10];
    inertia[2] = mass * tx * tz - sums[s + 11];
    inertia[3] = xx + zz;
    inertia[4] = mass * ty * tz - sums[s + 13];
    inertia[5] = xx + yy;
    solveSymmetric(inertia, INERTIA_FLOOR * restMoments[i], angular, turn);
    fields[row] = turn[0];
    fields[row + 1] = turn[1];
    fields[row + 2] = turn[2];
    fields[row + 3] = vx - (turn[1] * tz - turn[2] * ty);
    fields[row + 4] = vy - (turn[2] * tx - turn[0] * tz);
    fields[row + 5] = vz - (turn[0] * ty - turn[1] * tx);
    if (dampings) for (let c = row; c < row + FIELD_STRIDE; c++) fields[c] *= dampings.factors[i];
  }
}

/**
 * v ← v + share·(v̂ − v), v̂ the mean of the fields of the `counts` regions that hold the particle, from their sums; with factors
 * painted on the regions it is their mean times v that is taken from it.
 */
export function followFields(
  counts: ArrayLike<number>,
  sums: Float64Array,
  middles: Float64Array,
  share: number,
  velocities: Float64Array,
  painted?: PaintedRegions,
): void {
  for (let i = 0, k = 0, row = 0; i < counts.length; i++, k += 3, row += FIELD_STRIDE) {
    const mean = painted ? painted.means[i] : 1;
    const inverse = 1 / counts[i];
    const wx = sums[row] * inverse;
    const wy = sums[row + 1] * inverse;
    const wz = sums[row + 2] * inverse;
    const x = middles[k];
    const y = middles[k + 1];
    const z = middles[k + 2];
    velocities[k] += share * (sums[row + 3] * inverse + wy * z - wz * y - mean * velocities[k]);
    velocities[k + 1] += share * (sums[row + 4] * inverse + wz * x - wx * z - mean * velocities[k + 1]);
    velocities[k + 2] += share * (sums[row + 5] * inverse + wx * y - wy * x - mean * velocities[k + 2]);
  }
}
