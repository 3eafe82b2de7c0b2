// A forest of one's own, before it is cut or refined: bodies share theirs until then.

import { OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';

/** A copy that shares nothing that changes, with graph, regions and the nodes' ids; and where each node went. */
export function copyForest(forest: OctreeForest): { forest: OctreeForest; copies: Map<OctreeNode, OctreeNode> } {
  const copy = new OctreeForest({ ...forest.grid, bits: forest.grid.bits.slice() }, forest);
  const copies = new Map<OctreeNode, OctreeNode>();
  const copyNode = (node: OctreeNode, parent: OctreeNode | undefined): OctreeNode => {
    const own = copy.createNode(node.cell, node.level, parent, node.id);
    copies.set(node, own);
    own.voxels = node.voxels;
    own.mass = node.mass;
    own.rest.set(node.rest);
    own.leafCount = node.leafCount;
    own.width = node.width;
    own.stiffness = node.stiffness;
    own.damping = node.damping;
    own.children = node.children.map((child) => copyNode(child, own));
    return own;
  };
  copy.roots = forest.roots.map((root) => copyNode(root, undefined));
  for (const [node, own] of copies) {
    for (const [next, length] of node.edges) own.edges.set(copies.get(next) as OctreeNode, length);
    own.region = node.region.map((member) => copies.get(member) as OctreeNode);
  }
  return { forest: copy, copies };
}
