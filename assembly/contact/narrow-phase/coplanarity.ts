// When four points that move straight lie in one plane: a vertex and a triangle's corners, or the ends of two edges. Mirrors
// src/contact/narrow-phase/coplanarity.ts. In double precision: it is asked for rarely, and roots of a cubic lose digits.

import * as tuning from '../../../src/contact/narrow-phase/tuning';
import { sub4 } from '../../simd/lanes';

// Three points relative to the fourth at the start, how they change, and the cubic of the volume that the four span.
let a0: f64 = 0, a1: f64 = 0, a2: f64 = 0, b0: f64 = 0, b1: f64 = 0, b2: f64 = 0, c0: f64 = 0, c1: f64 = 0, c2: f64 = 0;
let d0: f64 = 0, d1: f64 = 0, d2: f64 = 0, e0: f64 = 0, e1: f64 = 0, e2: f64 = 0, f0: f64 = 0, f1: f64 = 0, f2: f64 = 0;
let k0: f64 = 0, k1: f64 = 0, k2: f64 = 0, k3: f64 = 0;

// The three at the moment found last, and whether the volume rose through 0 there.
export let px: f64 = 0, py: f64 = 0, pz: f64 = 0, qx: f64 = 0, qy: f64 = 0, qz: f64 = 0, rx: f64 = 0, ry: f64 = 0, rz: f64 = 0;
export let rises: boolean = false;

const ROOT_ROUNDS: i32 = <i32>tuning.ROOT_ROUNDS;
const ROOT_PRECISION: f64 = <f64>tuning.ROOT_PRECISION;
/** More than what sums of the cubic's coefficients lose, as a share of them. */
const SUM_ROUNDING: f64 = 1e-12;

// Where the search is: extrema of the cubic, the piece to look at next, its start and the volume there.
let first: f64 = 2;
let second: f64 = 2;
let piece: i32 = 0;
let from: f64 = 0;
let before: f64 = 0;

// @ts-ignore: decorator
@inline function relative(corner: v128, point: v128, lane: i32): f64 {
  const difference = sub4(corner, point);
  return lane == 0
    ? <f64>f32x4.extract_lane(difference, 0)
    : lane == 1
      ? <f64>f32x4.extract_lane(difference, 1)
      : <f64>f32x4.extract_lane(difference, 2);
}

/**
 * Takes three points, and the fourth that they are seen from, at the start and at the end of the step; all in one frame.
 * Returns whether they may come to lie in one plane.
 */
export function beginCoplanar(start: v128, end: v128, a: v128, b: v128, c: v128, aEnd: v128, bEnd: v128, cEnd: v128): boolean {
  a0 = relative(a, start, 0); a1 = relative(a, start, 1); a2 = relative(a, start, 2);
  b0 = relative(b, start, 0); b1 = relative(b, start, 1); b2 = relative(b, start, 2);
  c0 = relative(c, start, 0); c1 = relative(c, start, 1); c2 = relative(c, start, 2);
  d0 = relative(aEnd, end, 0) - a0; d1 = relative(aEnd, end, 1) - a1; d2 = relative(aEnd, end, 2) - a2;
  e0 = relative(bEnd, end, 0) - b0; e1 = relative(bEnd, end, 1) - b1; e2 = relative(bEnd, end, 2) - b2;
  f0 = relative(cEnd, end, 0) - c0; f1 = relative(cEnd, end, 1) - c1; f2 = relative(cEnd, end, 2) - c2;
  writeVolumeCubic();
  if (keepsSign()) return false;
  first = 2;
  second = 2;
  const lead = 3 * k3;
  const discriminant = k2 * k2 - lead * k1;
  if (discriminant > 0) {
    const q = k2 < 0 ? sqrt(discriminant) - k2 : -sqrt(discriminant) - k2;
    const one = q / lead;
    const other = k1 / q;
    first = min(one, other);
    second = max(one, other);
  }
  before = k0;
  from = 0;
  piece = 0;
  return true;
}

/** The next moment in 0…1 at which the volume rises through 0, with `both` also at which it falls; 2 for none. */
export function nextCoplanar(both: boolean): f64 {
  // Between its extrema the cubic has one root at most.
  for (; piece < 3; piece++) {
    const to: f64 = piece == 0 ? first : piece == 1 ? second : 1;
    if (!(to > from && to <= 1)) continue;
    const after = volumeAt(to);
    const start = from;
    const falls = both && before > 0 && after <= 0;
    rises = before < 0 && after >= 0;
    if (after != 0) before = after;
    from = to;
    if (!rises && !falls) continue;
    piece++;
    const t = rootBetween(start, to, rises);
    px = a0 + t * d0; py = a1 + t * d1; pz = a2 + t * d2;
    qx = b0 + t * e0; qy = b1 + t * e1; qz = b2 + t * e2;
    rx = c0 + t * f0; ry = c1 + t * f1; rz = c2 + t * f2;
    return t;
  }
  return 2;
}

function writeVolumeCubic(): void {
  const px = b1 * c2 - b2 * c1;
  const py = b2 * c0 - b0 * c2;
  const pz = b0 * c1 - b1 * c0;
  const qx = b1 * f2 - b2 * f1 + e1 * c2 - e2 * c1;
  const qy = b2 * f0 - b0 * f2 + e2 * c0 - e0 * c2;
  const qz = b0 * f1 - b1 * f0 + e0 * c1 - e1 * c0;
  const rx = e1 * f2 - e2 * f1;
  const ry = e2 * f0 - e0 * f2;
  const rz = e0 * f1 - e1 * f0;
  k0 = a0 * px + a1 * py + a2 * pz;
  k1 = d0 * px + d1 * py + d2 * pz + a0 * qx + a1 * qy + a2 * qz;
  k2 = d0 * qx + d1 * qy + d2 * qz + a0 * rx + a1 * ry + a2 * rz;
  k3 = d0 * rx + d1 * ry + d2 * rz;
}

/** Whether the cubic is seen to have no root in 0…1: it lies within its Bernstein coefficients, all on one side of 0. */
// @ts-ignore: decorator
@inline function keepsSign(): boolean {
  const p1 = k0 + k1 / 3;
  const p2 = p1 + (k1 + k2) / 3;
  const p3 = k0 + k1 + k2 + k3;
  const slack = SUM_ROUNDING * (abs(k0) + abs(k1) + abs(k2) + abs(k3));
  return min(min(k0, p1), min(p2, p3)) > slack || max(max(k0, p1), max(p2, p3)) < -slack;
}

// @ts-ignore: decorator
@inline function volumeAt(t: f64): f64 {
  return k0 + t * (k1 + t * (k2 + t * k3));
}

/** The root in a piece on which the cubic rises (or falls) through 0: Newton's method, kept in by bisection. */
function rootBetween(start: f64, end: f64, rises: boolean): f64 {
  let low = start;
  let high = end;
  let t = 0.5 * (low + high);
  for (let round = 0; round < ROOT_ROUNDS && high - low > ROOT_PRECISION; round++) {
    const value = volumeAt(t);
    if (value < 0 == rises) low = t;
    else high = t;
    const next = t - value / (k1 + t * (2 * k2 + t * 3 * k3));
    if (abs(next - t) < 1e-14) break;
    t = next > low && next < high ? next : 0.5 * (low + high);
  }
  return t;
}
