// The influences of vertices as the kernels walk them: by vertices in an order of which many after each other have as many, so that the
// processor foresees the ends of loops; and by nodes, whose sums then stay in registers. What is summed for a vertex or a node, and in
// which order, is as in Skin.

import type { Skin } from './skin.js';

/** Vertices that are ordered by their number of influences; those of a block lie together and share nodes, which stay in the cache. */
const BLOCK = 512;
/** Bytes of a vertex in an array of vectors, and of what it misses: velocity and position. */
const VECTOR_BYTES = 24;
const MISSING_BYTES = 48;

export interface KernelSkin {
  /** The vertices in the order of the walk, as places of their vectors [bytes]. */
  readonly vertices: Uint32Array;
  /** Influences of the n-th of them: offsets[n] … offsets[n+1] − 1. */
  readonly offsets: Uint32Array;
  readonly nodes: Uint32Array;
  readonly weights: Float64Array;
  /** Points of the vertices (four numbers each) in the order of the walk. */
  readonly points: Float64Array;
  /** Vertices that node a carries, in ascending order, as places of what they miss [bytes]: from byNode.offsets[a] on. */
  readonly byNode: { readonly offsets: Uint32Array; readonly vertices: Uint32Array; readonly weights: Float64Array };
}

export function orderSkin(skin: Skin, points: Float64Array): KernelSkin {
  const order = orderOfWalk(skin);
  const offsets = new Uint32Array(order.length + 1);
  const nodes = new Uint32Array(skin.nodes.length);
  const weights = new Float64Array(skin.nodes.length);
  const walked = new Float64Array(points.length);
  for (let n = 0, at = 0; n < order.length; n++) {
    const vertex = order[n];
    for (let e = skin.offsets[vertex]; e < skin.offsets[vertex + 1]; e++, at++) {
      nodes[at] = skin.nodes[e];
      weights[at] = skin.weights[e];
    }
    for (let c = 0; c < 4; c++) walked[4 * n + c] = points[4 * vertex + c];
    offsets[n + 1] = at;
  }
  const vertices = order.map((vertex) => VECTOR_BYTES * vertex);
  return { vertices, offsets, nodes, weights, points: walked, byNode: listByNode(skin) };
}

function orderOfWalk({ offsets }: Skin): Uint32Array {
  const order = Uint32Array.from({ length: offsets.length - 1 }, (_, vertex) => vertex);
  const countOf = (vertex: number) => offsets[vertex + 1] - offsets[vertex];
  for (let from = 0; from < order.length; from += BLOCK) {
    order.subarray(from, from + BLOCK).sort((a, b) => countOf(a) - countOf(b) || a - b);
  }
  return order;
}

function listByNode({ offsets, nodes, weights, loads }: Skin): KernelSkin['byNode'] {
  const starts = new Uint32Array(loads.length + 1);
  for (const node of nodes) starts[node + 1]++;
  for (let a = 0; a < loads.length; a++) starts[a + 1] += starts[a];
  const ends = starts.slice();
  const vertices = new Uint32Array(nodes.length);
  const shares = new Float64Array(nodes.length);
  for (let i = 0; i + 1 < offsets.length; i++) {
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const at = ends[nodes[e]]++;
      vertices[at] = MISSING_BYTES * i;
      shares[at] = weights[e];
    }
  }
  return { offsets: starts, vertices, weights: shares };
}
