// Everything about a body at rest that the lattice solver needs; immutable, shared by all copies of the body.
// Its particles, as contact and volume see them, are the mesh's vertices in the mesh's own order.

import { boundingSphere, vertexAreas } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { type CheckedMaps, shareMass } from '../maps.js';
import { type PaintedRegions, paintRegions } from '../painted-regions.js';
import { bindSurface, type Embedding } from './embedding.js';
import { buildLattice, type Lattice } from './lattice.js';
import { spreadInwards } from './map-spreading.js';
import { occupyCells } from './occupancy.js';
import type { LatticeSettings } from './settings.js';
import { fastSums } from './sums.js';

export interface LatticeRest {
  /** Vertices of the surface. */
  readonly count: number;
  readonly order: Uint32Array;
  readonly mesh: TriangleMesh;
  /** Diameter of the surface's bounding sphere [m]. */
  readonly size: number;
  /** Share of the body's mass at each vertex, by vertex area and density; Σ = 1. */
  readonly massShares: Float64Array;
  readonly massFactor?: number;
  /** What is painted on stiffness and damping. */
  readonly stiffnesses?: PaintedRegions;
  readonly dampings?: PaintedRegions;
  readonly lattice: Lattice;
  readonly embedding: Embedding;
  /** x⁰ of the lattice [m], relative to its centre of mass. */
  readonly positions: Float64Array;
  /** Regions that hold each lattice particle. */
  readonly regionCounts: Float64Array;
  /** m̃ᵢ = mᵢ over the regions that hold i, for a lattice of mass 1. */
  readonly regionMasses: Float64Array;
  /** M̃ᵢ = Σ m̃ over the region. */
  readonly regionTotals: Float64Array;
  /** t⁰ᵢ [m]. */
  readonly regionCentres: Float64Array;
  /** Trace of A at rest, the natural size of a region's moments. */
  readonly restMoments: Float64Array;
}

export function buildLatticeRest(mesh: TriangleMesh, settings: LatticeSettings, maps: CheckedMaps = {}): LatticeRest {
  const occupancy = occupyCells(mesh, settings.resolution);
  const lattice = buildLattice(occupancy.grid, settings.regionSize);
  const areas = vertexAreas(mesh);
  const { shares: massShares, factor: massFactor } = shareMass(areas, maps.density);
  const embedding = bindSurface(mesh, massShares, occupancy, lattice);
  const positions = centred(lattice.positions, lattice.massShares);
  const regions = measureRegions(lattice, positions);
  const paint = (map: Float64Array | undefined) =>
    paintRegions(map && spreadInwards(map, embedding, lattice), (values) => {
      const sums = new Float64Array(values.length);
      fastSums(lattice, 1).overRegions(values, 1, sums);
      return sums.map((sum, i) => sum / regions.regionCounts[i]);
    });
  return {
    count: massShares.length,
    order: Uint32Array.from(massShares, (_, vertex) => vertex),
    mesh,
    size: 2 * boundingSphere(mesh.positions).radius,
    massShares,
    massFactor,
    stiffnesses: paint(maps.stiffness),
    dampings: paint(maps.damping),
    lattice,
    embedding,
    positions,
    ...regions,
  };
}

/** m̃, m̃x⁰, m̃|x⁰|² */
const STRIDE = 5;

function measureRegions(lattice: Lattice, x0: Float64Array) {
  const { count, massShares } = lattice;
  const sums = fastSums(lattice, STRIDE);
  const regionCounts = new Float64Array(count);
  sums.overRegions(new Float64Array(count).fill(1), 1, regionCounts);
  const regionMasses = massShares.map((m, i) => m / regionCounts[i]);
  const values = new Float64Array(STRIDE * count);
  const totals = new Float64Array(STRIDE * count);
  for (let i = 0; i < count; i++) {
    const m = regionMasses[i];
    const [x, y, z] = [x0[3 * i], x0[3 * i + 1], x0[3 * i + 2]];
    values.set([m, m * x, m * y, m * z, m * (x * x + y * y + z * z)], STRIDE * i);
  }
  sums.overMembers(values, STRIDE, totals);
  const regionTotals = new Float64Array(count);
  const regionCentres = new Float64Array(3 * count);
  const restMoments = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const [total, x, y, z, square] = totals.subarray(STRIDE * i, STRIDE * (i + 1));
    regionTotals[i] = total;
    regionCentres.set([x / total, y / total, z / total], 3 * i);
    restMoments[i] = square - (x * x + y * y + z * z) / total;
  }
  return { regionCounts, regionMasses, regionTotals, regionCentres, restMoments };
}

/** Positions relative to their weighted centre. */
function centred(positions: Float64Array, shares: Float64Array): Float64Array {
  const centre = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) centre[k % 3] += shares[Math.trunc(k / 3)] * positions[k];
  return positions.map((x, k) => x - centre[k % 3]);
}
