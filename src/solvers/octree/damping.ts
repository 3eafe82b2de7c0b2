// Damps what is not rigid motion, region by region, and a little what is not rigid motion of a whole connected part: slow
// bending of a long body is rigid to each of its regions.
// Based on: A. Rivers, D. James, FastLSM, 2007, with the octree's sums. Momenta are taken at the start of the step, about
// which the integrator keeps angular momentum to rounding.

import {
  DAMPING_STRIDE,
  FIELD_STRIDE,
  followFields,
  writeFields,
  writeMiddles,
  writeMomenta,
} from '../region-damping.js';
import type { RegionRest } from './region-rest.js';

/**
 * Damping of whole parts, as a share of that of regions. Of the energy of a free bar of 4 × 1 × 1 that is set to bend, damping
 * 0.3 left 20, 6 and 0.9 % after a second with 0, 0.02 and 0.05. It hardly acts on a beam that is held at one end, whose
 * swing is mostly a rotation.
 */
export const PART_SHARE = 0.05;

export interface DampingBuffers {
  /** Three numbers per node. */
  readonly places: Float64Array;
  /** DAMPING_STRIDE numbers per node in each. */
  readonly values: Float64Array;
  readonly sums: Float64Array;
  /** DAMPING_STRIDE and FIELD_STRIDE numbers per part, and one of mass. */
  readonly partSums: Float64Array;
  readonly partFields: Float64Array;
  readonly partMasses: Float64Array;
  readonly partMoments: Float64Array;
  readonly ones: Float64Array;
}

export function createDampingBuffers({ masses, partCount, parts, positions }: RegionRest): DampingBuffers {
  const count = masses.length;
  const partMasses = new Float64Array(partCount);
  const partMoments = new Float64Array(partCount);
  for (let i = 0; i < count; i++) {
    partMasses[parts[i]] += masses[i];
    const square = positions[3 * i] ** 2 + positions[3 * i + 1] ** 2 + positions[3 * i + 2] ** 2;
    partMoments[parts[i]] += masses[i] * square;
  }
  return {
    places: new Float64Array(3 * count),
    values: new Float64Array(DAMPING_STRIDE * count),
    sums: new Float64Array(DAMPING_STRIDE * count),
    partSums: new Float64Array(DAMPING_STRIDE * partCount),
    partFields: new Float64Array(FIELD_STRIDE * partCount),
    partMasses,
    partMoments,
    ones: new Float64Array(count).fill(1),
  };
}

/** v ← v + share·(v̂ − v), v̂ the weighted mean of the rigid velocity fields of the regions that hold the node. */
export function dampRegions(
  rest: RegionRest,
  positions: Float64Array,
  velocities: Float64Array,
  share: number,
  { places, values, sums }: DampingBuffers,
): void {
  writeMiddles(positions, velocities, 0, places);
  writeMomenta(rest.regionMasses, places, velocities, values);
  rest.sums.overMembers(values, DAMPING_STRIDE, sums);
  writeFields(rest, sums, values);
  for (let r = 0, k = 0; r < rest.masses.length; r++) {
    for (let c = 0; c < FIELD_STRIDE; c++, k++) values[k] *= rest.masses[r];
  }
  rest.sums.overRegions(values, FIELD_STRIDE, sums);
  followFields(rest.regionLoads, sums, places, share, velocities, rest.dampings);
}

/** v ← v + share·(v̂ − v), v̂ the rigid velocity field of the part of the body that the node is in. */
export function dampParts(
  rest: RegionRest,
  positions: Float64Array,
  velocities: Float64Array,
  share: number,
  buffers: DampingBuffers,
): void {
  const { places, values, sums, partSums, partFields, partMasses, partMoments, ones } = buffers;
  const { parts, masses } = rest;
  writeMiddles(positions, velocities, 0, places);
  writeMomenta(masses, places, velocities, values);
  partSums.fill(0);
  for (let i = 0, k = 0; i < parts.length; i++) {
    const to = DAMPING_STRIDE * parts[i];
    for (let c = 0; c < DAMPING_STRIDE; c++, k++) partSums[to + c] += values[k];
  }
  writeFields({ regionTotals: partMasses, restMoments: partMoments }, partSums, partFields);
  for (let i = 0, k = 0; i < parts.length; i++) {
    const from = FIELD_STRIDE * parts[i];
    for (let c = 0; c < FIELD_STRIDE; c++, k++) sums[k] = partFields[from + c];
  }
  followFields(ones, sums, places, share, velocities);
}
