// Trees over triangles as the kernels read them: a body's, for contact with others, and a mesh obstacle's.

import type { Bvh } from '../../contact/broad-phase/bvh.js';
import type { BodyEdges } from '../../contact/narrow-phase/edges.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';

/** What nodes have in common, in either kind of tree. */
interface TreeNodes {
  readonly nodeCount: number;
  readonly nodeCounts: Uint32Array;
  readonly nodeLinks: Uint32Array;
}

/** Nodes as records; leaves of a body's tree get their particles by `members`. */
export function nodeRecords({ nodeCount, nodeCounts, nodeLinks }: TreeNodes): Uint32Array {
  const words = layout.NODE_BYTES / 4;
  const records = new Uint32Array(words * nodeCount);
  const ends = new Uint32Array(nodeCount);
  // Children come after their parent, the last of all below the right one.
  for (let node = nodeCount - 1; node >= 0; node--) {
    const at = words * node;
    const isLeaf = nodeCounts[node] > 0;
    ends[node] = isLeaf ? node + 1 : ends[nodeLinks[node]];
    records[at + layout.NODE_COUNT / 4] = nodeCounts[node];
    records[at + layout.NODE_LINK / 4] = isLeaf ? nodeLinks[node] : layout.NODE_BYTES * nodeLinks[node];
    records[at + layout.NODE_SPAN / 4] = layout.NODE_BYTES * (ends[node] - node);
  }
  return records;
}

/** Boxes as pairs of vectors. */
export function boxRecords(bounds: Float64Array, nodeCount: number): Float32Array {
  const records = new Float32Array(8 * nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    for (let c = 0; c < 3; c++) {
      records[8 * node + c] = bounds[6 * node + c];
      records[8 * node + 4 + c] = bounds[6 * node + 3 + c];
    }
  }
  return records;
}

/** A body's tree: arrays by the field of the record that points to them, particles as bytes into vectors. */
export function bodyTree(bvh: Bvh, edges: BodyEdges, triangles: Uint32Array): Map<number, Uint32Array | Float32Array> {
  const nodes = nodeRecords(bvh);
  const members: number[] = [];
  /** The last leaf that each particle was found at, from 1. */
  const seen = new Uint32Array(bvh.owned.length);
  for (let node = 0; node < bvh.nodeCount; node++) {
    if (bvh.nodeCounts[node] === 0) continue;
    const first = members.length;
    const add = (particle: number): void => {
      if (seen[particle] === node + 1) return;
      seen[particle] = node + 1;
      members.push(16 * particle);
    };
    // Its own come first.
    for (let n = bvh.ownedOffsets[node]; n < bvh.ownedOffsets[node + 1]; n++) add(bvh.owned[n]);
    const owned = members.length - first;
    for (let n = bvh.nodeLinks[node]; n < bvh.nodeLinks[node] + bvh.nodeCounts[node]; n++) {
      for (let c = 3 * bvh.order[n]; c < 3 * bvh.order[n] + 3; c++) add(triangles[c]);
    }
    const at = (node * layout.NODE_BYTES) / 4;
    nodes[at + layout.NODE_MEMBERS / 4] = first;
    // Two halves of a word.
    nodes[at + layout.NODE_MEMBER_COUNT / 4] = members.length - first + 65536 * owned;
  }
  const subtrees = subtreeRecords(bvh, nodes);
  const ends = edgeRecords(bvh, edges, nodes);
  const corners = new Uint32Array(3 * bvh.order.length);
  bvh.order.forEach((triangle, n) => {
    for (let c = 0; c < 3; c++) corners[3 * n + c] = 16 * triangles[3 * triangle + c];
  });
  return new Map<number, Uint32Array | Float32Array>([
    [layout.BODY_TREE, nodes],
    [layout.BODY_TREE_MEMBERS, Uint32Array.from(members)],
    [layout.BODY_TREE_TRIANGLES, corners],
    [layout.BODY_TREE_EDGES, ends],
    [layout.BODY_SUBTREES, subtrees],
    [layout.BODY_SUBTREE_PARTICLES, bvh.owned.map((particle) => 16 * particle)],
    [layout.BODY_TREE_REST_BOXES, boxRecords(bvh.restBounds, bvh.nodeCount)],
  ]);
}

