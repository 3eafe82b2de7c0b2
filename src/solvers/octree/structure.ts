// The structure of a forest in an order that does not depend on its history, and as numbers: a snapshot holds which cells are halved
// and what their leaves are like, and whoever goes back to it has the same nodes, edges and skin, bit by bit.

import type { ModelState } from '../model.js';
import type { OctreeForest } from './forest.js';
import { copyForest } from './forest-copy.js';
import { findRegions } from './grow.js';
import type { OctreeNode } from './node.js';
import { linkLeaves } from './visibility.js';

/** By cell, and where several lie in one by their centroids. */
function compareNodes(a: OctreeNode, b: OctreeNode): number {
  for (let c = 2; c >= 0; c--) if (a.cell[c] !== b.cell[c]) return a.cell[c] - b.cell[c];
  for (let c = 2; c >= 0; c--) if (a.rest[c] !== b.rest[c]) return a.rest[c] - b.rest[c];
  return 0;
}

/** Sorts siblings, and the edges of each leaf. */
export function orderForest(forest: OctreeForest): void {
  const visit = (nodes: OctreeNode[]): void => {
    nodes.sort(compareNodes);
    for (const { children } of nodes) visit(children);
  };
  visit(forest.roots);
  const leaves = forest.leaves();
  const places = new Map(leaves.map((leaf, i) => [leaf, i]));
  for (const { edges } of leaves) {
    const sorted = [...edges].sort(([a], [b]) => (places.get(a) as number) - (places.get(b) as number));
    edges.clear();
    for (const [next, length] of sorted) edges.set(next, length);
  }
}

/** Numbers per leaf: width, stiffness, damping. */
const PAINT = 3;

/** Which nodes are halved, parents before children, and what is painted on the leaves. */
export function captureStructure(forest: OctreeForest): { halved: Uint8Array; paint: Float64Array } {
  const halved: number[] = [];
  const visit = ({ children }: OctreeNode): void => {
    halved.push(children.length > 0 ? 1 : 0);
    children.forEach(visit);
  };
  forest.roots.forEach(visit);
  const paint = forest.leaves().flatMap(({ width, stiffness, damping }) => [width, stiffness, damping]);
  return { halved: Uint8Array.from(halved), paint: Float64Array.from(paint) };
}

/** A forest with the halved nodes of a saved state, from one of the same matter. Throws RangeError where it cannot have them. */
export function restoreStructure(from: OctreeForest, { halved, paint }: ModelState): OctreeForest {
  const refuse = (expected: string) => new RangeError(`snapshot: expected ${expected} as halved cells of a body`);
  if (!(halved instanceof Uint8Array && paint instanceof Float64Array)) throw refuse('numbers');
  const { forest } = copyForest(from);
  let next = 0;
  const visit = (nodes: OctreeNode[]): void => {
    nodes.sort(compareNodes);
    for (const node of nodes) {
      const isHalved = halved[next++] === 1;
      if (isHalved && node.children.length === 0) {
        if (node.level >= forest.grid.levels) throw refuse('cells that it can have');
        forest.split(node);
      } else if (!isHalved) joinBelow(forest, node);
      visit(node.children);
    }
  };
  visit(forest.roots);
  const leaves = forest.leaves();
  if (next !== halved.length || paint.length !== PAINT * leaves.length) throw refuse('as many cells as it has');
  leaves.forEach((leaf, i) => {
    [leaf.width, leaf.stiffness, leaf.damping] = paint.subarray(PAINT * i, PAINT * (i + 1));
    leaf.edges.clear();
  });
  linkLeaves(forest, leaves);
  orderForest(forest);
  findRegions(forest, leaves);
  return forest;
}

function joinBelow(forest: OctreeForest, node: OctreeNode): void {
  if (node.children.length === 0) return;
  for (const child of node.children) joinBelow(forest, child);
  forest.merge(node);
}
