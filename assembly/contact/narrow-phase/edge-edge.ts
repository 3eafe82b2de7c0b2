// Two edges: where they cross, seen along the normal of both, and when two moving ones meet. Mirrors src/contact/narrow-phase/edge-edge.ts.

import * as tuning from '../../../src/contact/narrow-phase/tuning';
import { cross4, dot3, mul4, splat4, sub4, vector30 } from '../../simd/lanes';
import { beginCoplanar, nextCoplanar, px, py, pz, qx, qy, qz, rises, rx, ry, rz } from './coplanarity';

// Where two edges cross: weights of their second ends, unit normal of both, how far the first is beyond the second along it;
// for moving edges the share of the step, and the normal on the side from which the first came.
export let crossS: f32 = 0;
export let crossT: f32 = 0;
export let crossNormal: v128 = i64x2.splat(0);
export let crossGap: f32 = 0;
export let crossTime: f32 = 0;

/** Sine, squared, of the angle up to which two edges run side by side and have no normal: 1°. */
const PARALLEL: f32 = <f32>tuning.PARALLEL;
/** How far beyond its ends a meeting still counts, in weights: neighbours overlap by it. */
const END_SLACK: f64 = <f64>tuning.END_SLACK;

/** Whether edges pq and ru cross, seen along the normal of both; all in one frame. */
export function crossEdges(p: v128, q: v128, r: v128, u: v128): boolean {
  const a = sub4(q, p);
  const b = sub4(r, p);
  const f = sub4(u, r);
  const n = cross4(a, f);
  const square = dot3(n, n);
  if (!(square > PARALLEL * dot3(a, a) * dot3(f, f))) return false;
  // s·a − t·f = b but for a part along the normal.
  const s = dot3(cross4(b, f), n) / square;
  if (!(s >= 0 && s <= 1)) return false;
  const t = dot3(cross4(b, a), n) / square;
  if (!(t >= 0 && t <= 1)) return false;
  const inverse = <f32>1 / sqrt(square);
  crossS = s;
  crossT = t;
  crossNormal = f32x4.replace_lane(mul4(splat4(inverse), n), 3, 0);
  crossGap = -dot3(b, n) * inverse;
  crossTime = 0;
  return true;
}

/** Turns the normal round. */
export function flipCrossing(): void {
  crossNormal = f32x4.neg(crossNormal);
  crossGap = -crossGap;
}

/** Whether two moving edges pq and ru meet in the step; all in one frame. */
export function meetEdges(
  p: v128, q: v128, pEnd: v128, qEnd: v128, r: v128, u: v128, rEnd: v128, uEnd: v128,
): boolean {
  if (!beginCoplanar(p, pEnd, q, r, u, qEnd, rEnd, uEnd)) return false;
  for (let t = nextCoplanar(true); t <= 1; t = nextCoplanar(true)) if (areCrossed(t)) return true;
  return false;
}

/** Whether the edges, in one plane at time t, cross. The volume under them is how far the first is beyond the second. */
function areCrossed(t: f64): boolean {
  const fx = rx - qx, fy = ry - qy, fz = rz - qz;
  const nx = py * fz - pz * fy;
  const ny = pz * fx - px * fz;
  const nz = px * fy - py * fx;
  const square = nx * nx + ny * ny + nz * nz;
  if (!(square > <f64>PARALLEL * (px * px + py * py + pz * pz) * (fx * fx + fy * fy + fz * fz))) return false;
  const s = ((qy * fz - qz * fy) * nx + (qz * fx - qx * fz) * ny + (qx * fy - qy * fx) * nz) / square;
  if (s < -END_SLACK || s > 1 + END_SLACK) return false;
  const w = ((qy * pz - qz * py) * nx + (qz * px - qx * pz) * ny + (qx * py - qy * px) * nz) / square;
  if (w < -END_SLACK || w > 1 + END_SLACK) return false;
  const scale = (rises ? -1 : 1) / sqrt(square);
  crossS = <f32>s;
  crossT = <f32>w;
  crossNormal = vector30(<f32>(nx * scale), <f32>(ny * scale), <f32>(nz * scale));
  // A time of 0 would be taken for one that was near from the start.
  crossTime = max<f32>(<f32>t, 1e-6);
  return true;
}
