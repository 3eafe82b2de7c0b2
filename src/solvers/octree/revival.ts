// What a snapshot holds of a body whose nodes are not as its mesh alone would give them, and the rest data that this is again.

import type { StateTree } from '../../math/state-tree.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import type { CutFaces } from '../solver-rest.js';
import type { OctreeForest } from './forest.js';
import { type ForestRecord, readForest, recordForest } from './forest-record.js';
import type { OctreeModel } from './octree-model.js';
import { reorderMesh } from './part-order.js';
import { buildRegionRest } from './region-rest.js';
import { faceSpacingOf, type OctreeRest } from './rest.js';
import type { Skin } from './skin.js';

type Structure = {
  readonly forest: ForestRecord;
  readonly order: Uint32Array;
  readonly parts: Uint32Array;
  readonly massShares: Float64Array;
  readonly vertexVoxels: Int32Array;
  /** Of the body [m]: found from the vertices in another order it is another, and with it where a shell is pulled back. */
  readonly size: number;
  /** Null where it was not cut. */
  readonly cutFaces: { readonly marks: Uint8Array; readonly uvs: Float64Array } | null;
  readonly skin: { readonly [name in Exclude<keyof Skin, 'massShares'>]: Skin[name] };
};

/** A model whose nodes are not those of the rest data that its body was added with; undefined where they are. */
export function recordStructure({ forest, rest, skin }: OctreeModel, made: OctreeRest): StateTree {
  if (forest === made.forest) return undefined;
  const { offsets, nodes, weights, loads } = skin;
  const { order, parts, massShares, vertexVoxels, size } = rest;
  const structure: Structure = {
    forest: recordForest(forest, made.forest),
    ...{ order, parts, massShares, vertexVoxels, size },
    cutFaces: rest.cutFaces ? { ...rest.cutFaces } : null,
    skin: { offsets, nodes, weights, loads },
  };
  return structure as unknown as StateTree;
}

const refuse = (what: string) => new RangeError(`expected ${what} as its structure`);

/** The rest data of a mesh with a recorded structure; throws RangeError where the two do not go together. */
export function reviveRest(given: TriangleMesh, made: OctreeRest, state: StateTree): OctreeRest {
  const { forest: record, skin, cutFaces, ...particles } = (state ?? {}) as unknown as Structure;
  const count = given.positions.length / 3;
  const { order, parts, massShares, vertexVoxels, size } = particles;
  if (!(size > 0 && size < Infinity)) throw refuse('a size');
  const hasKinds =
    order instanceof Uint32Array &&
    parts instanceof Uint32Array &&
    massShares instanceof Float64Array &&
    vertexVoxels instanceof Int32Array &&
    [order, massShares, vertexVoxels].every((list) => list.length === count);
  if (!hasKinds) throw refuse('particles of its mesh');
  const isOrder = new Set(order).size === count && order.every((vertex) => vertex < count);
  if (!isOrder || !massShares.every((share) => share > 0 && share < Infinity)) throw refuse('particles of its mesh');
  const forest = readForest(record, made.forest);
  if (!vertexVoxels.every((q) => forest.owners[q] >= 0)) throw refuse('vertices on its matter');
  const mesh = reorderMesh(given, order);
  const regions = buildRegionRest(forest);
  return {
    ...made,
    ...{ count, order, parts, mesh, massShares, vertexVoxels, forest, regions },
    partOf: undefined,
    uncutCount: made.uncutCount ?? made.count,
    faceSpacing: faceSpacingOf(made),
    cutFaces: expectFaces(cutFaces, count, mesh.triangles.length / 3),
    size,
    skin: { ...expectSkin(skin, count, forest), massShares },
  };
}

function expectFaces(faces: Structure['cutFaces'], count: number, triangleCount: number): CutFaces | undefined {
  if (faces === null) return undefined;
  const { marks, uvs } = faces ?? {};
  if (!(marks instanceof Uint8Array && uvs instanceof Float64Array)) throw refuse('faces of its mesh');
  if (marks.length !== triangleCount || uvs.length !== 2 * count) throw refuse('faces of its mesh');
  return { marks, uvs };
}

function expectSkin(skin: Structure['skin'], count: number, forest: OctreeForest): Structure['skin'] {
  const { offsets, nodes, weights, loads } = skin ?? {};
  const leafCount = forest.roots.reduce((sum, root) => sum + root.leafCount, 0);
  const hasKinds =
    offsets instanceof Uint32Array &&
    nodes instanceof Uint32Array &&
    weights instanceof Float64Array &&
    loads instanceof Float64Array;
  if (!hasKinds || offsets.length !== count + 1 || loads.length !== leafCount) throw refuse('a skin of its vertices');
  const rises = offsets[0] === 0 && offsets.every((offset, i) => i === 0 || offset > offsets[i - 1]);
  const fits = weights.length === nodes.length && offsets[count] === nodes.length;
  if (!rises || !fits || !nodes.every((node) => node < leafCount)) throw refuse('a skin of its vertices');
  return { offsets, nodes, weights, loads };
}
