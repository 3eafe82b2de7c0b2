// The order of a shell of several closed parts: each part's vertices one after the other.

import { UnionFind } from '../../mesh/topology.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';

export interface PartOrder {
  /** The mesh's vertex at each place. */
  readonly order: Uint32Array;
  /** First place of each part, and the count at the end. */
  readonly parts: Uint32Array;
}

/** Parts by their first vertex, and within each the mesh's own order: one part keeps it all through. */
export function orderParts({ positions, triangles }: TriangleMesh): PartOrder {
  const count = positions.length / 3;
  const joined = new UnionFind(count);
  for (let t = 0; t < triangles.length; t += 3) {
    joined.union(triangles[t], triangles[t + 1]);
    joined.union(triangles[t], triangles[t + 2]);
  }
  const members = new Map<number, number[]>();
  for (let vertex = 0; vertex < count; vertex++) {
    const part = joined.find(vertex);
    const list = members.get(part);
    if (list) list.push(vertex);
    else members.set(part, [vertex]);
  }
  const parts = [0];
  for (const list of members.values()) parts.push(parts[parts.length - 1] + list.length);
  return { order: Uint32Array.from([...members.values()].flat()), parts: Uint32Array.from(parts) };
}

/** A mesh with vertex order[k] as vertex k. */
export function reorderMesh({ positions, triangles }: TriangleMesh, order: Uint32Array): TriangleMesh {
  const places = new Uint32Array(order.length);
  order.forEach((vertex, place) => {
    places[vertex] = place;
  });
  return { positions: reorder(positions, order, 3), triangles: triangles.map((vertex) => places[vertex]) };
}

/** Values by vertex in another order, `stride` numbers each. */
export function reorder(values: Float64Array, order: Uint32Array, stride: number): Float64Array {
  const out = new Float64Array(stride * order.length);
  order.forEach((vertex, place) => {
    for (let c = 0; c < stride; c++) out[stride * place + c] = values[stride * vertex + c];
  });
  return out;
}
