// Everything about a body at rest that the surface solver needs; immutable, shared by all copies of the body.
// Particles are numbered in path order; `order` leads back to the mesh's own numbering.

import { adjacencyOf } from '../../mesh/adjacency.js';
import { vertexAreas, vertexNormals } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { type CheckedMaps, orderMap, shareMass } from '../maps.js';
import { type PaintedRegions, paintRegions } from '../painted-regions.js';
import { unitVectors } from '../volume/rest.js';
import type { NeighbourLists } from './patch-search.js';
import { buildPaths } from './paths.js';
import { chooseRings } from './region-radius.js';
import { buildRegions, type Regions } from './regions.js';
import type { SurfaceSettings } from './settings.js';

export interface SurfaceRest {
  readonly count: number;
  /** The mesh's own vertex at each place of path order. */
  readonly order: Uint32Array;
  /** First place of each path, and the count at the end. */
  readonly pathStarts: Uint32Array;
  /** The mesh renumbered in path order, where it stands in the file. */
  readonly mesh: TriangleMesh;
  /** x⁰ [m], relative to the centre of mass. */
  readonly positions: Float64Array;
  /** Share of the body's mass at each particle, by vertex area and density; Σ = 1. */
  readonly massShares: Float64Array;
  readonly massFactor?: number;
  /** What is painted on stiffness and damping. */
  readonly stiffnesses?: PaintedRegions;
  readonly dampings?: PaintedRegions;
  readonly areas: Float64Array;
  readonly unitNormals: Float64Array;
  /** ω in rings. */
  readonly rings: number;
  /** Factor on the stiffness that makes up for regions wider than the radius asked for. */
  readonly stiffnessScale: number;
  readonly regions: Regions;
  /** m̃ᵢ = mᵢ/|𝓡ᵢ| for a body of mass 1. */
  readonly regionMasses: Float64Array;
  /** M̃ᵢ = Σ m̃ over the region. */
  readonly regionTotals: Float64Array;
  /** t⁰ᵢ [m]. */
  readonly regionCentres: Float64Array;
  /** lᵢ = Σ m̃‖x⁰ⱼ − t⁰‖/M̃ [m], the arm of the extra point. */
  readonly extraLengths: Float64Array;
  /** Trace of A at rest, the natural size of a region's moments. */
  readonly restMoments: Float64Array;
}

export function buildSurfaceRest(source: TriangleMesh, settings: SurfaceSettings, maps: CheckedMaps = {}): SurfaceRest {
  const found = adjacencyOf(source);
  const paths = buildPaths(found, source.positions);
  const mesh = renumber(source, paths.order);
  const count = paths.order.length;
  const areas = vertexAreas(mesh);
  const { shares: massShares, factor: massFactor } = shareMass(areas, orderMap(maps.density, paths.order));
  const positions = centred(mesh.positions, massShares);
  const adjacency = renumberNeighbours(found, paths.order);
  const { rings, stiffnessScale } = chooseRings(settings, adjacency, positions, massShares);
  const regions = buildRegions(adjacency, rings);
  const unitNormals = unitVectors(vertexNormals(mesh.positions, mesh.triangles));
  const regionMasses = massShares.map((m, i) => m / regions.sizes[i]);
  return {
    count,
    order: paths.order,
    pathStarts: paths.starts,
    mesh,
    positions,
    massShares,
    massFactor,
    stiffnesses: paintRegions(orderMap(maps.stiffness, paths.order), meanOver(regions)),
    dampings: paintRegions(orderMap(maps.damping, paths.order), meanOver(regions)),
    areas,
    unitNormals,
    rings,
    stiffnessScale,
    regions,
    regionMasses,
    ...measureRegions(positions, unitNormals, regionMasses, regions),
  };
}

/** Means over the regions that hold each particle: whom a region holds, of those the regions hold it. */
const meanOver =
  ({ sizes, offsets, begins, ends }: Regions) =>
  (values: Float64Array): Float64Array =>
    values.map((_, i) => {
      let sum = 0;
      for (let e = offsets[i]; e < offsets[i + 1]; e++) for (let j = begins[e]; j < ends[e]; j++) sum += values[j];
      return sum / sizes[i];
    });

