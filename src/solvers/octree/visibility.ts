// The visibility graph: edges between leaves in touching cells that material links, as long as their cells' centres are apart.
// Based on: [SOG08 §4.2]; deviation: edges by voxel links, and only between touching cells. Longer edges changed distances
// of 0.1 % of the pairs in a graded box, and none in a uniform one.

import type { OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';
import { cellShift, type VoxelGrid } from './voxels.js';

/** Max-norm of the distance between the centres of two cells, in half finest cells. */
export const cellDistance = ({ centre: a }: OctreeNode, { centre: b }: OctreeNode): number =>
  Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));

/** Length of an edge: two leaves of one cell see each other where a piece is held together, and bridges may lead over cells. */
export const edgeLength = ({ grid }: OctreeForest, a: OctreeNode, b: OctreeNode): number =>
  Math.min(2 << grid.levels, Math.max(1, cellDistance(a, b)));

/** Builds the edges of some leaves anew, in both directions. */
export function linkLeaves(forest: OctreeForest, leaves: Iterable<OctreeNode>): void {
  for (const leaf of leaves) {
    unlinkLeaf(leaf);
    for (const other of visibleFrom(forest, leaf)) {
      const distance = edgeLength(forest, leaf, other);
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

/** Leaves that hold a voxel next to one of this leaf, over a face, edge or corner, with a way of links between the two; or over a bridge. */
function visibleFrom(forest: OctreeForest, leaf: OctreeNode): Set<OctreeNode> {
  const { grid, owners } = forest;
  const { counts, bits, levels } = grid;
  const [nx, ny, nz] = counts;
  const last = (1 << cellShift(levels, leaf.level)) - 1;
  const seen = new Set<OctreeNode>();
  // Most voxels next to one are the leaf's own, or of the leaf that was seen last.
  let lastSeen = leaf.id;
  for (const q of leaf.voxels) {
    const x = q % nx;
    const y = Math.trunc(q / nx) % ny;
    const z = Math.trunc(q / (nx * ny));
    const [inX, inY, inZ] = [x & last, y & last, z & last];
    const onBorder = inX === 0 || inX === last || inY === 0 || inY === last || inZ === 0 || inZ === last;
    if (!onBorder) continue;
    for (let dz = z > 0 ? -1 : 0; dz <= (z + 1 < nz ? 1 : 0); dz++) {
      for (let dy = y > 0 ? -1 : 0; dy <= (y + 1 < ny ? 1 : 0); dy++) {
        const row = q + nx * (dy + ny * dz);
        for (let dx = x > 0 ? -1 : 0; dx <= (x + 1 < nx ? 1 : 0); dx++) {
          const p = row + dx;
          const owner = owners[p];
          if (owner < 0 || owner === leaf.id || owner === lastSeen || bits[p] === 0) continue;
          const other = forest.ownerOf(p);
          if (seen.has(other) || !isLinked(grid, q, dx, dy, dz)) continue;
          lastSeen = owner;
          seen.add(other);
        }
      }
    }
  }
  for (const [a, b] of forest.bridges) {
    if (owners[a] === owners[b]) continue;
    if (owners[a] === leaf.id) seen.add(forest.ownerOf(b));
    if (owners[b] === leaf.id) seen.add(forest.ownerOf(a));
  }
  return seen;
}

/** Whether links within the box that two voxels span lead from one to the other: along the axes in some order. */
function isLinked({ bits, counts }: VoxelGrid, q: number, dx: number, dy: number, dz: number): boolean {
  const [nx, ny] = counts;
  // Lowest voxel of the box; corners are numbered by bits 1, 2 and 4 for x, y and z.
  const [sx, sy, sz] = [dx === 0 ? 0 : 1, dy === 0 ? 0 : nx, dz === 0 ? 0 : nx * ny];
  const base = q - (dx < 0 ? sx : 0) - (dy < 0 ? sy : 0) - (dz < 0 ? sz : 0);
  const from = (dx < 0 ? 1 : 0) | (dy < 0 ? 2 : 0) | (dz < 0 ? 4 : 0);
  const to = (dx > 0 ? 1 : 0) | (dy > 0 ? 2 : 0) | (dz > 0 ? 4 : 0);
  // Links of the box along each axis, as a mask of the corners that they start from.
  let alongX = 0;
  let alongY = 0;
  let alongZ = 0;
  for (let corner = 0; corner < 8; corner++) {
    if (((corner & 1) !== 0 && dx === 0) || ((corner & 2) !== 0 && dy === 0) || ((corner & 4) !== 0 && dz === 0))
      continue;
    const bit =
      bits[base + ((corner & 1) !== 0 ? sx : 0) + ((corner & 2) !== 0 ? sy : 0) + ((corner & 4) !== 0 ? sz : 0)];
    alongX |= (bit & 1) << corner;
    alongY |= ((bit >> 1) & 1) << corner;
    alongZ |= ((bit >> 2) & 1) << corner;
  }
  alongX &= dx === 0 ? 0 : 0b01010101;
  alongY &= dy === 0 ? 0 : 0b00110011;
  alongZ &= dz === 0 ? 0 : 0b00001111;
  let reached = 1 << from;
  for (let before = 0; before !== reached; ) {
    before = reached;
    reached |= ((reached & alongX) << 1) | ((reached >> 1) & alongX);
    reached |= ((reached & alongY) << 2) | ((reached >> 2) & alongY);
    reached |= ((reached & alongZ) << 4) | ((reached >> 4) & alongZ);
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
