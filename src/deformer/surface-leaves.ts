// Brings every leaf that a triangle of the surface touches to the octree's full depth. Triangles are cut at the middle planes
// on their way down, so a leaf is touched where something of a triangle is left in it: large triangles cross leaves that
// hold no vertex. Vertices themselves are never rounded, so each lies in a touched leaf.

import type { Octree } from './octree.js';

/** The triangles in each touched leaf, by node. */
export type SurfaceLeaves = ReadonlyMap<number, readonly number[]>;

/** @param points the surface's vertices in lattice units. */
export function insertSurface(octree: Octree, points: ArrayLike<number>, triangles: ArrayLike<number>): SurfaceLeaves {
  const leaves = new Map<number, number[]>();
  const insert = (node: number, polygon: readonly number[], triangle: number): void => {
    if (octree.size[node] === 2) {
      const list = leaves.get(node);
      if (list) list.push(triangle);
      else leaves.set(node, [triangle]);
      return;
    }
    const first = octree.isLeaf(node) ? octree.split(node) : octree.children[node];
    const half = octree.size[node] / 2;
    const middle = [octree.x[node] + half, octree.y[node] + half, octree.z[node] + half];
    for (let c = 0; c < 8; c++) {
      let piece = polygon;
      for (let axis = 0; axis < 3 && piece.length > 0; axis++) {
        piece = cut(piece, axis, middle[axis], ((c >> axis) & 1) === 1 ? 1 : -1);
      }
      if (piece.length > 0) insert(first + c, piece, triangle);
    }
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const polygon: number[] = [];
    for (let k = 0; k < 3; k++) {
      const v = 3 * triangles[t + k];
      polygon.push(points[v], points[v + 1], points[v + 2]);
    }
    insert(0, polygon, t / 3);
  }
  return leaves;
}

/** What of a convex polygon lies on one side of the plane where coordinate `axis` is `at`, the plane included. */
function cut(polygon: readonly number[], axis: number, at: number, side: 1 | -1): readonly number[] {
  const piece: number[] = [];
  for (let i = 0; i < polygon.length; i += 3) {
    const j = i + 3 < polygon.length ? i + 3 : 0;
    const a = side * (polygon[i + axis] - at);
    const b = side * (polygon[j + axis] - at);
    if (a >= 0) piece.push(polygon[i], polygon[i + 1], polygon[i + 2]);
    if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
      const t = a / (a - b);
      for (let k = 0; k < 3; k++) piece.push(k === axis ? at : polygon[i + k] + t * (polygon[j + k] - polygon[i + k]));
    }
  }
  return piece;
}

/**
 * Leaves that hold two or more sheets of the surface: triangles that share no vertex, directly or through others in the leaf.
 * Such a leaf moves both sheets as one.
 */
export function countGluedLeaves(leaves: SurfaceLeaves, triangles: ArrayLike<number>): number {
  let glued = 0;
  for (const list of leaves.values()) {
    const sheetOf = new Map<number, number>();
    const root = (v: number): number => {
      let r = v;
      while (sheetOf.get(r) !== r) r = sheetOf.get(r) as number;
      return r;
    };
    for (const t of list) {
      for (let k = 0; k < 3; k++) {
        const v = triangles[3 * t + k];
        if (!sheetOf.has(v)) sheetOf.set(v, v);
        if (k > 0) sheetOf.set(root(v), root(triangles[3 * t]));
      }
    }
    const sheets = [...sheetOf].filter(([v, parent]) => v === parent).length;
    if (sheets > 1) glued++;
  }
  return glued;
}
