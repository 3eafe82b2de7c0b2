// What must hold of a forest after any change: voxels and their owners, counts, graph, regions, nothing stale.

import type { OctreeForest } from '../../../src/solvers/octree/forest.js';
import { copyForest } from '../../../src/solvers/octree/forest-copy.js';
import type { OctreeNode } from '../../../src/solvers/octree/node.js';
import { findRegion } from '../../../src/solvers/octree/regions.js';
import { linkLeaves } from '../../../src/solvers/octree/visibility.js';
import { insideVoxels } from '../../../src/solvers/octree/voxels.js';

/** Faults of a forest, in words; none where it is as if it had been built anew. */
export function findFaults(forest: OctreeForest): string[] {
  const faults: string[] = [];
  const leaves = forest.leaves();
  const inside = insideVoxels(forest.grid);
  const lost = inside.filter((q) => {
    const owner = forest.ownerOf(q);
    return !owner || !forest.has(owner) || owner.children.length > 0;
  });
  if (lost.length > 0) faults.push(`${lost.length} voxels without a live leaf`);
  if (leaves.reduce((sum, { voxels }) => sum + voxels.length, 0) !== inside.length)
    faults.push('voxels are not those of the leaves');
  const check = (node: OctreeNode, parent: OctreeNode | undefined): number => {
    if (node.parent !== parent) faults.push('wrong parent');
    if (!forest.has(node)) faults.push('dead node in the forest');
    if (node.children.length === 0) {
      if (forest.finder.find(node.voxels, node.level).length !== 1) faults.push('leaf in pieces');
      return 1;
    }
    const count = node.children.reduce((sum, child) => sum + check(child, node), 0);
    if (count !== node.leafCount) faults.push('wrong leaf count');
    const mass = node.children.reduce((sum, child) => sum + child.mass, 0);
    if (Math.abs(mass - node.mass) > 1e-9 * mass) faults.push('wrong mass');
    return count;
  };
  for (const root of forest.roots) check(root, undefined);
  const { forest: fresh, copies } = copyForest(forest);
  const freshLeaves = fresh.leaves();
  linkLeaves(fresh, freshLeaves);
  let edges = 0;
  let regions = 0;
  for (const leaf of leaves) {
    const own = copies.get(leaf) as OctreeNode;
    const same =
      own.edges.size === leaf.edges.size &&
      [...leaf.edges].every(([next, d]) => own.edges.get(copies.get(next) as OctreeNode) === d);
    if (!same) edges++;
  }
  for (const leaf of leaves) {
    const own = copies.get(leaf) as OctreeNode;
    const expected = new Set(findRegion(fresh.search, own));
    const same =
      expected.size === leaf.region.length && leaf.region.every((node) => expected.has(copies.get(node) as OctreeNode));
    if (!same) regions++;
  }
  if (edges > 0) faults.push(`${edges} leaves with stale edges`);
  if (regions > 0) faults.push(`${regions} stale regions`);
  return faults;
}
