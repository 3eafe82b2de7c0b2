// Whether a triangle and an axis-aligned box share a point, by separating axes.
// Based on: T. Akenine-Möller, Fast 3D triangle-box overlap testing, 2001.

import type { Vec3 } from '../../math/vec3.js';

const ax = new Float64Array(3);
const bx = new Float64Array(3);
const cx = new Float64Array(3);

/** Triangle of vertices a, b, c (rows of `positions`) against the cube of half-width `half` [m] about `centre`. */
export function triangleMeetsBox(
  positions: ArrayLike<number>,
  a: number,
  b: number,
  c: number,
  centre: Vec3,
  half: number,
): boolean {
  for (let k = 0; k < 3; k++) {
    ax[k] = positions[3 * a + k] - centre[k];
    bx[k] = positions[3 * b + k] - centre[k];
    cx[k] = positions[3 * c + k] - centre[k];
    if (Math.min(ax[k], bx[k], cx[k]) > half || Math.max(ax[k], bx[k], cx[k]) < -half) return false;
  }
  const nx = (bx[1] - ax[1]) * (cx[2] - ax[2]) - (bx[2] - ax[2]) * (cx[1] - ax[1]);
  const ny = (bx[2] - ax[2]) * (cx[0] - ax[0]) - (bx[0] - ax[0]) * (cx[2] - ax[2]);
  const nz = (bx[0] - ax[0]) * (cx[1] - ax[1]) - (bx[1] - ax[1]) * (cx[0] - ax[0]);
  const reach = half * (Math.abs(nx) + Math.abs(ny) + Math.abs(nz));
  if (Math.abs(nx * ax[0] + ny * ax[1] + nz * ax[2]) > reach) return false;
  return !(edgeSeparates(ax, bx, cx, half) || edgeSeparates(bx, cx, ax, half) || edgeSeparates(cx, ax, bx, half));
}

/** Whether one of the three axes across edge p → q and a side of the box separates them; o is the third corner. */
function edgeSeparates(p: Float64Array, q: Float64Array, o: Float64Array, half: number): boolean {
  for (let k = 0; k < 3; k++) {
    const u = (k + 1) % 3;
    const v = (k + 2) % 3;
    const eu = q[u] - p[u];
    const ev = q[v] - p[v];
    const edge = ev * p[u] - eu * p[v];
    const other = ev * o[u] - eu * o[v];
    const reach = half * (Math.abs(eu) + Math.abs(ev));
    if (Math.min(edge, other) > reach || Math.max(edge, other) < -reach) return true;
  }
  return false;
}
