// Damps what is not rigid motion, region by region of the lattice.
// Based on: A. Rivers, D. James, FastLSM, 2007; what is summed is that of the surface solver.

import {
  DAMPING_STRIDE,
  FIELD_STRIDE,
  followFields,
  writeFields,
  writeMiddles,
  writeMomenta,
} from '../region-damping.js';
import type { LatticeRest } from './rest.js';
import type { RegionSums } from './sums.js';

/** Scratch with DAMPING_STRIDE numbers per lattice particle in each. */
export interface DampingBuffers {
  readonly middles: Float64Array;
  readonly values: Float64Array;
  readonly sums: Float64Array;
}

/** v ← v + share·(v̂ − v), v̂ the mean of the rigid velocity fields of the regions that hold the particle. */
export function dampVelocities(
  rest: LatticeRest,
  regions: RegionSums,
  starts: Float64Array,
  velocities: Float64Array,
  timeStep: number,
  share: number,
  { middles, values, sums }: DampingBuffers,
): void {
  writeMiddles(starts, velocities, timeStep, middles);
  writeMomenta(rest.regionMasses, middles, velocities, values);
  regions.overMembers(values, DAMPING_STRIDE, sums);
  writeFields(rest, sums, values);
  regions.overRegions(values, FIELD_STRIDE, sums);
  followFields(rest.regionCounts, sums, middles, share, velocities, rest.dampings);
}
