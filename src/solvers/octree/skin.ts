// The surface on the nodes: each vertex is carried by the leaf that owns the matter under it and that leaf's neighbours in
// the graph, so that what is cut apart comes apart.

import { normalize, pointAt, scale, type Vec3 } from '../../math/vec3.js';
import { vertexNormals } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { cellSizeOf, type OctreeForest } from './forest.js';
import { nearestVoxel } from './nearest-voxel.js';
import type { OctreeNode } from './node.js';
import type { VoxelGrid } from './voxels.js';

/** How far under the surface the matter of a vertex is looked for, in voxels. */
const DEPTH = 0.6;
/** Reach of a node's influence, in sides of its cell. */
const REACH = 1.5;
/**
 * What is taken off every weight, so that those below it are none and nothing jumps where one begins: 30 % fewer influences on hand
 * and duck, for a surface elsewhere by at most 0.03 and 0.07 % of their size when bent by a tenth of it.
 */
const LEAST_WEIGHT = 0.01;

export interface Skin {
  /** Influences of vertex i: offsets[i] … offsets[i+1] − 1. */
  readonly offsets: Uint32Array;
  /** Leaf of each influence, as in the regions' order. */
  readonly nodes: Uint32Array;
  /** w; of each vertex they sum to 1. */
  readonly weights: Float64Array;
  /** Σ m·w of the vertices that each leaf carries. */
  readonly loads: Float64Array;
  /** Share of the body's mass at each vertex. */
  readonly massShares: Float64Array;
}

/** The voxel under each vertex: the nearest inside to a point a little under the surface. */
export function findVertexVoxels(mesh: TriangleMesh, grid: VoxelGrid): Int32Array {
  const normals = vertexNormals(mesh.positions, mesh.triangles);
  const voxels = new Int32Array(mesh.positions.length / 3);
  for (let i = 0; i < voxels.length; i++) {
    voxels[i] = nearestVoxel(grid, pointUnder(pointAt(mesh.positions, i), pointAt(normals, i), grid));
  }
  return voxels;
}

/** A point under the surface, where the matter of a vertex is looked for. */
export function pointUnder(vertex: Vec3, normal: Vec3, { voxelSize }: VoxelGrid): Vec3 {
  const inward = scale(normalize(normal, [0, 0, 0]), -DEPTH * voxelSize);
  return [vertex[0] + inward[0], vertex[1] + inward[1], vertex[2] + inward[2]];
}

/** A binding of the same vertices, and of more after them, before some leaves changed. */
export interface FormerSkin {
  readonly skin: Skin;
  /** The leaves whose numbers it has. */
  readonly leaves: readonly OctreeNode[];
  readonly vertexVoxels: Int32Array;
  /** Leaves whose edges may have changed since. */
  readonly relinked: ReadonlySet<OctreeNode>;
}

/**
 * Binds vertices to leaves, whose numbers are their places in `leaves`. Where `former` has a vertex with the same matter under
 * it and nothing near changed, its influences are taken over.
 */
export function bindSkin(
  rest: Float64Array,
  massShares: Float64Array,
  vertexVoxels: Int32Array,
  forest: OctreeForest,
  leaves: readonly OctreeNode[],
  former?: FormerSkin,
): Skin {
  const places = new Map(leaves.map((leaf, place) => [leaf, place]));
  const reaches = new Map<OctreeNode, Reach>();
  const offsets = new Uint32Array(vertexVoxels.length + 1);
  let nodes = new Uint32Array(MEAN_INFLUENCES * vertexVoxels.length);
  let weights = new Float64Array(nodes.length);
  const loads = new Float64Array(leaves.length);
  const changed = former ? nearChanges(former.relinked) : new Set<OctreeNode>();
  const newPlaces = Int32Array.from(former?.leaves ?? [], (leaf) => places.get(leaf) ?? -1);
  const influences = new Influences();
  for (let i = 0, end = 0; i < vertexVoxels.length; i++) {
    const owner = forest.ownerOf(vertexVoxels[i]);
    const isKept = former && vertexVoxels[i] === former.vertexVoxels[i] && !changed.has(owner);
    let from = 0;
    let count = 0;
    if (isKept) {
      from = former.skin.offsets[i];
      count = former.skin.offsets[i + 1] - from;
    } else {
      let near = reaches.get(owner);
      if (!near) {
        near = reachOf(owner, forest, places);
        reaches.set(owner, near);
      }
      influences.find(rest[3 * i], rest[3 * i + 1], rest[3 * i + 2], near);
      count = influences.count;
    }
    if (end + count > nodes.length) {
      nodes = longer(nodes, new Uint32Array(2 * (end + count)));
      weights = longer(weights, new Float64Array(2 * (end + count)));
    }
    for (let n = 0; n < count; n++, end++) {
      const place = isKept ? newPlaces[former.skin.nodes[from + n]] : influences.places[n];
      const weight = isKept ? former.skin.weights[from + n] : influences.weights[n];
      nodes[end] = place;
      weights[end] = weight;
      loads[place] += massShares[i] * weight;
    }
    offsets[i + 1] = end;
  }
  const end = offsets[vertexVoxels.length];
  return { offsets, nodes: nodes.slice(0, end), weights: weights.slice(0, end), loads, massShares };
}

