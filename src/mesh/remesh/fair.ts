// Smooths a closed mesh without shrinking it.
// Based on: G. Taubin, A signal processing approach to fair surface design, 1995 (every smoothing step is followed by a
// slightly larger step back, so that only what changes from vertex to vertex is lost).

import { buildAdjacency } from '../adjacency.js';
import { measure, vertexNormals } from '../measure.js';
import type { TriangleMesh } from '../triangle-mesh.js';

const FORTH = 0.5;
/** Passes waves longer than about 1/0.1 edges: 1/FORTH + 1/BACK = 0.11. */
const BACK = -0.53;

export function fair(mesh: TriangleMesh, sweeps: number): TriangleMesh {
  const { neighbourOffsets: offsets, neighbours } = buildAdjacency(mesh);
  let positions = mesh.positions.slice();
  let moved = new Float64Array(positions.length);
  for (let step = 0; step < 2 * sweeps; step++) {
    const factor = step % 2 === 0 ? FORTH : BACK;
    for (let v = 0; v + 1 < offsets.length; v++) {
      const count = offsets[v + 1] - offsets[v];
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let i = offsets[v]; i < offsets[v + 1]; i++) sum += positions[3 * neighbours[i] + k];
        const here = positions[3 * v + k];
        moved[3 * v + k] = count > 0 ? here + factor * (sum / count - here) : here;
      }
    }
    [positions, moved] = [moved, positions];
  }
  return { positions, triangles: mesh.triangles };
}

/** Moves all vertices along their normals by one distance, so that the volume is `volume` [m³] to first order. */
export function restoreVolume(mesh: TriangleMesh, volume: number): TriangleMesh {
  const { volume: present, area } = measure(mesh);
  const distance = (volume - present) / area;
  const normals = vertexNormals(mesh.positions, mesh.triangles);
  const positions = mesh.positions.slice();
  for (let i = 0; i < positions.length; i += 3) {
    const length = Math.sqrt(normals[i] ** 2 + normals[i + 1] ** 2 + normals[i + 2] ** 2);
    if (!(length > 0)) continue;
    for (let k = 0; k < 3; k++) positions[i + k] += (distance * normals[i + k]) / length;
  }
  return { positions, triangles: mesh.triangles };
}
