// A forest as plain arrays, for snapshots: what tells it from the forest that its body was added with, and everything whose order
// the bits of a step depend on. Records may come from anywhere, so that every number is checked.

import type { StateTree } from '../../math/state-tree.js';
import type { Bridge } from './bridges.js';
import { NO_VOXELS, OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';
import { edgeLength } from './visibility.js';
import { cellShift, INSIDE, type VoxelGrid } from './voxels.js';

/** Level, cell (3), children; of leaves then the place of a leaf of before with the same voxels, or −1 and how many are its own. */
const INTEGERS = 7;
/** Mass, centroid (3), width, stiffness, damping. */
const REALS = 7;

export type ForestRecord = {
  /** Voxels whose bits are not as before, and their bits. */
  readonly changed: Uint32Array;
  readonly bits: Uint8Array;
  /** Both ends of each bridge. */
  readonly bridges: Uint32Array;
  /** Nodes, parents before children. */
  readonly integers: Int32Array;
  readonly reals: Float64Array;
  /** Voxels of the leaves that have some of their own. */
  readonly voxels: Int32Array;
  /** Of each leaf the number of its neighbours and of the nodes of its region, then these by number. */
  readonly counts: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly regions: Uint32Array;
};

export function recordForest(forest: OctreeForest, before: OctreeForest): ForestRecord {
  const nodes: OctreeNode[] = [];
  const visit = (node: OctreeNode): void => {
    nodes.push(node);
    node.children.forEach(visit);
  };
  forest.roots.forEach(visit);
  const numbers = new Map(nodes.map((node, n) => [node, n]));
  const known = new Map(before.leaves().map(({ voxels }, n) => [voxels, n]));
  const changed: number[] = [];
  forest.grid.bits.forEach((bit, q) => {
    if (bit !== before.grid.bits[q]) changed.push(q);
  });
  const integers = new Int32Array(INTEGERS * nodes.length);
  const reals = new Float64Array(REALS * nodes.length);
  const own: Int32Array[] = [];
  nodes.forEach((node, n) => {
    const { level, cell, children, voxels, mass, rest, width, stiffness, damping } = node;
    const same = children.length > 0 ? 0 : (known.get(voxels) ?? -1);
    if (same < 0) own.push(voxels);
    integers.set([level, ...cell, children.length, same, same < 0 ? voxels.length : 0], INTEGERS * n);
    reals.set([mass, ...rest, width, stiffness, damping], REALS * n);
  });
  const leaves = nodes.filter(({ children }) => children.length === 0);
  const numbersOf = (list: Iterable<OctreeNode>): number[] => Array.from(list, (node) => numbers.get(node) as number);
  return {
    changed: Uint32Array.from(changed),
    bits: Uint8Array.from(changed, (q) => forest.grid.bits[q]),
    bridges: Uint32Array.from(forest.bridges.flat()),
    ...{ integers, reals },
    voxels: Int32Array.from(own.flatMap((list) => [...list])),
    counts: Uint32Array.from(leaves.flatMap(({ edges, region }) => [edges.size, region.length])),
    neighbours: Uint32Array.from(leaves.flatMap(({ edges }) => numbersOf(edges.keys()))),
    regions: Uint32Array.from(leaves.flatMap(({ region }) => numbersOf(region))),
  };
}

const refuse = (what: string) => new RangeError(`expected a record of nodes with ${what}`);

/** The forest of a record; throws RangeError where it is none of a body with this forest. */
export function readForest(given: StateTree, before: OctreeForest): OctreeForest {
  const record = expectRecord(given);
  const { grid } = before;
  const bits = grid.bits.slice();
  record.changed.forEach((q, n) => {
    // Cuts take voxels away and add none. They clear links, but put back what holds a piece together.
    if (!(q < bits.length) || (record.bits[n] !== 0 && grid.bits[q] === 0)) throw refuse('links that the body has');
    bits[q] = record.bits[n];
  });
  if (!record.changed.every((q) => hasLinks(grid, bits, q))) throw refuse('links that the body has');
  const forest = new OctreeForest({ ...grid, bits }, before, true);
  forest.bridges = readBridges(record.bridges, bits);
  const nodes = readNodes(record, forest, before);
  const leaves = nodes.filter(({ children }) => children.length === 0);
  for (const leaf of leaves) {
    for (const q of leaf.voxels) {
      if (!(q >= 0 && q < bits.length) || bits[q] === 0 || forest.owners[q] >= 0)
        throw refuse('each voxel in one node');
      forest.owners[q] = leaf.id;
    }
  }
  if (bits.some((bit, q) => bit !== 0 && forest.owners[q] < 0)) throw refuse('each voxel in one node');
  readLinks(record, forest, nodes, leaves);
  return forest;
}

/** Whether a voxel is none, or one whose links lead to others. */
function hasLinks({ counts: [nx, ny, nz] }: VoxelGrid, bits: Uint8Array, q: number): boolean {
  if (bits[q] === 0) return true;
  const isLast = [q % nx === nx - 1, Math.trunc(q / nx) % ny === ny - 1, Math.trunc(q / (nx * ny)) === nz - 1];
  const leads = [1, nx, nx * ny].every(
    (stride, axis) => (bits[q] & (1 << axis)) === 0 || (!isLast[axis] && bits[q + stride] !== 0),
  );
  return leads && (bits[q] & ~7) === INSIDE;
}

function expectRecord(given: StateTree): ForestRecord {
  const record = given as Partial<ForestRecord> | null;
  const { changed, bits, bridges, integers, reals, voxels, counts, neighbours, regions } = record ?? {};
  const hasKinds =
    changed instanceof Uint32Array &&
    bits instanceof Uint8Array &&
    integers instanceof Int32Array &&
    reals instanceof Float64Array &&
    voxels instanceof Int32Array &&
    [bridges, counts, neighbours, regions].every((list) => list instanceof Uint32Array);
  if (!hasKinds || bits.length !== changed.length || reals.length * INTEGERS !== integers.length * REALS) {
    throw refuse('all of its arrays');
  }
  if (!reals.every(Number.isFinite)) throw refuse('finite numbers');
  return record as ForestRecord;
}

function readNodes(
  { integers, reals, voxels }: ForestRecord,
  forest: OctreeForest,
  before: OctreeForest,
): OctreeNode[] {
  const { levels, counts } = forest.grid;
  const known = before.leaves();
  const nodes: OctreeNode[] = [];
  const total = integers.length / INTEGERS;
  let end = 0;
  const read = (parent: OctreeNode | undefined): OctreeNode => {
    const n = nodes.length;
    if (n >= total) throw refuse('all children that nodes say they have');
    const [level, x, y, z, childCount, same, own] = integers.subarray(INTEGERS * n, INTEGERS * (n + 1));
    const isLevel = level >= 0 && level <= levels && (parent === undefined ? level === 0 : level === parent.level + 1);
    const shift = cellShift(levels, level);
    const isCell = [x, y, z].every((cell, axis) => cell >= 0 && cell < Math.max(1, counts[axis] >> shift));
    if (!isLevel || !isCell || childCount < 0) throw refuse('cells of its grid');
    const node = forest.createNode([x, y, z], level, parent, n);
    nodes.push(node);
    const [mass, rx, ry, rz, width, stiffness, damping] = reals.subarray(REALS * n, REALS * (n + 1));
    node.rest.set([rx, ry, rz]);
    Object.assign(node, { mass, width, stiffness, damping });
    if (childCount === 0) {
      const isOwn = same === -1 && own > 0 && end + own <= voxels.length;
      if (!isOwn && !(same >= 0 && same < known.length)) throw refuse('voxels of its body');
      node.voxels = isOwn ? voxels.slice(end, end + own) : known[same].voxels;
      if (isOwn) end += own;
      return node;
    }
    node.voxels = NO_VOXELS;
    node.children = Array.from({ length: childCount }, () => read(node));
    node.leafCount = node.children.reduce((sum, { leafCount }) => sum + leafCount, 0);
    return node;
  };
  while (nodes.length < total) forest.roots.push(read(undefined));
  return nodes;
}

function readBridges(ends: Uint32Array, bits: Uint8Array): Bridge[] {
  if (ends.length % 2 !== 0 || !ends.every((q) => q < bits.length && bits[q] !== 0))
    throw refuse('bridges of its voxels');
  return Array.from({ length: ends.length / 2 }, (_, n) => [ends[2 * n], ends[2 * n + 1]] as const);
}

function readLinks(
  record: ForestRecord,
  forest: OctreeForest,
  nodes: readonly OctreeNode[],
  leaves: readonly OctreeNode[],
): void {
  const { counts, neighbours, regions } = record;
  if (counts.length !== 2 * leaves.length) throw refuse('neighbours and regions of its leaves');
  let [edge, member] = [0, 0];
  leaves.forEach((leaf, n) => {
    const [edgeEnd, memberEnd] = [edge + counts[2 * n], member + counts[2 * n + 1]];
    if (edgeEnd > neighbours.length || memberEnd > regions.length) throw refuse('neighbours and regions of its leaves');
    for (; edge < edgeEnd; edge++) {
      const next = nodes[neighbours[edge]];
      if (!next || next === leaf || next.children.length > 0) throw refuse('neighbours that are leaves');
      leaf.edges.set(next, edgeLength(forest, leaf, next));
    }
    for (; member < memberEnd; member++) {
      const node = nodes[regions[member]];
      if (!node) throw refuse('regions of its nodes');
      leaf.region.push(node);
    }
    if (leaf.region.length === 0) throw refuse('regions of its nodes');
  });
  if (!leaves.every((leaf) => [...leaf.edges.keys()].every((next) => next.edges.has(leaf)))) {
    throw refuse('neighbours that are each other’s');
  }
}