/** Masses, centres, extra points and moments of regions at rest. */
export function measureRegions(x0: Float64Array, unitNormals: Float64Array, masses: Float64Array, regions: Regions) {
  const { count, offsets, begins, ends } = regions;
  const regionTotals = new Float64Array(count);
  const regionCentres = new Float64Array(3 * count);
  const extraLengths = new Float64Array(count);
  const restMoments = new Float64Array(count);
  // x⁰ and m̃ side by side: regions have a thousand members, and each is read twice.
  const members = new Float64Array(4 * count);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) members[4 * i + c] = x0[3 * i + c];
    members[4 * i + 3] = masses[i];
  }
  for (let i = 0; i < count; i++) {
    let total = 0;
    let tx = 0;
    let ty = 0;
    let tz = 0;
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      for (let at = 4 * begins[e], end = 4 * ends[e]; at < end; at += 4) {
        const m = members[at + 3];
        total += m;
        tx += m * members[at];
        ty += m * members[at + 1];
        tz += m * members[at + 2];
      }
    }
    tx /= total;
    ty /= total;
    tz /= total;
    let length = 0;
    let moment = 0;
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      for (let at = 4 * begins[e], end = 4 * ends[e]; at < end; at += 4) {
        const dx = members[at] - tx;
        const dy = members[at + 1] - ty;
        const dz = members[at + 2] - tz;
        const d2 = dx * dx + dy * dy + dz * dz;
        length += members[at + 3] * Math.sqrt(d2);
        moment += members[at + 3] * d2;
      }
    }
    length /= total;
    const px = x0[3 * i] + length * unitNormals[3 * i] - tx;
    const py = x0[3 * i + 1] + length * unitNormals[3 * i + 1] - ty;
    const pz = x0[3 * i + 2] + length * unitNormals[3 * i + 2] - tz;
    regionTotals[i] = total;
    regionCentres[3 * i] = tx;
    regionCentres[3 * i + 1] = ty;
    regionCentres[3 * i + 2] = tz;
    extraLengths[i] = length;
    restMoments[i] = moment + masses[i] * (px * px + py * py + pz * pz);
  }
  return { regionTotals, regionCentres, extraLengths, restMoments };
}

/** The same mesh with vertex order[k] as vertex k. */
function renumber(mesh: TriangleMesh, order: Uint32Array): TriangleMesh {
  const positions = new Float64Array(mesh.positions.length);
  const places = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) {
    const vertex = order[place];
    places[vertex] = place;
    for (let c = 0; c < 3; c++) positions[3 * place + c] = mesh.positions[3 * vertex + c];
  }
  return { positions, triangles: mesh.triangles.map((vertex) => places[vertex]) };
}

/** Positions relative to their weighted centre. */
function centred(positions: Float64Array, shares: Float64Array): Float64Array {
  const centre = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) centre[k % 3] += shares[Math.trunc(k / 3)] * positions[k];
  return positions.map((x, k) => x - centre[k % 3]);
}

/** Neighbours of vertex order[k] as those of vertex k, ascending. */
function renumberNeighbours(
  { vertexCount, neighbourOffsets: lists, neighbours }: NeighbourLists,
  order: Uint32Array,
): NeighbourLists {
  const places = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) places[order[place]] = place;
  const neighbourOffsets = new Uint32Array(order.length + 1);
  const renumbered = new Uint32Array(neighbours.length);
  for (let place = 0, size = 0; place < order.length; place++) {
    const first = size;
    for (let e = lists[order[place]]; e < lists[order[place] + 1]; e++) {
      const other = places[neighbours[e]];
      let at = size++;
      for (; at > first && renumbered[at - 1] > other; at--) renumbered[at] = renumbered[at - 1];
      renumbered[at] = other;
    }
    neighbourOffsets[place + 1] = size;
  }
  return { vertexCount, neighbourOffsets, neighbours: renumbered };
}
