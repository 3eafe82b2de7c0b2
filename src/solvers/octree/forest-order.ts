// A forest in an order that does not depend on its history, so that the same cells give the same bits however they came about.

import type { OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';

/** By cell, and where several lie in one by their centroids. */
function compareNodes(a: OctreeNode, b: OctreeNode): number {
  for (let c = 2; c >= 0; c--) if (a.cell[c] !== b.cell[c]) return a.cell[c] - b.cell[c];
  for (let c = 2; c >= 0; c--) if (a.rest[c] !== b.rest[c]) return a.rest[c] - b.rest[c];
  return 0;
}

/** Sorts siblings, and the edges of each leaf; where only those of some leaves and of their neighbours have changed, of these. */
export function orderForest(forest: OctreeForest, relinked?: ReadonlySet<OctreeNode>): void {
  const visit = (nodes: OctreeNode[]): void => {
    nodes.sort(compareNodes);
    for (const { children } of nodes) visit(children);
  };
  visit(forest.roots);
  const leaves = forest.leaves();
  const places = new Map(leaves.map((leaf, i) => [leaf, i]));
  const changed = relinked ? new Set(relinked) : leaves;
  for (const leaf of relinked ?? []) for (const next of leaf.edges.keys()) (changed as Set<OctreeNode>).add(next);
  for (const { edges } of changed) {
    const sorted = [...edges].sort(([a], [b]) => (places.get(a) as number) - (places.get(b) as number));
    edges.clear();
    for (const [next, length] of sorted) edges.set(next, length);
  }
}
