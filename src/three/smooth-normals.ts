// Smooth normals of a moving mesh, as three.js shows them.

import { vertexNormals } from '../mesh/measure.js';

/** Writes unit normals of the vertices, weighted by the areas of their triangles; upright where there are none. */
export function writeSmoothNormals(positions: ArrayLike<number>, triangles: Uint32Array, out: Float32Array): void {
  vertexNormals(positions, triangles, out);
  for (let k = 0; k + 2 < out.length; k += 3) {
    const length = Math.sqrt(out[k] ** 2 + out[k + 1] ** 2 + out[k + 2] ** 2);
    if (length > 0 && length < Infinity) {
      out[k] /= length;
      out[k + 1] /= length;
      out[k + 2] /= length;
    } else out.set([0, 1, 0], k);
  }
}
