// Builds a static tree of boxes over the triangles of a mesh, in flat arrays.
// Based on: I. Wald, On fast construction of SAH-based bounding volume hierarchies, 2007 (binned splits).

import type { TriangleMesh } from './triangle-mesh.js';

/** Nodes in depth-first order: the left child of an inner node n is n + 1. */
export interface TriangleTree {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  readonly nodeCount: number;
  /** Lowest corner, highest corner per node. */
  readonly nodeBounds: Float64Array;
  /** Triangles in a leaf, 0 for an inner node. */
  readonly nodeCounts: Uint32Array;
  /** First place in `order` of a leaf, right child of an inner node. */
  readonly nodeLinks: Uint32Array;
  /** Triangles, sorted so that each leaf holds a run of them. Triangles with a non-finite corner are left out. */
  readonly order: Uint32Array;
  /** Lowest corner, highest corner per triangle, in the order of `order`. */
  readonly itemBounds: Float64Array;
  /** Longest way from the root to a leaf, in nodes. */
  readonly depth: number;
}

const LEAF_SIZE = 4;
const BINS = 16;

/** Boxes of all triangles with finite corners. */
function boxTriangles(positions: ArrayLike<number>, triangles: ArrayLike<number>) {
  const count = Math.floor(triangles.length / 3);
  const boxes = new Float64Array(6 * count);
  const finite = new Uint32Array(count);
  let finiteCount = 0;
  for (let t = 0; t < count; t++) {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const p = positions[3 * triangles[3 * t] + k];
      const q = positions[3 * triangles[3 * t + 1] + k];
      const r = positions[3 * triangles[3 * t + 2] + k];
      boxes[6 * t + k] = Math.min(p, q, r);
      boxes[6 * t + 3 + k] = Math.max(p, q, r);
      sum += p - p + (q - q) + (r - r);
    }
    if (sum === 0) finite[finiteCount++] = t;
  }
  return { boxes, order: finite.slice(0, finiteCount) };
}

/** Grows the box at `at` of `target` to hold the box at `from` of `source`. */
function include(target: Float64Array, at: number, source: Float64Array, from: number): void {
  const lx = source[from];
  const ly = source[from + 1];
  const lz = source[from + 2];
  const hx = source[from + 3];
  const hy = source[from + 4];
  const hz = source[from + 5];
  if (lx < target[at]) target[at] = lx;
  if (ly < target[at + 1]) target[at + 1] = ly;
  if (lz < target[at + 2]) target[at + 2] = lz;
  if (hx > target[at + 3]) target[at + 3] = hx;
  if (hy > target[at + 4]) target[at + 4] = hy;
  if (hz > target[at + 5]) target[at + 5] = hz;
}

function clear(target: Float64Array, at: number): void {
  for (let k = at; k < at + 3; k++) {
    target[k] = Infinity;
    target[k + 3] = -Infinity;
  }
}

/** Half the surface of a box; 0 for an empty one. */
function halfArea(boxes: Float64Array, at: number): number {
  const x = boxes[at + 3] - boxes[at];
  const y = boxes[at + 4] - boxes[at + 1];
  const z = boxes[at + 5] - boxes[at + 2];
  return x >= 0 ? x * y + y * z + z * x : 0;
}

/** Chooses splits and sorts runs of triangles; scratch memory lives as long as the build. */
class Splitter {
  private readonly bins = new Float64Array(6 * BINS);
  private readonly binCounts = new Uint32Array(BINS);
  private readonly costs = new Float64Array(BINS);
  private readonly swept = new Float64Array(6);
  /** Least and most of twice the centres of the run that was measured last. */
  private readonly spread = new Float64Array(6);
  /** Bin of each place in `order`, from choosing a split to sorting by it. */
  private readonly binOf: Uint8Array;

  constructor(
    private readonly boxes: Float64Array,
    private readonly order: Uint32Array,
  ) {
    this.binOf = new Uint8Array(order.length);
  }

  /** Writes the box of the run [first, end) to `bounds`, and takes note of how its centres spread. */
  measure(first: number, end: number, bounds: Float64Array, node: number): void {
    const { boxes, order, spread } = this;
    let lx = Infinity;
    let ly = Infinity;
    let lz = Infinity;
    let hx = -Infinity;
    let hy = -Infinity;
    let hz = -Infinity;
    // Twice the centres.
    let leastX = Infinity;
    let leastY = Infinity;
    let leastZ = Infinity;
    let mostX = -Infinity;
    let mostY = -Infinity;
    let mostZ = -Infinity;
    for (let i = first; i < end; i++) {
      const at = 6 * order[i];
      const ax = boxes[at];
      const ay = boxes[at + 1];
      const az = boxes[at + 2];
      const bx = boxes[at + 3];
      const by = boxes[at + 4];
      const bz = boxes[at + 5];
      if (ax < lx) lx = ax;
      if (ay < ly) ly = ay;
      if (az < lz) lz = az;
      if (bx > hx) hx = bx;
      if (by > hy) hy = by;
      if (bz > hz) hz = bz;
      if (ax + bx < leastX) leastX = ax + bx;
      if (ay + by < leastY) leastY = ay + by;
      if (az + bz < leastZ) leastZ = az + bz;
      if (ax + bx > mostX) mostX = ax + bx;
      if (ay + by > mostY) mostY = ay + by;
      if (az + bz > mostZ) mostZ = az + bz;
    }
    const at = 6 * node;
    bounds[at] = lx;
    bounds[at + 1] = ly;
    bounds[at + 2] = lz;
    bounds[at + 3] = hx;
    bounds[at + 4] = hy;
    bounds[at + 5] = hz;
    spread[0] = leastX;
    spread[1] = leastY;
    spread[2] = leastZ;
    spread[3] = mostX;
    spread[4] = mostY;
    spread[5] = mostZ;
  }

