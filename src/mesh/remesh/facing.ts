// Guards against folded triangles: would the triangles around a vertex still face the same way after it moved?

import type { HalfEdgeMesh } from './half-edge-mesh.js';

/** Smallest cosine between a triangle's normal before and after a change: 0.3 lets it turn by 72°. */
const LEAST_COSINE = 0.3;
/** Triangles thinner than this (area / longest edge²) may turn freely: their normal means nothing yet. */
const SLIVER = 1e-3;

/**
 * Whether every triangle at vertex v keeps its facing when v moves to (x, y, z); triangles that also touch `removed`
 * are about to vanish and do not count.
 */
export function keepsFacing(mesh: HalfEdgeMesh, v: number, removed: number, x: number, y: number, z: number): boolean {
  const p = mesh.positions;
  const vx = p[3 * v];
  const vy = p[3 * v + 1];
  const vz = p[3 * v + 2];
  const first = mesh.outgoingOf(v);
  let h = first;
  do {
    const b = mesh.endOf(h);
    const c = mesh.apexOf(h);
    if (b !== removed && c !== removed) {
      const ex = p[3 * c] - p[3 * b];
      const ey = p[3 * c + 1] - p[3 * b + 1];
      const ez = p[3 * c + 2] - p[3 * b + 2];
      const ax = vx - p[3 * b];
      const ay = vy - p[3 * b + 1];
      const az = vz - p[3 * b + 2];
      const bx = x - p[3 * b];
      const by = y - p[3 * b + 1];
      const bz = z - p[3 * b + 2];
      const mx = ey * az - ez * ay;
      const my = ez * ax - ex * az;
      const mz = ex * ay - ey * ax;
      const nx = ey * bz - ez * by;
      const ny = ez * bx - ex * bz;
      const nz = ex * by - ey * bx;
      const before = Math.sqrt(mx * mx + my * my + mz * mz);
      const after = Math.sqrt(nx * nx + ny * ny + nz * nz);
      const edge = ex * ex + ey * ey + ez * ez;
      const longest = Math.max(edge, bx * bx + by * by + bz * bz);
      if (after < SLIVER * longest) return false;
      const wasSliver = before < SLIVER * Math.max(edge, ax * ax + ay * ay + az * az);
      if (!wasSliver && mx * nx + my * ny + mz * nz < LEAST_COSINE * before * after) return false;
    }
    h = mesh.turn(h);
  } while (h !== first);
  return true;
}
