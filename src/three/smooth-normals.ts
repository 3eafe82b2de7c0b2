// Smooth normals of a moving mesh, as three.js shows them.

/** Writes unit normals of the vertices, weighted by the areas of their triangles; upright where there are none. */
export function writeSmoothNormals(positions: ArrayLike<number>, triangles: Uint32Array, out: Float32Array): void {
  out.fill(0);
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    out[a] += nx;
    out[a + 1] += ny;
    out[a + 2] += nz;
    out[b] += nx;
    out[b + 1] += ny;
    out[b + 2] += nz;
    out[c] += nx;
    out[c + 1] += ny;
    out[c + 2] += nz;
  }
  for (let k = 0; k + 2 < out.length; k += 3) {
    const length = Math.sqrt(out[k] ** 2 + out[k + 1] ** 2 + out[k + 2] ** 2);
    if (length > 0 && length < Infinity) {
      out[k] /= length;
      out[k + 1] /= length;
      out[k + 2] /= length;
    } else out.set([0, 1, 0], k);
  }
}
