// Crumbs of a few voxels without links to the rest, which oblique blades and coarse voxels leave: each is given to the leaf
// that owns the nearest voxel, with its mass, and is no part of its own. The leaf's centroid takes it in: with the centroid where
// it was, cutting a body that only moves on would have turned some of it, for the sake of its angular momentum.

import type { OctreeForest } from './forest.js';
import { nearestVoxel } from './nearest-voxel.js';
import type { OctreeNode } from './node.js';
import { voxelCentre } from './voxels.js';

/**
 * Parts of fewer voxels than this are debris. Of 81 extra parts of 36 random cuts 63 were a single voxel, and none had more
 * than 5; below 8 lies nothing that was seen to be a part of the cut mesh.
 */
export const LEAST_PART_VOXELS = 8;

/** A leaf that is gone, and the one that took over its mass. */
export interface Absorption {
  readonly debris: OctreeNode;
  readonly into: OctreeNode;
  /** What it took over, in voxels. */
  readonly mass: number;
  /** The nearest voxel that is left. */
  readonly near: number;
}

/**
 * Takes the debris among some leaves out of the forest. `mayJoin` says whether a voxel may be given to the owner of another
 * (they are of one piece, or at least on one side of a blade), the first of them that any other may.
 */
export function absorbDebris(
  forest: OctreeForest,
  leaves: Iterable<OctreeNode>,
  mayJoin: readonly ((debris: number, other: number) => boolean)[] = [() => true],
): Absorption[] {
  const { grid } = forest;
  const { parts, seen } = findDebris(forest, leaves);
  const absorptions: Absorption[] = [];
  for (const part of parts) {
    const at = voxelCentre(grid, part[0]);
    // Another crumb is not a whole to belong to.
    let near = -1;
    for (const may of mayJoin) if (near < 0) near = nearestVoxel(grid, at, (q) => !seen.has(q) && may(part[0], q));
    if (near < 0) continue;
    const into = forest.ownerOf(near);
    for (const debris of new Set(part.map((q) => forest.ownerOf(q)))) {
      absorptions.push({ debris, into, mass: debris.mass, near });
      const share = debris.mass / (into.mass + debris.mass);
      for (let c = 0; c < 3; c++) into.rest[c] += share * (debris.rest[c] - into.rest[c]);
      forest.addMass(into, debris.mass);
      forest.remove(debris);
    }
    forest.clear(part);
  }
  return absorptions;
}

/** Debris that is there already, and the leaves that are nearest to it. */
export function besideDebris(forest: OctreeForest): Set<OctreeNode> {
  const { grid } = forest;
  const { parts, seen } = findDebris(forest, forest.leaves());
  const beside = new Set<OctreeNode>();
  for (const part of parts) {
    const near = nearestVoxel(grid, voxelCentre(grid, part[0]), (q) => !seen.has(q));
    for (const q of near < 0 ? part : [...part, near]) beside.add(forest.ownerOf(q));
  }
  return beside;
}

/** Voxels of the debris among some leaves, part by part and all together. */
function findDebris(forest: OctreeForest, leaves: Iterable<OctreeNode>): { parts: number[][]; seen: Set<number> } {
  const parts: number[][] = [];
  const seen = new Set<number>();
  for (const { voxels } of leaves) {
    if (voxels.length >= LEAST_PART_VOXELS || voxels.length === 0 || seen.has(voxels[0])) continue;
    const part = smallPart(forest, voxels[0]);
    if (!part) continue;
    for (const q of part) seen.add(q);
    parts.push(part);
  }
  return { parts, seen };
}

/** The voxels linked to one, or undefined where they are too many for debris. */
function smallPart({ grid, bridges }: OctreeForest, first: number): number[] | undefined {
  const { bits, counts } = grid;
  const strides = [1, counts[0], counts[0] * counts[1]];
  const part = [first];
  for (let n = 0; n < part.length; n++) {
    const q = part[n];
    for (let axis = 0; axis < 3; axis++) {
      const [next, last] = [q + strides[axis], q - strides[axis]];
      if ((bits[q] & (1 << axis)) !== 0 && !part.includes(next)) part.push(next);
      // The last voxel of a row has no link into the next row.
      if (last >= 0 && (bits[last] & (1 << axis)) !== 0 && !part.includes(last)) part.push(last);
    }
    for (const [a, b] of bridges) {
      if (a === q && !part.includes(b)) part.push(b);
      if (b === q && !part.includes(a)) part.push(a);
    }
    if (part.length >= LEAST_PART_VOXELS) return undefined;
  }
  return part;
}