/** Influences of a vertex for which there is room at first. */
const MEAN_INFLUENCES = 12;

function longer<A extends Uint32Array | Float64Array>(list: A, room: A): A {
  room.set(list);
  return room;
}

/** Leaves that may carry points over one of them, as lists: their numbers, where they are, and how far squared each reaches [m²]. */
export interface Reach {
  /** The leaf itself is the first. */
  readonly places: Uint32Array;
  readonly centres: Float64Array;
  readonly squares: Float64Array;
}

/** A leaf, its neighbours and theirs. */
export function reachOf(leaf: OctreeNode, forest: OctreeForest, placeOf: ReadonlyMap<OctreeNode, number>): Reach {
  const stamp = forest.search.nextStamp();
  const leaves = [leaf];
  leaf.search.stamp = stamp;
  for (let ring = 0, first = 0; ring < 2; ring++) {
    const end = leaves.length;
    for (; first < end; first++) {
      for (const next of leaves[first].edges.keys()) {
        if (next.search.stamp === stamp) continue;
        next.search.stamp = stamp;
        leaves.push(next);
      }
    }
  }
  const places = new Uint32Array(leaves.length);
  const centres = new Float64Array(3 * leaves.length);
  const squares = new Float64Array(leaves.length);
  for (let n = 0; n < leaves.length; n++) {
    const { rest, level } = leaves[n];
    places[n] = placeOf.get(leaves[n]) as number;
    centres[3 * n] = rest[0];
    centres[3 * n + 1] = rest[1];
    centres[3 * n + 2] = rest[2];
    squares[n] = (REACH * cellSizeOf(forest.grid, level)) ** 2;
  }
  return { places, centres, squares };
}

/** Numbers of the leaves that carry a point at rest and their weights, which sum to 1: of each `find` until the next. */
export class Influences {
  count = 0;
  places = new Uint32Array(64);
  weights = new Float64Array(64);

  /** Of a point over a leaf: it and those near it that reach the point. */
  find(x: number, y: number, z: number, { places: near, centres, squares }: Reach): void {
    if (this.weights.length < near.length) {
      this.places = new Uint32Array(2 * near.length);
      this.weights = new Float64Array(2 * near.length);
    }
    const { weights, places } = this;
    let count = 0;
    let sum = 0;
    for (let n = 0, k = 0; n < near.length; n++, k += 3) {
      const [dx, dy, dz] = [x - centres[k], y - centres[k + 1], z - centres[k + 2]];
      const inner = 1 - (dx * dx + dy * dy + dz * dz) / squares[n];
      if (!(inner > 0)) continue;
      const weight = inner * inner * inner;
      places[count] = near[n];
      weights[count++] = weight;
      sum += weight;
    }
    let kept = 0;
    let keptSum = 0;
    for (let n = 0; n < count; n++) {
      const above = weights[n] / sum - LEAST_WEIGHT;
      if (!(above > 0)) continue;
      places[kept] = places[n];
      weights[kept++] = above;
      keptSum += above;
    }
    if (kept === 0) {
      places[0] = near[0];
      weights[0] = 1;
      kept = 1;
      keptSum = 1;
    }
    for (let n = 0; n < kept; n++) weights[n] /= keptSum;
    this.count = kept;
  }
}

/** Leaves within two rings of some, whose influences may have changed with these. */
function nearChanges(leaves: ReadonlySet<OctreeNode>): Set<OctreeNode> {
  const near = new Set(leaves);
  for (let ring = 0; ring < 2; ring++)
    for (const leaf of [...near]) for (const next of leaf.edges.keys()) near.add(next);
  return near;
}

/** The surface's share of a field on the nodes, 3 numbers each: out = N·field. */
export function interpolateSkin({ offsets, nodes, weights }: Skin, field: Float64Array, out: Float64Array): void {
  for (let i = 0, k = 0; k < out.length; i++, k += 3) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const n = 3 * nodes[e];
      x += weights[e] * field[n];
      y += weights[e] * field[n + 1];
      z += weights[e] * field[n + 2];
    }
    out[k] = x;
    out[k + 1] = y;
    out[k + 2] = z;
  }
}
