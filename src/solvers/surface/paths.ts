// Covers the vertices with long, parallel edge paths, so that a region of the mesh is a few intervals of path order.
// Based on: Diziol, Bender, Bayer, Robust Real-Time Deformation of Incompressible Surface Meshes, 2011, §4 "Path
// Construction"; the rule by which a path grows is our own.

import type { MeshAdjacency } from '../../mesh/adjacency.js';

/** Longest path [vertices]: bounds the rounding error of single-precision prefix sums. [DBB11 §6] */
export const MAX_PATH_LENGTH = 512;

export interface Paths {
  /** Vertex at each place of path order. */
  readonly order: Uint32Array;
  /** First place of each path, and the vertex count at the end. */
  readonly starts: Uint32Array;
}

/** Unassigned vertices by number of assigned neighbours; entries go stale when a vertex moves up or is assigned. */
class SeedQueue {
  private readonly buckets: number[][] = [];
  constructor(private readonly touching: Uint16Array) {}

  push(vertex: number): void {
    const count = this.touching[vertex];
    while (this.buckets.length <= count) this.buckets.push([]);
    this.buckets[count].push(vertex);
  }

  /** The vertex with most assigned neighbours, the latest touched first; -1 when none is left. */
  pop(assigned: Uint8Array): number {
    for (let count = this.buckets.length - 1; count >= 0; count--) {
      const bucket = this.buckets[count];
      while (bucket.length > 0) {
        const vertex = bucket.pop() as number;
        if (assigned[vertex] === 0 && this.touching[vertex] === count) return vertex;
      }
    }
    return -1;
  }
}

/**
 * Greedy paths: go on to the neighbour with the largest share of its own neighbours covered (hugging what is there and
 * leaving no gaps), ties going to the one nearest to the plane through the path's start. A path that reaches the
 * maximum length is followed by its own continuation; one that is stuck, by the vertex with most covered neighbours.
 *
 * Tried, mean intervals over 2ω+1 at ω = 3 / 5 on the cube of 30 248 and on an armadillo of 5407 vertices: this rule
 * 1.01 / 1.01 and 1.17 / 1.28 with 24 paths on the latter; DBB11's rule (a neighbour that touches an earlier path, then
 * the plane) 1.10 / 1.13 and 1.24 / 1.39 with 219; most covered neighbours by count 1.04 / 1.06 and 1.23 / 1.36.
 */
export function buildPaths(adjacency: MeshAdjacency, positions: Float64Array): Paths {
  const count = positions.length / 3;
  const { neighbourOffsets: offsets, neighbours } = adjacency;
  const order = new Uint32Array(count);
  const starts: number[] = [];
  const assigned = new Uint8Array(count);
  const touching = new Uint16Array(count); // assigned neighbours
  const axis = longestAxis(positions);
  const queue = new SeedQueue(touching);
  for (let v = count - 1; v >= 0; v--) queue.push(v);

  let level = 0;
  const bestNeighbour = (vertex: number): number => {
    let best = -1;
    let bestShare = 0;
    let bestDistance = 0;
    for (let e = offsets[vertex]; e < offsets[vertex + 1]; e++) {
      const other = neighbours[e];
      if (assigned[other] === 1) continue;
      const share = touching[other] / (offsets[other + 1] - offsets[other]);
      const distance = Math.abs(positions[3 * other + axis] - level);
      if (best < 0 || share > bestShare || (share === bestShare && distance < bestDistance)) {
        best = other;
        bestShare = share;
        bestDistance = distance;
      }
    }
    return best;
  };

  let next = -1;
  for (let place = 0; place < count; place++) {
    const length = place - (starts.at(-1) ?? 0);
    if (next < 0 || length === MAX_PATH_LENGTH) {
      if (next < 0) next = queue.pop(assigned);
      starts.push(place);
      level = positions[3 * next + axis];
    }
    order[place] = next;
    assigned[next] = 1;
    for (let e = offsets[next]; e < offsets[next + 1]; e++) touching[neighbours[e]]++;
    for (let e = offsets[next]; e < offsets[next + 1]; e++) {
      if (assigned[neighbours[e]] === 0) queue.push(neighbours[e]);
    }
    next = bestNeighbour(next);
  }
  return { order, starts: Uint32Array.from([...starts, count]) };
}

/** Paths run round the body's longest axis: rings are shortest there, so neighbouring rings stay parallel for longest. */
function longestAxis(positions: Float64Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < positions.length; k++) {
    low[k % 3] = Math.min(low[k % 3], positions[k]);
    high[k % 3] = Math.max(high[k % 3], positions[k]);
  }
  const extents = [0, 1, 2].map((c) => high[c] - low[c]);
  return extents.indexOf(Math.max(...extents));
}