  /** Reorders the run [first, end), which was measured last, into two parts and returns where the second begins. */
  split(first: number, end: number): number {
    const { order, binOf } = this;
    const middle = (first + end) >> 1;
    if (!this.fillBins(first, end)) return middle;
    const cut = this.chooseBin();
    let left = first;
    let right = end - 1;
    while (left <= right) {
      if (binOf[left] < cut) {
        left++;
        continue;
      }
      const t = order[left];
      const bin = binOf[left];
      order[left] = order[right];
      binOf[left] = binOf[right];
      order[right] = t;
      binOf[right--] = bin;
    }
    return left > first && left < end ? left : middle;
  }

  /** Sorts centres into bins along the axis on which they spread most; false where they are all in one point. */
  private fillBins(first: number, end: number): boolean {
    const { boxes, order, bins, binCounts, binOf, spread } = this;
    let axis = 0;
    let low = 0;
    let width = 0;
    for (let k = 0; k < 3; k++) {
      if (!(spread[3 + k] - spread[k] > width)) continue;
      axis = k;
      low = spread[k];
      width = spread[3 + k] - spread[k];
    }
    // Centres so far apart that their distance overflows are halved like those in one point.
    if (!(width > 0) || width === Infinity) return false;
    const scale = BINS / width;
    binCounts.fill(0);
    for (let b = 0; b < BINS; b++) clear(bins, 6 * b);
    for (let i = first; i < end; i++) {
      const at = 6 * order[i];
      const bin = Math.min(BINS - 1, Math.floor((boxes[at + axis] + boxes[at + 3 + axis] - low) * scale));
      binOf[i] = bin;
      binCounts[bin]++;
      include(bins, 6 * bin, boxes, at);
    }
    return true;
  }

  /** First bin of the right side in the split with the least expected cost. */
  private chooseBin(): number {
    const { bins, binCounts, costs, swept } = this;
    let count = 0;
    clear(swept, 0);
    for (let b = BINS - 1; b > 0; b--) {
      include(swept, 0, bins, 6 * b);
      count += binCounts[b];
      costs[b] = count * halfArea(swept, 0);
    }
    let best = 1;
    count = 0;
    clear(swept, 0);
    for (let b = 1; b < BINS; b++) {
      include(swept, 0, bins, 6 * (b - 1));
      count += binCounts[b - 1];
      costs[b] += count * halfArea(swept, 0);
      if (costs[b] < costs[best]) best = b;
    }
    return best;
  }
}

const known = new WeakMap<TriangleMesh, WeakRef<TriangleTree>>();

/** The tree of a mesh that never changes, built once for all who ask at the same time; it is not kept for those who ask later. */
export function triangleTreeOf(mesh: TriangleMesh): TriangleTree {
  const tree = known.get(mesh)?.deref() ?? buildTriangleTree(mesh.positions, mesh.triangles);
  known.set(mesh, new WeakRef(tree));
  return tree;
}

/**
 * Builds the tree; the arrays are referred to, not copied, and must not change while the tree is in use.
 * @example
 * ```ts
 * const { positions, triangles } = icosphere();
 * const tree = buildTriangleTree(positions, triangles);
 * ```
 */
export function buildTriangleTree(positions: ArrayLike<number>, triangles: ArrayLike<number>): TriangleTree {
  const { boxes, order } = boxTriangles(positions, triangles);
  const capacity = Math.max(1, 2 * order.length);
  const nodeBounds = new Float64Array(6 * capacity);
  const nodeCounts = new Uint32Array(capacity);
  const nodeLinks = new Uint32Array(capacity);
  const splitter = new Splitter(boxes, order);
  let nodeCount = 0;
  let depth = 0;
  // Runs still to be made into nodes: first, end, level, and the inner node to tell about its right child (or −1).
  const pending = order.length > 0 ? [0, order.length, 1, -1] : [];
  while (pending.length > 0) {
    const parent = pending.pop() as number;
    const level = pending.pop() as number;
    const end = pending.pop() as number;
    const first = pending.pop() as number;
    const node = nodeCount++;
    if (parent >= 0) nodeLinks[parent] = node;
    if (level > depth) depth = level;
    splitter.measure(first, end, nodeBounds, node);
    if (end - first <= LEAF_SIZE) {
      nodeCounts[node] = end - first;
      nodeLinks[node] = first;
      continue;
    }
    const cut = splitter.split(first, end);
    pending.push(cut, end, level + 1, node, first, cut, level + 1, -1);
  }
  const itemBounds = new Float64Array(6 * order.length);
  for (let i = 0; i < order.length; i++) {
    for (let k = 0; k < 6; k++) itemBounds[6 * i + k] = boxes[6 * order[i] + k];
  }
  return {
    positions,
    triangles,
    nodeCount,
    nodeBounds: nodeBounds.slice(0, 6 * nodeCount),
    nodeCounts: nodeCounts.slice(0, nodeCount),
    nodeLinks: nodeLinks.slice(0, nodeCount),
    order,
    itemBounds,
    depth,
  };
}
