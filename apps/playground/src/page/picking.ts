// What is under the pointer: the soft surface, found by the ray through all triangles.

import type { Ray } from 'three';

export interface Picked {
  readonly triangle: number;
  /** The corner nearest to the point. */
  readonly vertex: number;
  readonly point: readonly [number, number, number];
  readonly distance: number;
}

/** Möller and Trumbore's test, both sides. */
export function pickSurface(ray: Ray, positions: Float32Array, triangles: Uint32Array): Picked | undefined {
  const { origin: o, direction: d } = ray;
  let [nearest, triangle, weightB, weightC] = [Number.POSITIVE_INFINITY, -1, 0, 0];
  for (let k = 0; k < triangles.length; k += 3) {
    const a = 3 * triangles[k];
    const b = 3 * triangles[k + 1];
    const c = 3 * triangles[k + 2];
    const ex = positions[b] - positions[a];
    const ey = positions[b + 1] - positions[a + 1];
    const ez = positions[b + 2] - positions[a + 2];
    const fx = positions[c] - positions[a];
    const fy = positions[c + 1] - positions[a + 1];
    const fz = positions[c + 2] - positions[a + 2];
    const px = d.y * fz - d.z * fy;
    const py = d.z * fx - d.x * fz;
    const pz = d.x * fy - d.y * fx;
    const determinant = ex * px + ey * py + ez * pz;
    if (determinant === 0) continue;
    const tx = o.x - positions[a];
    const ty = o.y - positions[a + 1];
    const tz = o.z - positions[a + 2];
    const u = (tx * px + ty * py + tz * pz) / determinant;
    if (!(u >= 0 && u <= 1)) continue;
    const qx = ty * ez - tz * ey;
    const qy = tz * ex - tx * ez;
    const qz = tx * ey - ty * ex;
    const v = (d.x * qx + d.y * qy + d.z * qz) / determinant;
    if (!(v >= 0 && u + v <= 1)) continue;
    const t = (fx * qx + fy * qy + fz * qz) / determinant;
    if (t > 0 && t < nearest) [nearest, triangle, weightB, weightC] = [t, k, u, v];
  }
  if (triangle < 0) return undefined;
  const weightA = 1 - weightB - weightC;
  const corner = weightA >= weightB && weightA >= weightC ? 0 : weightB >= weightC ? 1 : 2;
  return {
    triangle: triangle / 3,
    vertex: triangles[triangle + corner],
    point: [o.x + nearest * d.x, o.y + nearest * d.y, o.z + nearest * d.z],
    distance: nearest,
  };
}
