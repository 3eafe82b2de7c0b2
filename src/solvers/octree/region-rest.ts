// What sums and step need of a forest whose regions are up to date, as arrays: constants until the forest changes.
// Masses in regions are m̃ᵢ = mᵢ/Mᵢ, Mᵢ the masses of all regions that hold i: with the paper's mᵢ a spinning hand gained
// 2870 times its energy in 10 s; so none.

import { type PaintedRegions, paintRegions } from '../painted-regions.js';
import { DAMPING_STRIDE } from '../region-damping.js';
import type { OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';
import { flattenForest, HierarchicalSums } from './sums.js';
import { graphParts } from './visibility.js';

export interface RegionRest {
  readonly leaves: readonly OctreeNode[];
  readonly sums: HierarchicalSums;
  /** m, share of the body's mass; Σ = 1. */
  readonly masses: Float64Array;
  /** Centre of mass at rest [m], in the mesh's coordinates. */
  readonly centre: Float64Array;
  /** x⁰ [m], relative to it. */
  readonly positions: Float64Array;
  /** Mᵢ: mass of all regions that hold i, each counting as its leaf. */
  readonly regionLoads: Float64Array;
  /** w: weight of each region in the goals, its leaf's mass times its share of the body's stiffness. */
  readonly goalWeights: Float64Array;
  /** Wᵢ: Σ w of the regions that hold i. */
  readonly goalLoads: Float64Array;
  /** What is painted on the damping of the regions. */
  readonly dampings?: PaintedRegions;
  /** m̃ᵢ = mᵢ/Mᵢ. */
  readonly regionMasses: Float64Array;
  /** M̃ = Σ m̃ over the region. */
  readonly regionTotals: Float64Array;
  /** c⁰ [m]. */
  readonly regionCentres: Float64Array;
  /** Q = Σ m̃ x⁰x⁰ᵀ − M̃ c⁰c⁰ᵀ: xx, xy, xz, yy, yz, zz. */
  readonly restMatrices: Float64Array;
  /** Trace of Q, the natural size of a region's moments. */
  readonly restMoments: Float64Array;
  /** Part of the visibility graph of each leaf, numbered from 0. */
  readonly parts: Uint32Array;
  readonly partCount: number;
}

/** m̃, m̃x⁰, m̃x⁰x⁰ᵀ */
const STRIDE = 10;

export function buildRegionRest(forest: OctreeForest): RegionRest {
  const leaves = forest.leaves();
  const count = leaves.length;
  const sums = new HierarchicalSums(flattenForest(forest.roots, leaves), DAMPING_STRIDE);
  const total = leaves.reduce((sum, { mass }) => sum + mass, 0);
  const masses = Float64Array.from(leaves, ({ mass }) => mass / total);
  const centre = new Float64Array(3);
  leaves.forEach(({ rest }, i) => {
    for (let c = 0; c < 3; c++) centre[c] += masses[i] * rest[c];
  });
  const positions = new Float64Array(3 * count);
  leaves.forEach(({ rest }, i) => {
    for (let c = 0; c < 3; c++) positions[3 * i + c] = rest[c] - centre[c];
  });
  const goalWeights = Float64Array.from(leaves, ({ stiffness }, r) => masses[r] * stiffness);
  const regionLoads = new Float64Array(count);
  const goalLoads = new Float64Array(count);
  sums.overRegions(masses, 1, regionLoads);
  sums.overRegions(goalWeights, 1, goalLoads);
  const dampings = paintDampings(leaves, masses, regionLoads, sums);
  const parts = new Uint32Array(count);
  const places = new Map(leaves.map((leaf, i) => [leaf, i]));
  const graph = graphParts(leaves);
  graph.forEach((part, number) => {
    for (const leaf of part) parts[places.get(leaf) as number] = number;
  });
  const fixed = { leaves, sums, masses, centre, positions, regionLoads, goalWeights, goalLoads, dampings };
  return { ...fixed, ...measureRegions(sums, masses, regionLoads, positions), parts, partCount: graph.length };
}

/** What is painted on the damping of regions, where anything is. */
function paintDampings(
  leaves: readonly OctreeNode[],
  masses: Float64Array,
  loads: Float64Array,
  sums: HierarchicalSums,
): PaintedRegions | undefined {
  if (leaves.every(({ damping }) => damping === 1)) return undefined;
  return paintRegions(
    Float64Array.from(leaves, ({ damping }) => damping),
    (factors) => {
      const means = new Float64Array(factors.length);
      sums.overRegions(
        factors.map((factor, r) => factor * masses[r]),
        1,
        means,
      );
      return means.map((sum, i) => sum / loads[i]);
    },
  );
}

function measureRegions(sums: HierarchicalSums, masses: Float64Array, loads: Float64Array, x0: Float64Array) {
  const count = masses.length;
  const regionMasses = masses.map((m, i) => m / loads[i]);
  const values = new Float64Array(STRIDE * count);
  const totals = new Float64Array(STRIDE * count);
  for (let i = 0; i < count; i++) {
    const m = regionMasses[i];
    const [x, y, z] = [x0[3 * i], x0[3 * i + 1], x0[3 * i + 2]];
    values.set([m, m * x, m * y, m * z, m * x * x, m * x * y, m * x * z, m * y * y, m * y * z, m * z * z], STRIDE * i);
  }
  sums.overMembers(values, STRIDE, totals);
  const regionTotals = new Float64Array(count);
  const regionCentres = new Float64Array(3 * count);
  const restMatrices = new Float64Array(6 * count);
  const restMoments = new Float64Array(count);
  for (let r = 0; r < count; r++) {
    const [m, sx, sy, sz, xx, xy, xz, yy, yz, zz] = totals.subarray(STRIDE * r, STRIDE * (r + 1));
    const [x, y, z] = [sx / m, sy / m, sz / m];
    regionTotals[r] = m;
    regionCentres.set([x, y, z], 3 * r);
    const q = [xx - sx * x, xy - sx * y, xz - sx * z, yy - sy * y, yz - sy * z, zz - sz * z];
    restMatrices.set(q, 6 * r);
    restMoments[r] = Math.max(0, q[0]) + Math.max(0, q[3]) + Math.max(0, q[5]);
  }
  return { regionMasses, regionTotals, regionCentres, restMatrices, restMoments };
}
