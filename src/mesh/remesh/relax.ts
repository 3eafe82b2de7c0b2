// Moves vertices along the surface towards the middle of their surroundings, so triangles become alike in size and shape.
// Based on: M. Botsch, L. Kobbelt, "A remeshing approach to multiresolution modeling", 2004, section 4 (tangential
// smoothing with area weights).

import { cross, dot, length, normalize, subtract, type Vec3 } from '../../math/vec3.js';
import { keepsFacing } from './facing.js';
import type { HalfEdgeMesh } from './half-edge-mesh.js';

/**
 * One sweep over all vertices, drawn to where triangles are too large for the wanted `sizes`; a move that would fold a
 * triangle is left out. Where normals add up to less than `flatness` of their lengths, at creases and tips, vertices go
 * along the crease only: across it they would slip down one of its sides, and leave it ragged.
 */
export function relax(mesh: HalfEdgeMesh, sizes: Float64Array, project?: (point: Vec3) => Vec3, flatness = 0): void {
  const p = mesh.positions;
  for (let v = 0; v < mesh.vertexEnd; v++) {
    if (!mesh.isVertex(v)) continue;
    let [nx, ny, nz] = [0, 0, 0];
    let [gx, gy, gz, weight] = [0, 0, 0, 0];
    let lengths = 0;
    const x = p[3 * v];
    const y = p[3 * v + 1];
    const z = p[3 * v + 2];
    const first = mesh.outgoingOf(v);
    let h = first;
    do {
      const b = 3 * mesh.endOf(h);
      const c = 3 * mesh.apexOf(h);
      const bx = p[b] - x;
      const by = p[b + 1] - y;
      const bz = p[b + 2] - z;
      const cx = p[c] - x;
      const cy = p[c + 1] - y;
      const cz = p[c + 2] - z;
      const ax = by * cz - bz * cy;
      const ay = bz * cx - bx * cz;
      const az = bx * cy - by * cx;
      const size = sizes[b / 3] + sizes[c / 3];
      const twoArea = Math.sqrt(ax * ax + ay * ay + az * az);
      const area = twoArea / (size * size);
      lengths += twoArea;
      nx += ax;
      ny += ay;
      nz += az;
      // Relative to v, so the third corner adds nothing.
      gx += (area * (bx + cx)) / 3;
      gy += (area * (by + cy)) / 3;
      gz += (area * (bz + cz)) / 3;
      weight += area;
      h = mesh.turn(h);
    } while (h !== first);
    const square = nx * nx + ny * ny + nz * nz;
    if (!(weight > 0 && square > 0)) continue;
    gx /= weight;
    gy /= weight;
    gz /= weight;
    const along = (gx * nx + gy * ny + gz * nz) / square;
    let move: Vec3 = [gx - along * nx, gy - along * ny, gz - along * nz];
    if (Math.sqrt(square) < flatness * lengths) {
      const crease = findCrease(mesh, v);
      if (crease === null) continue;
      const share = dot(move, crease);
      move = [share * crease[0], share * crease[1], share * crease[2]];
    }
    let moved: Vec3 = [x + move[0], y + move[1], z + move[2]];
    if (project) moved = project(moved);
    if (!keepsFacing(mesh, v, -1, moved[0], moved[1], moved[2])) continue;
    p[3 * v] = moved[0];
    p[3 * v + 1] = moved[1];
    p[3 * v + 2] = moved[2];
  }
}

/** Largest part of a triangle's normal along a crease: at tips they point everywhere. */
const ALONG = 0.3;

/** Direction of the crease through a vertex, to which all normals are at right angles; null at a tip. */
function findCrease(mesh: HalfEdgeMesh, v: number): Vec3 | null {
  const p = mesh.positions;
  const point = (w: number): Vec3 => [p[3 * w], p[3 * w + 1], p[3 * w + 2]];
  const here = point(v);
  const normals: Vec3[] = [];
  const first = mesh.outgoingOf(v);
  let h = first;
  do {
    normals.push(cross(subtract(point(mesh.endOf(h)), here), subtract(point(mesh.apexOf(h)), here)));
    h = mesh.turn(h);
  } while (h !== first);
  let best: Vec3 = [0, 0, 0];
  for (let i = 0; i < normals.length; i++) {
    for (let j = 0; j < i; j++) {
      const candidate = cross(normals[i], normals[j]);
      if (length(candidate) > length(best)) best = candidate;
    }
  }
  if (!(length(best) > 0)) return null;
  const crease = normalize(best);
  const isAcross = normals.every((normal) => Math.abs(dot(normal, crease)) <= ALONG * length(normal));
  return isAcross ? crease : null;
}
