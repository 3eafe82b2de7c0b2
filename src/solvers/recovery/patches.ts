// The torn places of a surface, each with its surroundings: what a crushed limb is drawn back by, where the body as a whole is
// in order. A patch is matched as one rigid piece, so it has to reach beyond what is crushed.

import type { MeshAdjacency } from '../../mesh/adjacency.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { type FoldRest, markTorn } from './folds.js';

/** Share of a patch's reach within which it is drawn with full weight; from there to its rim that fades. */
const CORE = 0.6;
/** How much the particles next to a fold count in the match against those around them: they are what is wrong. */
const CRUSHED_WEIGHT = 0.05;
const UNREACHED = -1;

export interface Patch {
  readonly vertices: Uint32Array;
  /** How much each is drawn, up to 1. */
  readonly weights: Float64Array;
  /** How much each counts in the match. */
  readonly trusts: Float64Array;
}

/** The torn places, grown by `reach` rings of edges and joined where they meet. */
export function findPatches(
  mesh: TriangleMesh,
  folds: FoldRest,
  neighbours: Pick<MeshAdjacency, 'neighbourOffsets' | 'neighbours'>,
  positions: ArrayLike<number>,
  reach: number,
): Patch[] {
  const count = positions.length / 3;
  const rings = new Int32Array(count).fill(UNREACHED);
  const queue: number[] = [];
  markTorn(mesh, folds, positions, (vertex) => {
    if (rings[vertex] === 0) return;
    rings[vertex] = 0;
    queue.push(vertex);
  });
  grow(neighbours, rings, queue, reach);
  const patches: Patch[] = [];
  const taken = new Uint8Array(count);
  for (const seed of queue) if (taken[seed] === 0) patches.push(gather(neighbours, rings, seed, taken, reach));
  return patches;
}

/** Numbers the rings around what is in the queue. */
function grow(
  { neighbourOffsets, neighbours }: Pick<MeshAdjacency, 'neighbourOffsets' | 'neighbours'>,
  rings: Int32Array,
  queue: number[],
  reach: number,
): void {
  for (let n = 0; n < queue.length; n++) {
    const ring = rings[queue[n]];
    if (ring === reach) return;
    for (let e = neighbourOffsets[queue[n]]; e < neighbourOffsets[queue[n] + 1]; e++) {
      if (rings[neighbours[e]] !== UNREACHED) continue;
      rings[neighbours[e]] = ring + 1;
      queue.push(neighbours[e]);
    }
  }
}

/** All that hangs together with a vertex within the rings. */
function gather(
  { neighbourOffsets, neighbours }: Pick<MeshAdjacency, 'neighbourOffsets' | 'neighbours'>,
  rings: Int32Array,
  seed: number,
  taken: Uint8Array,
  reach: number,
): Patch {
  const vertices = [seed];
  taken[seed] = 1;
  for (let n = 0; n < vertices.length; n++) {
    for (let e = neighbourOffsets[vertices[n]]; e < neighbourOffsets[vertices[n] + 1]; e++) {
      const next = neighbours[e];
      if (taken[next] !== 0 || rings[next] === UNREACHED) continue;
      taken[next] = 1;
      vertices.push(next);
    }
  }
  const depth = Float64Array.from(vertices, (vertex) => rings[vertex] / reach);
  return {
    vertices: Uint32Array.from(vertices),
    weights: depth.map((d) => Math.min(1, (1 - d) / (1 - CORE))),
    trusts: depth.map((d) => Math.max(CRUSHED_WEIGHT, d)),
  };
}
