// Level of detail: leaves are split into finer ones, or merged into coarser ones, while the body moves.

import { changeForest, type ForestChange } from './change.js';
import type { OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';
import { isBranched } from './refinement.js';

/** Splits leaves, and what comes of them as long as `again` says so; those of the finest level stay. */
export function refineLeaves(
  forest: OctreeForest,
  leaves: Iterable<OctreeNode>,
  again: (part: OctreeNode, of: OctreeNode) => boolean = () => false,
): ForestChange {
  const { levels } = forest.grid;
  const coarse = [...new Set(leaves)].filter(({ level }) => level < levels);
  return changeForest(forest, coarse, () => {
    const created = new Map<OctreeNode, readonly OctreeNode[]>();
    for (const source of coarse) {
      const open = [source];
      for (const leaf of open) {
        forest.split(leaf);
        for (const part of leaf.children) {
          if (part.level < levels && again(part, source)) open.push(part);
          else created.set(part, [source]);
        }
      }
    }
    return { created, absorbed: [], split: coarse };
  });
}

/** Nodes whose children are all leaves and that may be one: where branches would move as one they stay apart. */
export function findCoarsenable(forest: OctreeForest, nodes: Iterable<OctreeNode>): OctreeNode[] {
  return [...new Set(nodes)].filter((node) => {
    if (node.children.length === 0 || node.children.some(({ children }) => children.length > 0)) return false;
    const voxels = Int32Array.from(node.children.flatMap((child) => [...child.voxels]));
    return !isBranched(forest.finder, { ...node, voxels });
  });
}

/** Merges the children of nodes, where they may be one. */
export function coarsenNodes(forest: OctreeForest, nodes: Iterable<OctreeNode>): ForestChange {
  const parents = findCoarsenable(forest, nodes);
  const touched = parents.flatMap(({ children }) => children);
  return changeForest(forest, touched, () => {
    const created = new Map<OctreeNode, readonly OctreeNode[]>();
    for (const node of parents) {
      created.set(node, node.children);
      const mean = (value: (child: OctreeNode) => number): number =>
        node.children.reduce((sum, child) => sum + child.mass * value(child), 0) / node.mass;
      node.width = Math.round(mean(({ width }) => width));
      node.stiffness = mean(({ stiffness }) => stiffness);
      node.damping = mean(({ damping }) => damping);
      forest.merge(node);
    }
    return { created, absorbed: [], split: [] };
  });
}
