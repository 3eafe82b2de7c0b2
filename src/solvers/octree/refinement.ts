// Which nodes are split: where the solid would otherwise be connected wrongly (topology), where it is thin, or at its surface.

import type { ComponentFinder } from './components.js';
import { absorbDebris } from './debris.js';
import type { OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';
import { cellShift, insideVoxels } from './voxels.js';

/** 'topology' splits U-shaped nodes; 'thin' also those that fill less than half of their cell; 'surface' all not full. */
export type Refinement = 'thin' | 'topology' | 'surface';
export const REFINEMENTS: readonly Refinement[] = ['thin', 'topology', 'surface'];

/** A node that fills less of its cell than this is thin: a finger gets nodes along its length. */
const THIN_FILL = 0.5;

/**
 * Whether at some finer level a cell holds two components of the node: it is U-shaped, or a cut ends inside. Such a node
 * moves two branches as one.
 */
export function isBranched(finder: ComponentFinder, node: OctreeNode): boolean {
  const { levels } = finder.grid;
  for (let level = node.level + 1; level <= levels; level++) {
    const cells = new Set<number>();
    for (const { cell } of finder.find(node.voxels, level)) {
      const key = cell[0] + 4096 * (cell[1] + 4096 * cell[2]);
      if (cells.has(key)) return true;
      cells.add(key);
    }
  }
  return false;
}

/** Splits the leaves below a node until no criterion asks for more. */
export function refineNode(forest: OctreeForest, node: OctreeNode, refinement: Refinement): void {
  const { levels } = forest.grid;
  if (node.level >= levels || !wantsSplit(forest, node, refinement)) return;
  forest.split(node);
  for (const child of node.children) refineNode(forest, child, refinement);
}

function wantsSplit({ grid, finder }: OctreeForest, node: OctreeNode, refinement: Refinement): boolean {
  const cellVoxels = 1 << (3 * cellShift(grid.levels, node.level));
  const fill = node.voxels.length / cellVoxels;
  if (refinement === 'surface' && fill < 1) return true;
  // The finest level is left to topology: fingers need nodes along their length, not across.
  if (refinement === 'thin' && fill < THIN_FILL && node.level < Math.max(1, grid.levels - 1)) return true;
  return isBranched(finder, node);
}

/** Fills a forest with the nodes of its grid. */
export function growForest(forest: OctreeForest, refinement: Refinement): void {
  const { finder, grid } = forest;
  for (const part of finder.find(insideVoxels(grid), 0)) {
    forest.roots.push(forest.createLeaf(part, 0, undefined, part.voxels.length));
  }
  absorbDebris(forest, [...forest.roots]);
  for (const root of forest.roots) refineNode(forest, root, refinement);
}
