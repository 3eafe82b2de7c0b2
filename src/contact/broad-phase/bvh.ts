// A tree of boxes over a body's triangles: built once at rest, its boxes fitted anew in every step to where the
// triangles are on their way through it.
// Based on: G. van den Bergen, Efficient collision detection of complex deformable models using AABB trees, 1997 (refit).

import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { triangleTreeOf } from '../../mesh/triangle-tree-build.js';

/** Topology of the tree, shared by all copies of a body. Depth-first: the left child of an inner node n is n + 1. */
export interface Bvh {
  readonly nodeCount: number;
  /** Triangles in a leaf, 0 for an inner node. */
  readonly nodeCounts: Uint32Array;
  /** First place in `order` of a leaf, right child of an inner node. */
  readonly nodeLinks: Uint32Array;
  /** Triangles, leaf by leaf. */
  readonly order: Uint32Array;
  /** Particles of node n: owned[ownedOffsets[n]] … owned[ownedOffsets[n + 1] − 1]; every particle belongs to one leaf. */
  readonly ownedOffsets: Uint32Array;
  readonly owned: Uint32Array;
  /** Boxes at rest: lowest corner, highest corner per node [m]. */
  readonly restBounds: Float64Array;
  /** Longest way from the root to a leaf, in nodes. */
  readonly depth: number;
}

export function buildBvh(mesh: TriangleMesh): Bvh {
  const { nodeCount, nodeCounts, nodeLinks, order, nodeBounds, depth } = triangleTreeOf(mesh);
  const particleCount = mesh.positions.length / 3;
  const taken = new Uint8Array(particleCount);
  const ownedOffsets = new Uint32Array(nodeCount + 1);
  const owned = new Uint32Array(particleCount);
  let count = 0;
  for (let node = 0; node < nodeCount; node++) {
    for (let i = nodeLinks[node]; i < nodeLinks[node] + nodeCounts[node]; i++) {
      for (let c = 3 * order[i]; c < 3 * order[i] + 3; c++) {
        const particle = mesh.triangles[c];
        if (taken[particle] !== 0) continue;
        taken[particle] = 1;
        owned[count++] = particle;
      }
    }
    ownedOffsets[node + 1] = count;
  }
  return { nodeCount, nodeCounts, nodeLinks, order, ownedOffsets, owned, restBounds: nodeBounds, depth };
}

/** Fits `bounds` (6 per node) to the triangles at both ends of the step, and `margin` [m] beyond. */
export function refitBvh(
  bvh: Bvh,
  triangles: Uint32Array,
  starts: Float64Array,
  ends: Float64Array,
  margin: number,
  bounds: Float64Array,
): void {
  const { nodeCounts, nodeLinks, order } = bvh;
  // Children come after their parent.
  for (let node = bvh.nodeCount - 1; node >= 0; node--) {
    const at = 6 * node;
    const count = nodeCounts[node];
    if (count === 0) {
      const left = at + 6;
      const right = 6 * nodeLinks[node];
      for (let k = 0; k < 3; k++) {
        bounds[at + k] = Math.min(bounds[left + k], bounds[right + k]);
        bounds[at + 3 + k] = Math.max(bounds[left + 3 + k], bounds[right + 3 + k]);
      }
      continue;
    }
    let lx = Infinity;
    let ly = Infinity;
    let lz = Infinity;
    let hx = -Infinity;
    let hy = -Infinity;
    let hz = -Infinity;
    for (let i = nodeLinks[node]; i < nodeLinks[node] + count; i++) {
      for (let c = 3 * order[i]; c < 3 * order[i] + 3; c++) {
        const k = 3 * triangles[c];
        lx = Math.min(lx, starts[k], ends[k]);
        ly = Math.min(ly, starts[k + 1], ends[k + 1]);
        lz = Math.min(lz, starts[k + 2], ends[k + 2]);
        hx = Math.max(hx, starts[k], ends[k]);
        hy = Math.max(hy, starts[k + 1], ends[k + 1]);
        hz = Math.max(hz, starts[k + 2], ends[k + 2]);
      }
    }
    bounds[at] = lx - margin;
    bounds[at + 1] = ly - margin;
    bounds[at + 2] = lz - margin;
    bounds[at + 3] = hx + margin;
    bounds[at + 4] = hy + margin;
    bounds[at + 5] = hz + margin;
  }
}

/** Whether box i of `a` and box j of `b` have a point in common. */
export function boxesOverlap(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  const p = 6 * i;
  const q = 6 * j;
  return (
    a[p] <= b[q + 3] &&
    b[q] <= a[p + 3] &&
    a[p + 1] <= b[q + 4] &&
    b[q + 1] <= a[p + 4] &&
    a[p + 2] <= b[q + 5] &&
    b[q + 2] <= a[p + 5]
  );
}

/** Longest edge of box i [m]. */
export function longestEdge(bounds: Float64Array, i: number): number {
  const at = 6 * i;
  return Math.max(bounds[at + 3] - bounds[at], bounds[at + 4] - bounds[at + 1], bounds[at + 5] - bounds[at + 2]);
}
