// The order of a shell of several closed parts: each part's vertices one after the other.

import { findPieces } from '../../mesh/mesh-pieces.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';

export interface PartOrder {
  /** The mesh's vertex at each place. */
  readonly order: Uint32Array;
  /** First place of each part, and the count at the end. */
  readonly parts: Uint32Array;
}

/** Parts by their first vertex, and within each the mesh's own order: one part keeps it all through. */
export function orderParts(mesh: TriangleMesh): PartOrder {
  const { pieceOf, count } = findPieces(mesh);
  const members: number[][] = Array.from({ length: count }, () => []);
  pieceOf.forEach((piece, vertex) => {
    members[piece].push(vertex);
  });
  const parts = [0];
  for (const list of members) parts.push(parts[parts.length - 1] + list.length);
  return { order: Uint32Array.from(members.flat()), parts: Uint32Array.from(parts) };
}

/** A mesh with vertex order[k] as vertex k. */
export function reorderMesh({ positions, triangles }: TriangleMesh, order: Uint32Array): TriangleMesh {
  const places = new Uint32Array(order.length);
  order.forEach((vertex, place) => {
    places[vertex] = place;
  });
  const corners = new Uint32Array(triangles.length);
  for (let k = 0; k < corners.length; k++) corners[k] = places[triangles[k]];
  return { positions: reorder(positions, order, 3), triangles: corners };
}

/** Values by vertex in another order, `stride` numbers each. */
export function reorder(values: Float64Array, order: Uint32Array, stride: number): Float64Array {
  const out = new Float64Array(stride * order.length);
  for (let place = 0; place < order.length; place++) {
    for (let c = 0, from = stride * order[place]; c < stride; c++) out[stride * place + c] = values[from + c];
  }
  return out;
}
