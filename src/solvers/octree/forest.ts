// The forest: a node is a cell of an octree together with one connected component of the voxels in it. Thin parts side by
// side in a cell, cuts, and levels of detail are all the same operation on it: splitting a node into components.
// Based on: [SOG08 §4.1]; deviation: nodes are components, not cells, and stand at the component's centroid.

import type { Bridge } from './bridges.js';
import { type Component, ComponentFinder } from './components.js';
import { DistanceSearch } from './distances.js';
import type { OctreeNode } from './node.js';
import type { VoxelGrid } from './voxels.js';

export class OctreeForest {
  roots: OctreeNode[] = [];
  /** Id of the leaf that owns each voxel inside, −1 elsewhere. */
  readonly owners: Int32Array;
  /** Links over gaps, between leaves: components end at them. */
  bridges: readonly Bridge[] = [];
  readonly finder: ComponentFinder;
  readonly search: DistanceSearch;
  private readonly table: (OctreeNode | undefined)[] = [];
  private readonly freeIds: number[] = [];

  /**
   * @param like a forest over a grid of the same voxels, whose owners and free ids it takes over.
   * @param isEmpty whether it takes over nothing but the room that both work in.
   */
  constructor(
    readonly grid: VoxelGrid,
    like?: OctreeForest,
    isEmpty = like === undefined,
  ) {
    this.owners = like && !isEmpty ? like.owners.slice() : new Int32Array(grid.bits.length).fill(-1);
    this.finder = new ComponentFinder(grid, like?.finder);
    this.search = new DistanceSearch(grid.levels);
    if (like && !isEmpty) {
      this.freeIds.push(...like.freeIds);
      this.bridges = like.bridges;
    }
  }

  /** The leaf that owns a voxel inside. */
  ownerOf(voxel: number): OctreeNode {
    return this.table[this.owners[voxel]] as OctreeNode;
  }

  /** Whether a node is part of the forest. */
  has(node: OctreeNode): boolean {
    return this.table[node.id] === node;
  }

  /** All leaves, in the order of the roots and their children. */
  leaves(): OctreeNode[] {
    const list: OctreeNode[] = [];
    addLeaves(this.roots, list);
    return list;
  }

  /** Makes a leaf of a component and the owner of its voxels. */
  createLeaf(component: Component, level: number, parent: OctreeNode | undefined, mass: number): OctreeNode {
    const leaf = this.createNode(component.cell, level, parent);
    leaf.voxels = component.voxels;
    leaf.mass = mass;
    writeCentroid(this.grid, component.voxels, leaf.rest);
    for (const q of component.voxels) this.owners[q] = leaf.id;
    return leaf;
  }

  /** A node without matter, linked to its parent in one direction only. */
  createNode(
    cell: OctreeNode['cell'],
    level: number,
    parent: OctreeNode | undefined,
    id = this.freeIds.pop() ?? this.table.length,
  ): OctreeNode {
    const half = 1 << (this.grid.levels - level);
    const node: OctreeNode = {
      id,
      level,
      cell,
      centre: [(2 * cell[0] + 1) * half, (2 * cell[1] + 1) * half, (2 * cell[2] + 1) * half],
      parent,
      children: [],
      voxels: NO_VOXELS,
      mass: 0,
      rest: new Float64Array(3),
      leafCount: 1,
      edges: new Map(),
      region: [],
      width: 0,
      stiffness: 1,
      damping: 1,
      search: { stamp: 0, distance: 0, low: 0, high: 0, weighted: 0, visited: 0 },
    };
    this.table[id] = node;
    return node;
  }

  /** Forgets a node that nothing refers to any more. */
  discard(node: OctreeNode): void {
    this.table[node.id] = undefined;
    this.freeIds.push(node.id);
  }

