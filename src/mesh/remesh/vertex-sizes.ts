// How small the triangles should be at each vertex: smaller where the surface bends, so that tips and thin parts keep
// their form.

import type { HalfEdgeMesh } from './half-edge-mesh.js';

/** The most curved places get edges of at least this fraction of those on flat ones. */
const LEAST_SIZE = 0.5;
/** Neighbours share their sizes this often, so triangles change gradually. */
const SMOOTHING = 4;

/**
 * Writes a relative edge length into `sizes` for every vertex: 1 where the surface is flat, less where its normals turn
 * over one mean edge length. `adaptivity` 0 asks for equal triangles everywhere.
 */
export function chooseSizes(mesh: HalfEdgeMesh, sizes: Float64Array, adaptivity: number, meanEdge: number): void {
  sizes.fill(1);
  if (adaptivity === 0) return;
  const normals = unitNormals(mesh);
  for (let v = 0; v < mesh.vertexEnd; v++) {
    if (!mesh.isVertex(v)) continue;
    let turning = 0;
    const first = mesh.outgoingOf(v);
    let h = first;
    do {
      const w = mesh.endOf(h);
      const x = normals[3 * v] - normals[3 * w];
      const y = normals[3 * v + 1] - normals[3 * w + 1];
      const z = normals[3 * v + 2] - normals[3 * w + 2];
      turning = Math.max(turning, (x * x + y * y + z * z) / mesh.squaredDistance(v, w));
      h = mesh.turn(h);
    } while (h !== first);
    sizes[v] = Math.max(LEAST_SIZE, 1 / (1 + adaptivity * Math.sqrt(turning) * meanEdge));
  }
  for (let pass = 0; pass < SMOOTHING; pass++) shareSizes(mesh, sizes);
}

function shareSizes(mesh: HalfEdgeMesh, sizes: Float64Array): void {
  for (let v = 0; v < mesh.vertexEnd; v++) {
    if (!mesh.isVertex(v)) continue;
    let sum = 0;
    let count = 0;
    const first = mesh.outgoingOf(v);
    let h = first;
    do {
      sum += sizes[mesh.endOf(h)];
      count++;
      h = mesh.turn(h);
    } while (h !== first);
    sizes[v] = 0.5 * sizes[v] + (0.5 * sum) / count;
  }
}

/** Normals of the vertices, weighted by the areas of their triangles. */
function unitNormals(mesh: HalfEdgeMesh): Float64Array {
  const p = mesh.positions;
  const normals = new Float64Array(3 * mesh.vertexEnd);
  for (let h = 0; h < mesh.halfEdgeEnd; h += 3) {
    if (!mesh.isHalfEdge(h)) continue;
    const a = 3 * mesh.startOf(h);
    const b = 3 * mesh.endOf(h);
    const c = 3 * mesh.apexOf(h);
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    for (const corner of [a, b, c]) {
      normals[corner] += uy * vz - uz * vy;
      normals[corner + 1] += uz * vx - ux * vz;
      normals[corner + 2] += ux * vy - uy * vx;
    }
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.sqrt(normals[i] ** 2 + normals[i + 1] ** 2 + normals[i + 2] ** 2);
    if (length === 0) continue;
    normals[i] /= length;
    normals[i + 1] /= length;
    normals[i + 2] /= length;
  }
  return normals;
}
