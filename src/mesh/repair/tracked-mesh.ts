// A mesh on its way through repair, with the way back: which of its vertices each vertex of the input has become.

import type { TriangleMesh } from '../triangle-mesh.js';
import { NO_VERTEX } from '../weld.js';

export interface TrackedMesh {
  readonly mesh: TriangleMesh;
  /** Vertex of `mesh` for each vertex of the input; `NO_VERTEX` where there is none. */
  readonly vertexMap: Uint32Array;
}

export function trackMesh(mesh: TriangleMesh): TrackedMesh {
  return { mesh, vertexMap: Uint32Array.from({ length: mesh.positions.length / 3 }, (_, v) => v) };
}

/** After a step that made `mesh`, in which vertex v of the mesh before became `next[v]`. */
export function follow({ vertexMap }: TrackedMesh, mesh: TriangleMesh, next: ArrayLike<number>): TrackedMesh {
  return { mesh, vertexMap: vertexMap.map((v) => (v === NO_VERTEX ? NO_VERTEX : next[v])) };
}

/** Only the given triangles (three vertices each), and the vertices that they use, in their order. */
export function keepTriangles(tracked: TrackedMesh, triangles: ArrayLike<number>): TrackedMesh {
  const { positions } = tracked.mesh;
  const numbers = new Uint32Array(positions.length / 3).fill(NO_VERTEX);
  for (let i = 0; i < triangles.length; i++) numbers[triangles[i]] = 0;
  let count = 0;
  for (let v = 0; v < numbers.length; v++) if (numbers[v] === 0) numbers[v] = count++;
  const kept = new Float64Array(3 * count);
  for (let v = 0; v < numbers.length; v++) {
    if (numbers[v] !== NO_VERTEX) kept.set(positions.subarray(3 * v, 3 * v + 3), 3 * numbers[v]);
  }
  const renumbered = Uint32Array.from({ length: triangles.length }, (_, i) => numbers[triangles[i]]);
  return follow(tracked, { positions: kept, triangles: renumbered }, numbers);
}
