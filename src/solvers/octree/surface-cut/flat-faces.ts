// Faces of a cut whose corners are in one line, as where an older cut turns back on itself, get an area: a corner goes on along the edge of the
// surface that it is on, by far less than is seen. It stays on that edge, on both sides of the cut, so that no volume changes, at rest neither.

import { findDegenerateTriangles } from '../../../mesh/degenerate-triangles.js';
import type { CutVertices } from './cut-vertices.js';

/** How far a corner goes, in the length of its edge; each one by another multiple, or they would be in one line again. */
const NUDGE = 1e-8;
const ROUNDS = 4;

/** Moves corners of triangles that have no area. */
export function giveAreas(vertices: CutVertices, triangles: readonly number[]): void {
  let moved = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const mesh = { positions: Float64Array.from(vertices.positions), triangles: Uint32Array.from(triangles) };
    const flat = findDegenerateTriangles(mesh);
    if (flat.length === 0) return;
    const done = new Set<number>();
    for (const t of flat) {
      const corner = triangles.slice(3 * t, 3 * t + 3).find((vertex) => !done.has(vertex) && vertices.isOnEdge(vertex));
      if (corner === undefined) continue;
      moved++;
      for (const vertex of vertices.moveAlongEdge(corner, moved * NUDGE)) done.add(vertex);
    }
  }
}
