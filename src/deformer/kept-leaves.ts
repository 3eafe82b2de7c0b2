// Which leaves of the octree belong to the body: those that the surface touches, and those inside. Empty leaves that are
// joined over faces are all inside or all outside, so one winding number answers for each such region.

import { WindingNumber } from '../mesh/repair/winding-number.js';
import { buildTriangleTree } from '../mesh/triangle-tree.js';
import { FACE_STEPS, NO_NODE, type Octree } from './octree.js';
import type { SurfaceLeaves } from './surface-leaves.js';

/** 1 for each node that is a leaf of the body. */
export function findKeptLeaves(
  octree: Octree,
  surface: SurfaceLeaves,
  points: Float64Array,
  triangles: Uint32Array,
): Uint8Array {
  const { nodeCount } = octree;
  const kept = new Uint8Array(nodeCount);
  for (const node of surface.keys()) kept[node] = 1;
  const region = Int32Array.from({ length: nodeCount }, (_, node) => node);
  const rootOf = (node: number): number => {
    let root = node;
    while (region[root] !== root) root = region[root] = region[region[root]];
    return root;
  };
  const isEmpty = (node: number): boolean => octree.isLeaf(node) && kept[node] === 0;
  for (let node = 0; node < nodeCount; node++) {
    if (!isEmpty(node)) continue;
    // The smaller of two neighbours sees the larger one.
    for (const [dx, dy, dz] of FACE_STEPS) {
      const other = octree.beside(node, dx, dy, dz);
      if (other !== NO_NODE && isEmpty(other)) region[rootOf(node)] = rootOf(other);
    }
  }
  const winding = new WindingNumber(buildTriangleTree(points, triangles));
  const inside = new Map<number, boolean>();
  for (let node = 0; node < nodeCount; node++) {
    if (!isEmpty(node)) continue;
    const root = rootOf(node);
    let answer = inside.get(root);
    if (answer === undefined) {
      const half = octree.size[node] / 2;
      answer = winding.at(octree.x[node] + half, octree.y[node] + half, octree.z[node] + half) > 0.5;
      inside.set(root, answer);
    }
    if (answer) kept[node] = 1;
  }
  return kept;
}
