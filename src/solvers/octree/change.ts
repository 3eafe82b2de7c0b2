// A change of the forest while bodies move (a cut, another level of detail): which edges and regions must be found anew, and
// only these.
// Based on: [SOG08 §5.3]; deviation: the printed set of regions is too small, as paths may run through leaves that are no
// members: of 139 to 283 regions that changed it missed up to 38. One search from all touched leaves finds them exactly.

import type { Absorption } from './debris.js';
import type { OctreeForest } from './forest.js';
import { findRegions } from './grow.js';
import type { OctreeNode } from './node.js';
import { bandOf, regionWidth } from './regions.js';
import { linkLeaves, unlinkLeaf } from './visibility.js';

/** What became of which leaves. */
export interface ForestChange {
  /** Leaves that are new, and the leaf that each was part of or those that it is made of. */
  readonly created: ReadonlyMap<OctreeNode, readonly OctreeNode[]>;
  readonly absorbed: readonly Absorption[];
  /** Leaves whose edges may have changed. */
  readonly relinked: ReadonlySet<OctreeNode>;
  /** Leaves whose regions were found anew. */
  readonly updated: ReadonlySet<OctreeNode>;
}

/** What an edit of the forest's nodes did, before graph and regions follow. */
export interface ForestEdit {
  readonly created: Map<OctreeNode, readonly OctreeNode[]>;
  readonly absorbed: readonly Absorption[];
  /** Inner nodes that came apart: the nodes in their place. */
  readonly split: readonly OctreeNode[];
}

/**
 * Edits the nodes of a forest and brings graph and regions up to date. `touched` are the leaves that `edit` may replace, or
 * whose links it has cleared.
 */
export function changeForest(
  forest: OctreeForest,
  touched: readonly OctreeNode[],
  edit: () => ForestEdit,
): ForestChange {
  const updated = new Set(findReach(forest, touched));
  // A diagonal edge of a neighbour may have gone through a link between two others.
  const relinked = new Set(touched);
  for (const leaf of touched) for (const next of leaf.edges.keys()) relinked.add(next);
  const { created, absorbed, split } = edit();
  for (const leaf of created.keys()) relinked.add(leaf);
  for (const leaf of relinked) {
    if (isLeafOf(forest, leaf)) continue;
    unlinkLeaf(leaf);
    relinked.delete(leaf);
  }
  linkLeaves(forest, relinked);
  for (const leaf of relinked) updated.add(leaf);
  // Nodes that came apart may be taken or left as wholes by regions that reach none of the leaves at the cut.
  for (const leaf of findReach(forest, [...relinked, ...split.flatMap(leavesBelow)])) updated.add(leaf);
  for (const leaf of forest.leaves()) if (leaf.region.some((node) => !forest.has(node))) updated.add(leaf);
  for (const leaf of updated) if (!isLeafOf(forest, leaf)) updated.delete(leaf);
  findRegions(forest, updated);
  return { created, absorbed, relinked, updated };
}

const isLeafOf = (forest: OctreeForest, node: OctreeNode): boolean => forest.has(node) && node.children.length === 0;

export const leavesBelow = (node: OctreeNode): OctreeNode[] =>
  node.children.length === 0 ? [node] : node.children.flatMap(leavesBelow);

/** Leaves from which a source is within reach of their regions' search. */
function findReach(forest: OctreeForest, sources: Iterable<OctreeNode>): OctreeNode[] {
  const reachOf = (leaf: OctreeNode): number => {
    const width = regionWidth(leaf);
    return width + bandOf(width);
  };
  let longest = 0;
  for (const leaf of forest.leaves()) longest = Math.max(longest, reachOf(leaf));
  return forest.search.from(sources, longest).filter((leaf) => leaf.search.distance <= reachOf(leaf));
}
