// Damps what is not rigid motion, region by region.
// Based on: what `region-damping` names; region sums as DBB11 §4.

import {
  DAMPING_STRIDE,
  FIELD_STRIDE,
  followFields,
  writeFields,
  writeMiddles,
  writeMomenta,
} from '../region-damping.js';
import { prefixSums, sumIntervals } from './region-sums.js';
import type { SurfaceRest } from './rest.js';

export interface DampingBuffers {
  readonly middles: Float64Array;
  readonly values: Float64Array;
  readonly prefix: Float64Array;
  readonly sums: Float64Array;
}

export const createDampingBuffers = (count: number): DampingBuffers => ({
  middles: new Float64Array(3 * count),
  values: new Float64Array(DAMPING_STRIDE * count),
  prefix: new Float64Array(DAMPING_STRIDE * (count + 1)),
  sums: new Float64Array(DAMPING_STRIDE * count),
});

/** v ← v + share·(v̂ − v), v̂ the mean of the rigid velocity fields of the regions that hold the particle. */
export function dampVelocities(
  rest: SurfaceRest,
  starts: Float64Array,
  velocities: Float64Array,
  timeStep: number,
  share: number,
  { middles, values, prefix, sums }: DampingBuffers,
): void {
  const { regions } = rest;
  writeMiddles(starts, velocities, timeStep, middles);
  writeMomenta(rest.regionMasses, middles, velocities, values);
  prefixSums(values, DAMPING_STRIDE, prefix);
  sumIntervals(prefix, DAMPING_STRIDE, regions, sums);
  writeFields(rest, sums, values);
  prefixSums(values.subarray(0, FIELD_STRIDE * regions.count), FIELD_STRIDE, prefix);
  sumIntervals(prefix, FIELD_STRIDE, regions, sums);
  followFields(regions.sizes, sums, middles, share, velocities, rest.dampings);
}