  /** Takes a leaf out, and with it what is empty above it. */
  remove(leaf: OctreeNode): void {
    this.addMass(leaf, -leaf.mass);
    this.recount(leaf, -leaf.leafCount);
    let node = leaf;
    for (;;) {
      const siblings = node.parent ? node.parent.children : this.roots;
      siblings.splice(siblings.indexOf(node), 1);
      this.discard(node);
      if (!node.parent || node.parent.children.length > 0) return;
      node = node.parent;
    }
  }

  /** Takes voxels out of the solid, and the bridges that led to them. */
  clear(voxels: Iterable<number>): void {
    const { bits } = this.grid;
    for (const q of voxels) {
      bits[q] = 0;
      this.owners[q] = -1;
    }
    this.bridges = this.bridges.filter(([a, b]) => bits[a] !== 0 && bits[b] !== 0);
  }

  /** Adds to the mass of a node and of all above it. */
  addMass(node: OctreeNode, change: number): void {
    for (let above: OctreeNode | undefined = node; above; above = above.parent) above.mass += change;
  }

  /** Splits a leaf into the components of the next level. */
  split(leaf: OctreeNode): void {
    const { voxels, mass, level } = leaf;
    leaf.children = this.finder.find(voxels, level + 1).map((part) => {
      const child = this.createLeaf(part, level + 1, leaf, shareOf(mass, part.voxels.length, voxels.length));
      child.width = leaf.width;
      child.stiffness = leaf.stiffness;
      child.damping = leaf.damping;
      return child;
    });
    leaf.voxels = NO_VOXELS;
    this.recount(leaf, leaf.children.length - 1);
  }

  /** Makes a leaf again of a node whose children are all leaves. */
  merge(node: OctreeNode): void {
    const voxels = new Int32Array(node.children.reduce((sum, child) => sum + child.voxels.length, 0));
    let end = 0;
    for (const child of node.children) {
      voxels.set(child.voxels, end);
      end += child.voxels.length;
    }
    // In ascending order whatever the history: the same node has the same bits.
    node.voxels = voxels.sort();
    this.recount(node, 1 - node.children.length);
    // By mass, not by voxels: debris counts.
    for (let c = 0; c < 3; c++) {
      node.rest[c] = node.children.reduce((sum, child) => sum + child.mass * child.rest[c], 0) / node.mass;
    }
    for (const child of node.children) this.discard(child);
    node.children = [];
    for (const q of voxels) this.owners[q] = node.id;
  }

  /** Adds to the leaf counts of a node and all above it. */
  recount(node: OctreeNode, change: number): void {
    for (let above: OctreeNode | undefined = node; above; above = above.parent) above.leafCount += change;
  }
}

function addLeaves(nodes: readonly OctreeNode[], list: OctreeNode[]): void {
  for (let n = 0; n < nodes.length; n++) {
    const node = nodes[n];
    if (node.children.length === 0) list.push(node);
    else addLeaves(node.children, list);
  }
}

export const NO_VOXELS = new Int32Array(0);

/** A part's mass by its voxels: exact where the mass is the number of voxels. */
export const shareOf = (mass: number, part: number, whole: number): number => (mass * part) / whole;

/** Mean of the voxels' centres. */
export function writeCentroid(grid: VoxelGrid, voxels: Int32Array, out: Float64Array): void {
  const { counts, origin, voxelSize } = grid;
  // Whole numbers are summed exactly: the mean of children's means is the parent's to rounding.
  let [x, y, z] = [0, 0, 0];
  for (const q of voxels) {
    x += q % counts[0];
    y += Math.trunc(q / counts[0]) % counts[1];
    z += Math.trunc(q / (counts[0] * counts[1]));
  }
  out[0] = origin[0] + (x / voxels.length + 0.5) * voxelSize;
  out[1] = origin[1] + (y / voxels.length + 0.5) * voxelSize;
  out[2] = origin[2] + (z / voxels.length + 0.5) * voxelSize;
}

/** Side of a node's cell [m]. */
export const cellSizeOf = ({ voxelSize, levels }: VoxelGrid, level: number): number =>
  voxelSize * (1 << (levels - level + 1));
