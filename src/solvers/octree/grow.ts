// From a mesh to a forest that is ready to step: voxels, nodes, graph and regions.

import { findPieces } from '../../mesh/mesh-pieces.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';
import { growForest, type Refinement } from './refinement.js';
import { findRegion } from './regions.js';
import { rejoinPieces } from './rejoining.js';
import { linkLeaves } from './visibility.js';
import { findVoxelPieces } from './voxel-pieces.js';
import { insideVoxels, voxelise } from './voxels.js';

export interface GrowSettings {
  /** Base cells along the longest side. */
  readonly cells: number;
  /** D: finest cells are 2^D times smaller. */
  readonly levels: number;
  readonly refine: Refinement;
  /** Half-width of a region, in base cells. */
  readonly width: number;
}

/**
 * Half-width in half finest cells of one in base cells. One less than asked for: where a width ends just between two cells,
 * all levels agree best when the farther one is left out.
 */
export const widthUnits = (width: number, levels: number): number =>
  Math.max(0, Math.round(width * 2 * (1 << levels)) - 1);

/** A forest without regions yet: `width` and `stiffness` may be painted on its leaves. */
export function plantForest(mesh: TriangleMesh, settings: GrowSettings): OctreeForest {
  const forest = new OctreeForest(voxelise(mesh, settings.cells, settings.levels).grid);
  bridgeNecks(forest, mesh);
  growForest(forest, settings.refine);
  const leaves = forest.leaves();
  for (const leaf of leaves) leaf.width = widthUnits(settings.width, settings.levels);
  linkLeaves(forest, leaves);
  return forest;
}

/** Joins matter that a closed piece of the mesh holds together by less than a voxel. */
function bridgeNecks(forest: OctreeForest, mesh: TriangleMesh): void {
  const { grid, finder } = forest;
  if (finder.findParts(insideVoxels(grid)).length < 2) return;
  const { pieceOf, count } = findPieces(mesh);
  rejoinPieces(forest, findVoxelPieces(grid, mesh, pieceOf, count), [], new Set(pieceOf));
}

/** Finds the regions of some leaves. */
export function findRegions(forest: OctreeForest, leaves: Iterable<OctreeNode>): void {
  const { search } = forest;
  search.hold(() => {
    for (const leaf of leaves) leaf.region = findRegion(search, leaf);
  });
}

/** The whole way, with the same width and stiffness everywhere. */
export function growOctree(mesh: TriangleMesh, settings: GrowSettings): OctreeForest {
  const forest = plantForest(mesh, settings);
  findRegions(forest, forest.leaves());
  return forest;
}
