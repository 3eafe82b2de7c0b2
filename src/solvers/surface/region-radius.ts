// Regions by size instead of rings, so that the behaviour does not depend on the mesh's resolution.
// Rings are whole numbers and coarse meshes have wide ones: regions are taken at least as wide as asked for, and the
// stiffness is lowered by what they are wider.

import { power } from '../../math/power.js';
import { boundingSphere } from '../../mesh/measure.js';
import type { NeighbourLists } from './patch-search.js';
import { gatherRings } from './regions.js';
import { MAX_REGION_SIZE, type SurfaceSettings } from './settings.js';

/** Regions looked at to find how wide ω rings are. */
const SAMPLES = 128;
/**
 * A region r times as wide acts like r³ times the stiffness. Measured on dropped balls of 134…2258 vertices, ω = 1…8: the
 * exponents that keep the lowest height are 2.3 (narrow regions) to 3.2 (wide ones).
 */
const WIDTH_EXPONENT = 3;

export interface RingChoice {
  readonly rings: number;
  /** Factor on the stiffness, at most 1. */
  readonly stiffnessScale: number;
}

/** ω as given, or the smallest whose regions reach the radius given as a fraction of the body's size. */
export function chooseRings(
  settings: SurfaceSettings,
  adjacency: NeighbourLists,
  positions: Float64Array,
  massShares: Float64Array,
): RingChoice {
  if (settings.regionRadius === undefined) return { rings: settings.regionSize as number, stiffnessScale: 1 };
  const radius = settings.regionRadius * 2 * boundingSphere(positions).radius;
  let rings = 0;
  let width = 0;
  while (width < radius && rings < MAX_REGION_SIZE) width = regionWidth(adjacency, positions, massShares, ++rings);
  return { rings, stiffnessScale: Math.min(1, power(radius / width, WIDTH_EXPONENT)) };
}

/** Radius [m] of the flat disc with the same mean square distance from its centre as regions of ω rings have. */
function regionWidth(
  adjacency: NeighbourLists,
  positions: Float64Array,
  massShares: Float64Array,
  rings: number,
): number {
  const { vertexCount } = adjacency;
  const stride = Math.max(1, Math.floor(vertexCount / SAMPLES));
  const seen = new Int32Array(vertexCount).fill(-1);
  const members = new Uint32Array(vertexCount);
  let weight = 0;
  let square = 0;
  for (let i = 0; i < vertexCount; i += stride) {
    const size = gatherRings(adjacency, i, rings, members, seen);
    weight += massShares[i];
    square += massShares[i] * meanSquareRadius(members.subarray(0, size), positions, massShares);
  }
  return Math.sqrt((2 * square) / weight);
}

function meanSquareRadius(members: Uint32Array, positions: Float64Array, masses: Float64Array): number {
  let mass = 0;
  const sum = [0, 0, 0];
  let square = 0;
  for (const j of members) {
    mass += masses[j];
    for (let c = 0; c < 3; c++) {
      sum[c] += masses[j] * positions[3 * j + c];
      square += masses[j] * positions[3 * j + c] ** 2;
    }
  }
  return square / mass - (sum[0] ** 2 + sum[1] ** 2 + sum[2] ** 2) / mass ** 2;
}
