// Undoes small folds of a closed mesh: where triangles cross, vertices go towards the middle of their neighbours, until
// nothing crosses.

import { buildAdjacency } from '../adjacency.js';
import { findSelfIntersections, PAIRS_LISTED } from '../self-intersections.js';
import type { TriangleMesh } from '../triangle-mesh.js';

const ROUNDS = 12;

/** Null where it still crosses itself after all rounds, or so often that no fold is small. */
export function untangle(mesh: TriangleMesh): TriangleMesh | null {
  const { neighbourOffsets: offsets, neighbours } = buildAdjacency(mesh);
  const positions = mesh.positions.slice();
  for (let round = 0; round < ROUNDS; round++) {
    const { count, pairs } = findSelfIntersections(positions, mesh.triangles);
    if (count === 0) return { positions, triangles: mesh.triangles };
    if (count > PAIRS_LISTED) return null;
    const moving = new Set<number>();
    for (const t of pairs.flat()) for (let k = 0; k < 3; k++) moving.add(mesh.triangles[3 * t + k]);
    // Folds that one vertex alone cannot leave take their surroundings along.
    const around =
      round < ROUNDS / 2 ? [] : [...moving].flatMap((v) => [...neighbours.subarray(offsets[v], offsets[v + 1])]);
    for (const v of around) moving.add(v);
    for (const v of [...moving].sort((a, b) => a - b)) {
      const valence = offsets[v + 1] - offsets[v];
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let i = offsets[v]; i < offsets[v + 1]; i++) sum += positions[3 * neighbours[i] + k];
        positions[3 * v + k] = sum / valence;
      }
    }
  }
  return null;
}
