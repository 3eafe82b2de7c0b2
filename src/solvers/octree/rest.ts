// Everything about a body at rest that the octree solver needs, shared by all copies of the body until one is cut or refined.
// Its particles, as contact and volume see them, are the mesh's vertices, part by part.

import { boundingSphere, meanEdgeLength, vertexAreas } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { type CheckedMaps, shareMass } from '../maps.js';
import type { CutFaces } from '../solver-rest.js';
import type { OctreeForest } from './forest.js';
import { orderForest } from './forest-order.js';
import { findRegions, plantForest } from './grow.js';
import { type OctreePaint, paintForest } from './paint.js';
import { orderParts, reorderMesh } from './part-order.js';
import { buildRegionRest, type RegionRest } from './region-rest.js';
import type { OctreeSettings } from './settings.js';
import { bindSkin, findVertexVoxels, type Skin } from './skin.js';

export interface OctreeRest {
  /** Vertices of the surface. */
  readonly count: number;
  readonly order: Uint32Array;
  /** First place of each closed part, and the count at the end. */
  readonly parts: Uint32Array;
  readonly mesh: TriangleMesh;
  /** Diameter of the surface's bounding sphere [m]. */
  readonly size: number;
  /** Share of the body's mass at each vertex, by vertex area; Σ = 1. */
  readonly massShares: Float64Array;
  readonly massFactor?: number;
  /** What stiffness and damping are by, so that no painted factor is above 1. */
  readonly stiffnessScale: number;
  readonly dampingScale: number;
  readonly forest: OctreeForest;
  readonly regions: RegionRest;
  /** The voxel under each vertex. */
  readonly vertexVoxels: Int32Array;
  readonly skin: Skin;
  readonly cutFaces?: CutFaces;
  /** Of a body that was cut: how many vertices it had before, and how long the edges of cut faces may be [m]. */
  readonly uncutCount?: number;
  readonly faceSpacing?: number;
  /** Of a body that was part of another: its leaves there by number, in the order of its own. */
  readonly partOf?: { readonly leaves: Uint32Array };
}

/**
 * The longest edge of cut faces, in mean edges of the surface before its first cut: they are flat but for what bends them, and the mean of a
 * surface with the slivers of many cuts would be ever shorter.
 */
const FACE_SPACING = 2;

/** The longest edge of cut faces [m]. */
export const faceSpacingOf = ({ faceSpacing, mesh }: OctreeRest): number =>
  faceSpacing ?? FACE_SPACING * meanEdgeLength(mesh);

/** The largest factor of a map; 1 where there is none. */
const largestOf = (map?: ArrayLike<number>): number =>
  map ? Array.from(map).reduce((most, factor) => Math.max(most, factor), 0) || 1 : 1;

const scaled = (map: ArrayLike<number> | undefined, scale: number) =>
  map && Array.from(map, (factor) => factor / scale);

/** @throws RangeError where the mesh has no part as large as a few voxels. */
export function buildOctreeRest(
  given: TriangleMesh,
  settings: OctreeSettings,
  { stiffness, damping, density, ...paint }: OctreePaint & CheckedMaps = {},
): OctreeRest {
  const { order, parts } = orderParts(given);
  const mesh = reorderMesh(given, order);
  const inOrder = (map?: ArrayLike<number>) => map && Array.from(order, (vertex) => map[vertex]);
  const forest = plantForest(mesh, settings);
  if (forest.roots.length === 0) {
    throw new RangeError('cells: expected cells small enough for the body, whose parts are all thinner than a voxel');
  }
  orderForest(forest);
  const vertexVoxels = findVertexVoxels(mesh, forest.grid);
  const [stiffnessScale, dampingScale] = [largestOf(stiffness), largestOf(damping)];
  paintForest(forest, vertexVoxels, {
    ...paint,
    stiffness: inOrder(scaled(stiffness, stiffnessScale)),
    damping: inOrder(scaled(damping, dampingScale)),
  });
  findRegions(forest, forest.leaves());
  const regions = buildRegionRest(forest);
  const { shares: massShares, factor: massFactor } = shareMass(
    vertexAreas(mesh),
    density && Float64Array.from(order, (vertex) => density[vertex]),
  );
  return {
    count: massShares.length,
    order,
    parts,
    mesh,
    size: 2 * boundingSphere(mesh.positions).radius,
    massShares,
    massFactor,
    stiffnessScale,
    dampingScale,
    forest,
    regions,
    vertexVoxels,
    skin: bindSkin(mesh.positions, massShares, vertexVoxels, forest, regions.leaves),
  };
}
