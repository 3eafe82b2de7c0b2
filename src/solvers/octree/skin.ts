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
  const reaches = new Map<OctreeNode, OctreeNode[]>();
  const offsets = new Uint32Array(vertexVoxels.length + 1);
  const nodes: number[] = [];
  const weights: number[] = [];
  const loads = new Float64Array(leaves.length);
  const changed = former ? nearChanges(former.relinked) : new Set<OctreeNode>();
  const newPlaces = former?.leaves.map((leaf) => places.get(leaf) ?? -1) ?? [];
  for (let i = 0; i < vertexVoxels.length; i++) {
    const owner = forest.ownerOf(vertexVoxels[i]);
    if (former && vertexVoxels[i] === former.vertexVoxels[i] && !changed.has(owner)) {
      const { skin } = former;
      for (let e = skin.offsets[i]; e < skin.offsets[i + 1]; e++) {
        const place = newPlaces[skin.nodes[e]];
        nodes.push(place);
        weights.push(skin.weights[e]);
        loads[place] += massShares[i] * skin.weights[e];
      }
      offsets[i + 1] = nodes.length;
      continue;
    }
    const near = reaches.get(owner) ?? twoRings(owner);
    reaches.set(owner, near);
    for (const [leaf, weight] of findInfluences(pointAt(rest, i), owner, near, forest.grid)) {
      const place = places.get(leaf) as number;
      nodes.push(place);
      weights.push(weight);
      loads[place] += massShares[i] * weight;
    }
    offsets[i + 1] = nodes.length;
  }
  return {
    offsets,
    nodes: Uint32Array.from(nodes),
    weights: Float64Array.from(weights),
    loads,
    massShares,
  };
}

/** Leaves that carry a point at rest and their weights, which sum to 1: its owner and those near it that reach it. */
export function findInfluences(
  point: Vec3,
  owner: OctreeNode,
  near: readonly OctreeNode[],
  grid: VoxelGrid,
): [OctreeNode, number][] {
  const influences: [OctreeNode, number][] = [];
  let sum = 0;
  for (const leaf of near) {
    let distance2 = 0;
    for (let c = 0; c < 3; c++) distance2 += (point[c] - leaf.rest[c]) ** 2;
    const inner = 1 - distance2 / (REACH * cellSizeOf(grid, leaf.level)) ** 2;
    if (!(inner > 0)) continue;
    const weight = inner * inner * inner;
    influences.push([leaf, weight]);
    sum += weight;
  }
  const kept: [OctreeNode, number][] = [];
  let keptSum = 0;
  for (const [leaf, weight] of influences) {
    const above = weight / sum - LEAST_WEIGHT;
    if (!(above > 0)) continue;
    kept.push([leaf, above]);
    keptSum += above;
  }
  if (kept.length === 0) return [[owner, 1]];
  for (const influence of kept) influence[1] /= keptSum;
  return kept;
}

/** Leaves within two rings of some, whose influences may have changed with these. */
function nearChanges(leaves: ReadonlySet<OctreeNode>): Set<OctreeNode> {
  const near = new Set(leaves);
  for (let ring = 0; ring < 2; ring++)
    for (const leaf of [...near]) for (const next of leaf.edges.keys()) near.add(next);
  return near;
}

/** A leaf, its neighbours and theirs. */
export function twoRings(leaf: OctreeNode): OctreeNode[] {
  const near = new Set([leaf, ...leaf.edges.keys()]);
  for (const next of [...near]) for (const far of next.edges.keys()) near.add(far);
  return [...near];
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
