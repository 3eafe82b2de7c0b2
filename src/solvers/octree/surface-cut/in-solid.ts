// Whether a point is inside a closed mesh, by the signs of the triangles that a line from it crosses.

import type { Vec3 } from '../../../math/vec3.js';
import type { TriangleMesh } from '../../../mesh/triangle-mesh.js';

/** Whether the winding number of the mesh around the point is not 0. */
export function isInSolid({ positions, triangles }: TriangleMesh, [x, y, z]: Vec3): boolean {
  let winding = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const [u, v, w] = [side(positions, b, c, y, z), side(positions, c, a, y, z), side(positions, a, b, y, z)];
    if (u.sign !== v.sign || v.sign !== w.sign) continue;
    const sum = u.value + v.value + w.value;
    if (sum === 0) continue;
    const at = (u.value * positions[3 * a] + v.value * positions[3 * b] + w.value * positions[3 * c]) / sum;
    if (at > x) winding += u.sign;
  }
  return winding !== 0;
}

/**
 * On which side of edge p → q the line along x through (y, z) passes. Both triangles of an edge compute it from the same end,
 * and a line that meets it is taken as if moved by (ε, ε²).
 */
function side(positions: ArrayLike<number>, p: number, q: number, y: number, z: number) {
  const [from, to, flip] = p < q ? [p, q, 1] : [q, p, -1];
  const dy = positions[3 * to + 1] - positions[3 * from + 1];
  const dz = positions[3 * to + 2] - positions[3 * from + 2];
  const value = dy * (z - positions[3 * from + 2]) - dz * (y - positions[3 * from + 1]);
  return { value: flip * value, sign: flip * Math.sign(value || -dz || dy) };
}
