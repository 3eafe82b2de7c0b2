// Sums over all regions at once, and their transpose: of all regions that hold a leaf. Both walk the forest once and each
// region's few nodes once.
// Based on: [SOG08 §4.3]; deviation: goals are formed with the transposed sum instead of the same one over symmetric regions,
// which keeps momentum for any regions.

import type { OctreeNode } from './node.js';

/** The forest and its regions as arrays: inner nodes first, parents before children, then the leaves. */
export interface SumTree {
  readonly nodeCount: number;
  readonly leafCount: number;
  /** Node above each, −1 for roots. */
  readonly parents: Int32Array;
  /** Nodes of region r: members[offsets[r] … offsets[r+1] − 1]. Region r is that of leaf r. */
  readonly offsets: Uint32Array;
  readonly members: Uint32Array;
}

/** Flattens a forest whose regions are up to date. `leaves` gives the leaves their numbers. */
export function flattenForest(roots: readonly OctreeNode[], leaves: readonly OctreeNode[]): SumTree {
  const inner = roots.filter(({ children }) => children.length > 0);
  for (const node of inner) inner.push(...node.children.filter(({ children }) => children.length > 0));
  const places = new Map<OctreeNode, number>();
  for (const node of [...inner, ...leaves]) places.set(node, places.size);
  const nodeCount = inner.length + leaves.length;
  const parents = new Int32Array(nodeCount);
  for (const [node, place] of places) parents[place] = node.parent ? (places.get(node.parent) as number) : -1;
  const offsets = new Uint32Array(leaves.length + 1);
  leaves.forEach(({ region }, r) => {
    offsets[r + 1] = offsets[r] + region.length;
  });
  const members = new Uint32Array(offsets[leaves.length]);
  leaves.forEach(({ region }, r) => {
    // In ascending order, so that sums do not depend on the history of the forest.
    members.set(
      region.map((node) => places.get(node) as number).sort((a, b) => a - b),
      offsets[r],
    );
  });
  return { nodeCount, leafCount: leaves.length, parents, offsets, members };
}

export class HierarchicalSums {
  private readonly buffer: Float64Array;

  constructor(
    readonly tree: SumTree,
    /** The most numbers per leaf in a call. */
    mostStride: number,
  ) {
    this.buffer = new Float64Array(mostStride * tree.nodeCount);
  }

  /** out[r] = Σ of the values of the leaves in region r, `stride` numbers each. */
  overMembers(values: Float64Array, stride: number, out: Float64Array): void {
    const { nodeCount, leafCount, parents, offsets, members } = this.tree;
    const { buffer } = this;
    const innerCount = nodeCount - leafCount;
    buffer.fill(0, 0, stride * innerCount);
    for (let k = 0, b = stride * innerCount; k < stride * leafCount; k++, b++) buffer[b] = values[k];
    for (let i = nodeCount - 1; i >= 0; i--) {
      if (parents[i] < 0) continue;
      const to = stride * parents[i];
      const from = stride * i;
      for (let c = 0; c < stride; c++) buffer[to + c] += buffer[from + c];
    }
    for (let r = 0, row = 0; r < leafCount; r++, row += stride) {
      for (let c = row; c < row + stride; c++) out[c] = 0;
      for (let m = offsets[r]; m < offsets[r + 1]; m++) {
        const from = stride * members[m];
        for (let c = 0; c < stride; c++) out[row + c] += buffer[from + c];
      }
    }
  }

  /** out[i] = Σ of the values of the regions that hold leaf i, `stride` numbers each. */
  overRegions(values: Float64Array, stride: number, out: Float64Array): void {
    const { nodeCount, leafCount, parents, offsets, members } = this.tree;
    const { buffer } = this;
    buffer.fill(0, 0, stride * nodeCount);
    for (let r = 0, row = 0; r < leafCount; r++, row += stride) {
      for (let m = offsets[r]; m < offsets[r + 1]; m++) {
        const to = stride * members[m];
        for (let c = 0; c < stride; c++) buffer[to + c] += values[row + c];
      }
    }
    for (let i = 0; i < nodeCount; i++) {
      if (parents[i] < 0) continue;
      const from = stride * parents[i];
      const to = stride * i;
      for (let c = 0; c < stride; c++) buffer[to + c] += buffer[from + c];
    }
    const first = stride * (nodeCount - leafCount);
    for (let k = 0; k < stride * leafCount; k++) out[k] = buffer[first + k];
  }
}
