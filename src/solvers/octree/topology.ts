// From a cut of an octree's body to its new topology: the mesh that the user sees, where its vertices were, and the rest data in the
// order of its closed parts.

import type { TopologyChange } from '../topology-change.js';
import type { BodyCut } from './cut-body.js';
import type { OctreeModel } from './octree-model.js';
import { orderParts, reorder, reorderMesh } from './part-order.js';
import type { OctreeRest } from './rest.js';
import type { Skin } from './skin.js';

/** What the model after a cut goes on from, in the order of its own shell. */
export interface CutState {
  readonly model: OctreeModel;
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
}

/** The change that a cut of `before` is, and what its successor begins with. */
export function changeOf(before: OctreeRest, cut: BodyCut): { change: TopologyChange; state: CutState } {
  const { rest } = cut.model;
  // The vertices of before keep their numbers in the mesh that the user sees, the new ones follow.
  const numbers = Uint32Array.from({ length: rest.count }, (_, i) => (i < before.count ? before.order[i] : i));
  const byNumber = new Uint32Array(rest.count);
  numbers.forEach((vertex, i) => {
    byNumber[vertex] = i;
  });
  const { order: places, parts } = orderParts(rest.mesh);
  const massShares = reorder(rest.massShares, places, 1);
  const mesh = reorderMesh(rest.mesh, places);
  const vertexVoxels = Int32Array.from(places, (i) => rest.vertexVoxels[i]);
  const octree: OctreeRest = {
    ...rest,
    order: Uint32Array.from(places, (i) => numbers[i]),
    parts,
    mesh,
    massShares,
    vertexVoxels,
    cutFaces: rest.cutFaces && { ...rest.cutFaces, uvs: reorder(rest.cutFaces.uvs, places, 2) },
    skin: reorderSkin(rest.skin, places, massShares),
  };
  const change = {
    mesh: reorderMesh(rest.mesh, byNumber),
    origin: originOf(before, cut, byNumber),
    cut:
      cut.surface.isPaired === false
        ? undefined
        : {
            sources: Uint32Array.from(cut.surface.sources),
            sides: Int8Array.from(cut.surface.origins, ({ side }) => side),
            charts: Float64Array.from(cut.surface.charts),
          },
    rest: { particles: octree, octree, innerCount: octree.regions.leaves.length },
  };
  const positions = reorder(cut.surface.mesh.positions, places, 3);
  const velocities = reorder(cut.velocities, places, 3);
  return { change, state: { model: cut.model, positions, velocities } };
}

/** The same influences with vertex places[k] as vertex k. */
function reorderSkin({ offsets, nodes, weights, loads }: Skin, places: Uint32Array, massShares: Float64Array): Skin {
  const ends = new Uint32Array(places.length + 1);
  const ordered = { nodes: new Uint32Array(nodes.length), weights: new Float64Array(nodes.length) };
  for (let k = 0, end = 0; k < places.length; k++) {
    for (let e = offsets[places[k]]; e < offsets[places[k] + 1]; e++, end++) {
      ordered.nodes[end] = nodes[e];
      ordered.weights[end] = weights[e];
    }
    ends[k + 1] = end;
  }
  return { offsets: ends, ...ordered, loads, massShares };
}

/** Where vertices were: those of before are themselves, those on cut edges between two, those on the face of a cut in no one place. */
function originOf(before: OctreeRest, { surface, model }: BodyCut, byNumber: Uint32Array) {
  const count = model.rest.count;
  const corners = new Uint32Array(3 * count);
  const weights = new Float64Array(3 * count);
  for (let vertex = 0; vertex < count; vertex++) {
    const i = byNumber[vertex];
    const between = i < before.count ? [[i, 1] as const] : surface.origins[i - before.count].between;
    // A face has no vertex of before: a share of three, so that nothing that held one of them holds it.
    const from = between.length > 0 ? between : [0, 1, 2].map((c) => [nearTriangle(before, i, c), 1 / 3] as const);
    const shares = sumShares(from);
    for (let n = 0; n < 3; n++) {
      const [place, weight] = shares[n] ?? [shares[0][0], 0];
      corners[3 * vertex + n] = before.order[place];
      weights[3 * vertex + n] = weight;
    }
  }
  return { corners, weights };
}

/** A vertex between others may name one of them twice: at most the three of a triangle are left. */
function sumShares(between: readonly (readonly [number, number])[]): [number, number][] {
  const sums = new Map<number, number>();
  for (const [vertex, weight] of between) sums.set(vertex, (sums.get(vertex) ?? 0) + weight);
  return [...sums];
}

/** Any triangle of before does: a face's vertices are put where the cut has them. */
const nearTriangle = ({ mesh }: OctreeRest, vertex: number, corner: number): number =>
  mesh.triangles[3 * (vertex % (mesh.triangles.length / 3)) + corner];
