// Two edges: where they cross, seen along the normal of both, and when two moving ones meet.

import { beginCoplanar, findCoplanar, now } from './coplanarity.js';
import { END_SLACK, PARALLEL } from './tuning.js';

/**
 * Where two edges cross: weights of their second ends, unit normal of both, how far the first is beyond the second along it
 * [m]; for moving edges the share of the step, and the normal on the side from which the first came.
 */
export const crossing = { s: 0, t: 0, nx: 0, ny: 0, nz: 0, gap: 0, time: 0 };

/** Whether edges pq and ru (indices of x coordinates) cross, seen along the normal of both. */
export function crossEdges(x: Float64Array, p: number, q: number, y: Float64Array, r: number, u: number): boolean {
  const fx = y[u] - y[r];
  const fy = y[u + 1] - y[r + 1];
  const fz = y[u + 2] - y[r + 2];
  const ax = x[q] - x[p];
  const ay = x[q + 1] - x[p + 1];
  const az = x[q + 2] - x[p + 2];
  return cross(ax, ay, az, y[r] - x[p], y[r + 1] - x[p + 1], y[r + 2] - x[p + 2], fx, fy, fz);
}

/** Edge a from the origin, edge f from b. */
function cross(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  fx: number,
  fy: number,
  fz: number,
): boolean {
  const nx = ay * fz - az * fy;
  const ny = az * fx - ax * fz;
  const nz = ax * fy - ay * fx;
  const square = nx * nx + ny * ny + nz * nz;
  if (!(square > PARALLEL * (ax * ax + ay * ay + az * az) * (fx * fx + fy * fy + fz * fz))) return false;
  // s·a − t·f = b but for a part along the normal.
  const s = ((by * fz - bz * fy) * nx + (bz * fx - bx * fz) * ny + (bx * fy - by * fx) * nz) / square;
  if (s < -END_SLACK || s > 1 + END_SLACK) return false;
  const t = ((by * az - bz * ay) * nx + (bz * ax - bx * az) * ny + (bx * ay - by * ax) * nz) / square;
  if (t < -END_SLACK || t > 1 + END_SLACK) return false;
  const inverse = 1 / Math.sqrt(square);
  crossing.s = s;
  crossing.t = t;
  crossing.nx = nx * inverse;
  crossing.ny = ny * inverse;
  crossing.nz = nz * inverse;
  crossing.gap = -(bx * nx + by * ny + bz * nz) * inverse;
  return true;
}

/** Whether two moving edges meet in the step. */
export function meetEdges(
  starts: Float64Array,
  ends: Float64Array,
  p: number,
  q: number,
  otherStarts: Float64Array,
  otherEnds: Float64Array,
  r: number,
  u: number,
): boolean {
  beginCoplanar(0, starts, ends, p, starts, ends, q);
  beginCoplanar(3, starts, ends, p, otherStarts, otherEnds, r);
  beginCoplanar(6, starts, ends, p, otherStarts, otherEnds, u);
  return findCoplanar(areCrossed, true);
}

/** Whether the edges, in one plane at time t, cross. The volume under them is how far the first is beyond the second. */
function areCrossed(t: number, rises: boolean): boolean {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = now;
  if (!cross(ax, ay, az, bx, by, bz, cx - bx, cy - by, cz - bz)) return false;
  const side = rises ? -1 : 1;
  crossing.nx *= side;
  crossing.ny *= side;
  crossing.nz *= side;
  crossing.time = t;
  return true;
}
