// A surface without its seams, and the way of values there and back: the vertices of files are split where texture and normals are.

import { orient } from './orient.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { findProblems } from './validate.js';
import { NO_VERTEX, weld } from './weld.js';

export interface JoinedVertices {
  /** The shown mesh itself where it has no seams. */
  readonly mesh: TriangleMesh;
  /** Values by vertex of what is shown, `size` each, for the vertices without seams. */
  toJoined(values: ArrayLike<number>, size: number): Float64Array;
  /** Vectors by vertex of what is shown, from those without seams; of what belongs to no triangle its place. */
  toShown(vectors: Float64Array): Float64Array;
}

export function joinVertices(shown: TriangleMesh): JoinedVertices {
  if (findProblems(shown).length === 0) {
    return { mesh: shown, toJoined: (values) => Float64Array.from(values), toShown: (vectors) => vectors };
  }
  const welded = weld(shown);
  const { vertexMap } = welded;
  const { mesh } = orient(welded.mesh);
  const count = mesh.positions.length / 3;
  const first = new Uint32Array(count);
  for (let v = vertexMap.length - 1; v >= 0; v--) if (vertexMap[v] !== NO_VERTEX) first[vertexMap[v]] = v;
  return {
    mesh,
    toJoined(values, size) {
      const out = new Float64Array(size * count);
      for (let i = 0; i < out.length; i++) out[i] = values[size * first[Math.floor(i / size)] + (i % size)];
      return out;
    },
    toShown(vectors) {
      const out = shown.positions.slice();
      vertexMap.forEach((vertex, v) => {
        if (vertex !== NO_VERTEX) out.set(vectors.subarray(3 * vertex, 3 * vertex + 3), 3 * v);
      });
      return out;
    },
  };
}
