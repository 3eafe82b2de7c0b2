// A point against a triangle: nearest point, and when a moving point meets a moving triangle.
// Based on: C. Ericson, Real-time collision detection, 2005, §5.1.5 (nearest point).

import { beginCoplanar, findCoplanar, now } from './coplanarity.js';
import { EDGE_SLACK } from './tuning.js';

/** Weights of the triangle's corners at the point found last, and the vector from there to the point [m]. */
export const nearest = { wa: 0, wb: 0, wc: 0, dx: 0, dy: 0, dz: 0 };

/** Finds the point of triangle (a, b, c) nearest to p (indices of x coordinates); returns its squared distance [m²]. */
export function nearestOfTriangle(
  points: Float64Array,
  p: number,
  corners: Float64Array,
  a: number,
  b: number,
  c: number,
): number {
  const ax = corners[a];
  const ay = corners[a + 1];
  const az = corners[a + 2];
  const ux = corners[b] - ax;
  const uy = corners[b + 1] - ay;
  const uz = corners[b + 2] - az;
  const vx = corners[c] - ax;
  const vy = corners[c + 1] - ay;
  const vz = corners[c + 2] - az;
  const px = points[p] - ax;
  const py = points[p + 1] - ay;
  const pz = points[p + 2] - az;
  const d1 = ux * px + uy * py + uz * pz;
  const d2 = vx * px + vy * py + vz * pz;
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  // Dot products of u and v with the vectors from b and from c to p.
  const d3 = d1 - uu;
  const d4 = d2 - uv;
  const d5 = d1 - uv;
  const d6 = d2 - vv;
  let wb = 0;
  let wc = 0;
  if (d1 <= 0 && d2 <= 0) {
    // corner a
  } else if (d3 >= 0 && d4 <= d3) {
    wb = 1;
  } else if (d6 >= 0 && d5 <= d6) {
    wc = 1;
  } else {
    const na = d3 * d6 - d5 * d4;
    const nb = d5 * d2 - d1 * d6;
    const nc = d1 * d4 - d3 * d2;
    if (nc <= 0 && d1 >= 0 && d3 <= 0) wb = d1 / (d1 - d3);
    else if (nb <= 0 && d2 >= 0 && d6 <= 0) wc = d2 / (d2 - d6);
    else if (na <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      wc = (d4 - d3) / (d4 - d3 + (d5 - d6));
      wb = 1 - wc;
    } else {
      const sum = na + nb + nc;
      wb = sum > 0 ? nb / sum : 0;
      wc = sum > 0 ? nc / sum : 0;
    }
  }
  nearest.wa = 1 - wb - wc;
  nearest.wb = wb;
  nearest.wc = wc;
  const dx = px - wb * ux - wc * vx;
  const dy = py - wb * uy - wc * vy;
  const dz = pz - wb * uz - wc * vz;
  nearest.dx = dx;
  nearest.dy = dy;
  nearest.dz = dz;
  return dx * dx + dy * dy + dz * dz;
}

/** Where a moving point met a moving triangle: share of the step, weights, unit normal on the side it came from. */
export const meeting = { time: 0, wa: 0, wb: 0, wc: 0, nx: 0, ny: 0, nz: 0 };

/**
 * First time in [0, 1] at which a point that moves straight lies in a triangle whose corners move straight; from the side
 * of the triangle's normal, or from either with `twoSided`. Whether there is one; it is in `meeting`.
 */
export function meetTriangle(
  pointStarts: Float64Array,
  pointEnds: Float64Array,
  p: number,
  starts: Float64Array,
  ends: Float64Array,
  a: number,
  b: number,
  c: number,
  twoSided: boolean,
): boolean {
  beginCoplanar(0, pointStarts, pointEnds, p, starts, ends, a);
  beginCoplanar(3, pointStarts, pointEnds, p, starts, ends, b);
  beginCoplanar(6, pointStarts, pointEnds, p, starts, ends, c);
  return findCoplanar(liesInside, twoSided);
}

/** Whether the point, in the plane of the triangle at time t, is inside it; writes `meeting`. */
function liesInside(t: number, entered: boolean): boolean {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = now;
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const square = nx * nx + ny * ny + nz * nz;
  if (!(square > 0)) return false;
  // n·((b − p)×(c − p)) is the weight of a.
  const wa = (nx * (by * cz - bz * cy) + ny * (bz * cx - bx * cz) + nz * (bx * cy - by * cx)) / square;
  const wb = (nx * (cy * az - cz * ay) + ny * (cz * ax - cx * az) + nz * (cx * ay - cy * ax)) / square;
  const wc = 1 - wa - wb;
  if (wa < -EDGE_SLACK || wb < -EDGE_SLACK || wc < -EDGE_SLACK) return false;
  const scale = (entered ? 1 : -1) / Math.sqrt(square);
  meeting.time = t;
  meeting.wa = wa;
  meeting.wb = wb;
  meeting.wc = wc;
  meeting.nx = nx * scale;
  meeting.ny = ny * scale;
  meeting.nz = nz * scale;
  return true;
}
