// When four points that move straight lie in one plane: a vertex and a triangle's corners, or the ends of two edges.
// Based on: X. Provot, Collision and self-collision handling in cloth model dedicated to design garments, 1997 (the moment is
// a root of a cubic).

import { ROOT_PRECISION, ROOT_ROUNDS } from './tuning.js';

/** Three points relative to the fourth: at the start, how they change, and at the moment that is tried. */
const from = new Float64Array(9);
const change = new Float64Array(9);
export const now = new Float64Array(9);
const cubic = new Float64Array(4);
const ends4 = new Float64Array(4);

/** Takes one of the three points, at `place` 0, 3 or 6, relative to the fourth, o. */
export function beginCoplanar(
  place: number,
  originStarts: Float64Array,
  originEnds: Float64Array,
  o: number,
  starts: Float64Array,
  ends: Float64Array,
  p: number,
): void {
  for (let k = 0; k < 3; k++) {
    from[place + k] = starts[p + k] - originStarts[o + k];
    change[place + k] = ends[p + k] - originEnds[o + k] - from[place + k];
  }
}

/**
 * Tries the moments in [0, 1] at which the four lie in one plane, in order, until one is accepted: those at which a·(b×c) of
 * the three rises through 0 (`rises`), with `both` also those at which it falls. Then `now` holds the three.
 */
export function findCoplanar(accept: (time: number, rises: boolean) => boolean, both: boolean): boolean {
  writeVolumeCubic();
  // Between its extrema the cubic has one root at most.
  const pieces = splitAtExtrema();
  let before = cubic[0];
  for (let n = 1; n <= pieces; n++) {
    const after = volumeAt(ends4[n]);
    const rises = before < 0 && after >= 0;
    const falls = both && before > 0 && after <= 0;
    if (rises || falls) {
      const t = rootBetween(ends4[n - 1], ends4[n], rises);
      for (let k = 0; k < 9; k++) now[k] = from[k] + t * change[k];
      if (accept(t, rises)) return true;
    }
    if (after !== 0) before = after;
  }
  return false;
}

/**
 * a·(b×c), corners as seen from the point, is six times the volume under the triangle: 0 when the point is in its plane,
 * negative on the side of the normal.
 */
function writeVolumeCubic(): void {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = from;
  const [dx, dy, dz, ex, ey, ez, fx, fy, fz] = change;
  const px = by * cz - bz * cy;
  const py = bz * cx - bx * cz;
  const pz = bx * cy - by * cx;
  const qx = by * fz - bz * fy + ey * cz - ez * cy;
  const qy = bz * fx - bx * fz + ez * cx - ex * cz;
  const qz = bx * fy - by * fx + ex * cy - ey * cx;
  const rx = ey * fz - ez * fy;
  const ry = ez * fx - ex * fz;
  const rz = ex * fy - ey * fx;
  cubic[0] = ax * px + ay * py + az * pz;
  cubic[1] = dx * px + dy * py + dz * pz + ax * qx + ay * qy + az * qz;
  cubic[2] = dx * qx + dy * qy + dz * qz + ax * rx + ay * ry + az * rz;
  cubic[3] = dx * rx + dy * ry + dz * rz;
}

const volumeAt = (t: number): number => cubic[0] + t * (cubic[1] + t * (cubic[2] + t * cubic[3]));

/** Writes 0, the cubic's extrema within (0, 1) and 1 to `ends4`; returns the number of pieces. */
function splitAtExtrema(): number {
  const a = 3 * cubic[3];
  const b = cubic[2];
  const c = cubic[1];
  ends4[0] = 0;
  let pieces = 0;
  const discriminant = b * b - a * c;
  if (discriminant > 0) {
    // The form that loses no digits; one root is q/a, the other c/q.
    const q = b < 0 ? Math.sqrt(discriminant) - b : -Math.sqrt(discriminant) - b;
    const one = q / a;
    const other = c / q;
    const first = Math.min(one, other);
    const second = Math.max(one, other);
    if (first > 0 && first < 1) ends4[++pieces] = first;
    if (second > 0 && second < 1) ends4[++pieces] = second;
  }
  ends4[++pieces] = 1;
  return pieces;
}

/** The root in a piece on which the cubic rises (or falls) through 0: Newton's method, kept in by bisection. */
function rootBetween(start: number, end: number, rises: boolean): number {
  let low = start;
  let high = end;
  let t = 0.5 * (low + high);
  for (let round = 0; round < ROOT_ROUNDS && high - low > ROOT_PRECISION; round++) {
    const value = volumeAt(t);
    if (value < 0 === rises) low = t;
    else high = t;
    const slope = cubic[1] + t * (2 * cubic[2] + t * 3 * cubic[3]);
    const next = t - value / slope;
    if (Math.abs(next - t) < 1e-14) break;
    t = next > low && next < high ? next : 0.5 * (low + high);
  }
  return t;
}
