// Triangles without an area: they have no normal, so neither rays, contacts nor the volume's gradient can use them.

import { boundsOf, diagonalOf } from './measure.js';
import type { TriangleMesh } from './triangle-mesh.js';

/**
 * A triangle is degenerate when its height over its longest side is at most this share of the bounding box's diagonal.
 * Coordinates in double precision are rounded at 1e-16 of the extent and the cross product loses a few digits more, so
 * below 1e-12 the normal's direction begins to be noise; spacing of single-precision files is 6e-8, so a triangle
 * of theirs is caught only when its corners truly lie in one line.
 */
export const DEGENERATE_HEIGHT = 1e-12;

/**
 * Triangles that repeat an index or are flat; those with corners out of range or not finite are not judged.
 * @example
 * ```ts
 * console.log(findDegenerateTriangles(icosphere()).length); // 0
 * ```
 */
export function findDegenerateTriangles(mesh: TriangleMesh): Uint32Array {
  const { positions, triangles } = mesh;
  const lowest = DEGENERATE_HEIGHT * diagonalOf(boundsOf(positions));
  const found: number[] = [];
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    if (a === b || b === c || c === a) {
      found.push(i / 3);
      continue;
    }
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const wx = vx - ux;
    const wy = vy - uy;
    const wz = vz - uz;
    const longest = Math.sqrt(
      Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz),
    );
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    if (Math.sqrt(nx * nx + ny * ny + nz * nz) <= lowest * longest) found.push(i / 3);
  }
  return Uint32Array.from(found);
}