/** Roots of a tree's subtrees: largest branches of SUBTREE_LEAVES leaves or fewer. */
function subtreeRoots(nodes: Uint32Array): number[] {
  const words = layout.NODE_BYTES / 4;
  const roots: number[] = [];
  for (let at = 0; at < nodes.length; ) {
    const nodesBelow = nodes[at + layout.NODE_SPAN / 4] / layout.NODE_BYTES;
    const isSubtree = nodesBelow < 2 * layout.SUBTREE_LEAVES;
    if (isSubtree) roots.push(at / words);
    at += words * (isSubtree ? nodesBelow : 1);
  }
  return roots;
}

/** Subtrees in the order of the tree, as are the particles of their leaves; tells the nodes where their rows are. */
function subtreeRecords({ nodeCounts, ownedOffsets }: Bvh, nodes: Uint32Array): Uint32Array {
  const words = layout.NODE_BYTES / 4;
  const roots = subtreeRoots(nodes);
  const records = new Uint32Array((roots.length * layout.SUBTREE_BYTES) / 4);
  roots.forEach((root, subtree) => {
    const at = (subtree * layout.SUBTREE_BYTES) / 4;
    const rows = subtree * layout.SUBTREE_ROWS_BYTES;
    const end = root + nodes[words * root + layout.NODE_SPAN / 4] / layout.NODE_BYTES;
    const first = ownedOffsets[root];
    nodes[words * root + layout.NODE_SUBTREE / 4] = rows;
    records[at + layout.SUBTREE_PARTICLES / 4] = 4 * first;
    let lane = 0;
    const start = (particles: number) => {
      records[at + (layout.SUBTREE_STARTS >> 2) + (lane >> 2)] |= particles << (8 * (lane & 3));
    };
    for (let node = root; node < end; node++) {
      if (nodeCounts[node] === 0) continue;
      records[at + layout.SUBTREE_NODES / 4 + lane] = layout.NODE_BYTES * node;
      nodes[words * node + layout.NODE_SUBTREE / 4] = rows + 4 * lane;
      start(ownedOffsets[node] - first);
      lane++;
    }
    start(ownedOffsets[end] - first);
    records[at + layout.SUBTREE_COUNT / 4] = lane;
  });
  return records;
}

/** The ends of the edges, leaf by leaf, sharp ones first; tells the nodes where theirs are. */
function edgeRecords({ nodeCount, nodeCounts }: Bvh, edges: BodyEdges, nodes: Uint32Array): Uint32Array {
  const { ends, sharp, owned, ownedOffsets, sharpNodes } = edges;
  const records = new Uint32Array(2 * owned.length);
  let count = 0;
  for (let node = 0; node < nodeCount; node++) {
    const at = (node * layout.NODE_BYTES) / 4;
    const [first, end] = [ownedOffsets[node], ownedOffsets[node + 1]];
    nodes[at + layout.NODE_EDGES / 4] = count / 2;
    let sharpCount = 0;
    for (const wanted of [1, 0]) {
      for (let n = first; n < end; n++) {
        const e = owned[n];
        if (sharp[e] !== wanted) continue;
        sharpCount += wanted;
        records[count++] = 16 * ends[2 * e];
        records[count++] = 16 * ends[2 * e + 1];
      }
    }
    // Two halves of a word.
    const sharpBelow = nodeCounts[node] > 0 ? sharpCount : sharpNodes[node];
    nodes[at + layout.NODE_EDGE_COUNT / 4] = end - first + 65536 * sharpBelow;
  }
  return records;
}

/** Copies an array into the kernels' memory; returns its address. */
export function putArray(memory: WasmMemory, values: Float32Array | Uint32Array): number {
  const address = memory.allocate(values.byteLength);
  if (values instanceof Float32Array) memory.floats(address, values.length).set(values);
  else memory.integers(address, values.length).set(values);
  return address;
}
