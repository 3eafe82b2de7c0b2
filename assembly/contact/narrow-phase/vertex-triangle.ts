// A point against triangles: the nearest points of four at once; when a moving point meets a moving triangle. Mirrors
// src/contact/narrow-phase/vertex-triangle.ts.

import * as tuning from '../../../src/contact/narrow-phase/tuning';
import {
  add4, div4, high4, low4, lowPair4, highPair4, madd4, mul4, nmadd4, select4, splat4, splatX4, splatY4, splatZ4, sub4,
} from '../../simd/lanes';
import { beginCoplanar, nextCoplanar, px, py, pz, qx, qy, qz, rises, rx, ry, rz } from './coplanarity';

// The four triangles: a corner, two edges, their products, the unit normal.
let ax: v128 = i64x2.splat(0);
let ay: v128 = i64x2.splat(0);
let az: v128 = i64x2.splat(0);
let ux: v128 = i64x2.splat(0);
let uy: v128 = i64x2.splat(0);
let uz: v128 = i64x2.splat(0);
let vx: v128 = i64x2.splat(0);
let vy: v128 = i64x2.splat(0);
let vz: v128 = i64x2.splat(0);
let uu: v128 = i64x2.splat(0);
let uv: v128 = i64x2.splat(0);
let vv: v128 = i64x2.splat(0);

/** What is stored of the nearest points, four numbers each: squared distance, weights, whether it is on the edge off the first corner. */
export const NEAR_SQUARE: usize = 0;
export const NEAR_WB: usize = 16;
export const NEAR_WC: usize = 32;
export const NEAR_OPPOSITE: usize = 48;

/** Takes up to four triangles (three offsets of corners each) over `points`; the last is repeated. */
export function loadTriangles(points: usize, triangles: usize, count: i32): void {
  const t1 = triangles + (count > 1 ? 12 : 0);
  const t2 = count > 2 ? triangles + 24 : t1;
  const t3 = count > 3 ? triangles + 36 : t2;
  const a0 = v128.load(points + <usize>load<u32>(triangles));
  const a1 = v128.load(points + <usize>load<u32>(t1));
  const a2 = v128.load(points + <usize>load<u32>(t2));
  const a3 = v128.load(points + <usize>load<u32>(t3));
  const b0 = sub4(v128.load(points + <usize>load<u32>(triangles, 4)), a0);
  const b1 = sub4(v128.load(points + <usize>load<u32>(t1, 4)), a1);
  const b2 = sub4(v128.load(points + <usize>load<u32>(t2, 4)), a2);
  const b3 = sub4(v128.load(points + <usize>load<u32>(t3, 4)), a3);
  const c0 = sub4(v128.load(points + <usize>load<u32>(triangles, 8)), a0);
  const c1 = sub4(v128.load(points + <usize>load<u32>(t1, 8)), a1);
  const c2 = sub4(v128.load(points + <usize>load<u32>(t2, 8)), a2);
  const c3 = sub4(v128.load(points + <usize>load<u32>(t3, 8)), a3);
  ax = lowPair4(low4(a0, a1), low4(a2, a3));
  ay = highPair4(low4(a0, a1), low4(a2, a3));
  az = lowPair4(high4(a0, a1), high4(a2, a3));
  ux = lowPair4(low4(b0, b1), low4(b2, b3));
  uy = highPair4(low4(b0, b1), low4(b2, b3));
  uz = lowPair4(high4(b0, b1), high4(b2, b3));
  vx = lowPair4(low4(c0, c1), low4(c2, c3));
  vy = highPair4(low4(c0, c1), low4(c2, c3));
  vz = lowPair4(high4(c0, c1), high4(c2, c3));
  uu = madd4(ux, ux, madd4(uy, uy, mul4(uz, uz)));
  uv = madd4(ux, vx, madd4(uy, vy, mul4(uz, vz)));
  vv = madd4(vx, vx, madd4(vy, vy, mul4(vz, vz)));
}

/** A quotient within 0…1; 0 where it is none. */
// @ts-ignore: decorator
@inline function share4(a: v128, b: v128): v128 {
  return f32x4.pmin(splat4(1), f32x4.pmax(splat4(0), div4(a, b)));
}

// @ts-ignore: decorator
@inline function square4(x: v128, y: v128, z: v128): v128 {
  return madd4(x, x, madd4(y, y, mul4(z, z)));
}

/**
 * Finds the nearest points of up to four triangles (three offsets of corners each over `points`; the last is repeated) to a
 * point and stores them at `out`; returns the squared distances.
 */
export function nearestOfFour(points: usize, triangles: usize, count: i32, point: v128, out: usize): v128 {
  const t1 = triangles + (count > 1 ? 12 : 0);
  const t2 = count > 2 ? triangles + 24 : t1;
  const t3 = count > 3 ? triangles + 36 : t2;
  const a0 = v128.load(points + <usize>load<u32>(triangles));
  const a1 = v128.load(points + <usize>load<u32>(t1));
  const a2 = v128.load(points + <usize>load<u32>(t2));
  const a3 = v128.load(points + <usize>load<u32>(t3));
  const b0 = sub4(v128.load(points + <usize>load<u32>(triangles, 4)), a0);
  const b1 = sub4(v128.load(points + <usize>load<u32>(t1, 4)), a1);
  const b2 = sub4(v128.load(points + <usize>load<u32>(t2, 4)), a2);
  const b3 = sub4(v128.load(points + <usize>load<u32>(t3, 4)), a3);
  const c0 = sub4(v128.load(points + <usize>load<u32>(triangles, 8)), a0);
  const c1 = sub4(v128.load(points + <usize>load<u32>(t1, 8)), a1);
  const c2 = sub4(v128.load(points + <usize>load<u32>(t2, 8)), a2);
  const c3 = sub4(v128.load(points + <usize>load<u32>(t3, 8)), a3);
  const ax = lowPair4(low4(a0, a1), low4(a2, a3));
  const ay = highPair4(low4(a0, a1), low4(a2, a3));
  const az = lowPair4(high4(a0, a1), high4(a2, a3));
  const ux = lowPair4(low4(b0, b1), low4(b2, b3));
  const uy = highPair4(low4(b0, b1), low4(b2, b3));
  const uz = lowPair4(high4(b0, b1), high4(b2, b3));
  const vx = lowPair4(low4(c0, c1), low4(c2, c3));
  const vy = highPair4(low4(c0, c1), low4(c2, c3));
  const vz = lowPair4(high4(c0, c1), high4(c2, c3));
  const uu = madd4(ux, ux, madd4(uy, uy, mul4(uz, uz)));
  const uv = madd4(ux, vx, madd4(uy, vy, mul4(uz, vz)));
  const vv = madd4(vx, vx, madd4(vy, vy, mul4(vz, vz)));
  const px = sub4(splatX4(point), ax);
  const py = sub4(splatY4(point), ay);
  const pz = sub4(splatZ4(point), az);
  const d1 = madd4(ux, px, madd4(uy, py, mul4(uz, pz)));
  const d2 = madd4(vx, px, madd4(vy, py, mul4(vz, pz)));
  // The nearest points of the three edges, then of the plane.
  let wb = share4(d1, uu);
  let square = square4(nmadd4(wb, ux, px), nmadd4(wb, uy, py), nmadd4(wb, uz, pz));

  let wc = share4(d2, vv);
  const second = square4(nmadd4(wc, vx, px), nmadd4(wc, vy, py), nmadd4(wc, vz, pz));
  const nearer = f32x4.lt(second, square);
  wb = v128.andnot(wb, nearer);
  wc = v128.and(wc, nearer);
  square = f32x4.pmin(square, second);

  const ex = sub4(vx, ux);
  const ey = sub4(vy, uy);
  const ez = sub4(vz, uz);
  const qx = sub4(px, ux);
  const qy = sub4(py, uy);
  const qz = sub4(pz, uz);
  const s = share4(madd4(ex, qx, madd4(ey, qy, mul4(ez, qz))), square4(ex, ey, ez));
  const third = square4(nmadd4(s, ex, qx), nmadd4(s, ey, qy), nmadd4(s, ez, qz));
  const nearest = f32x4.lt(third, square);
  wb = select4(nearest, sub4(splat4(1), s), wb);
  wc = select4(nearest, s, wc);
  square = f32x4.pmin(square, third);

  const area = sub4(mul4(uu, vv), mul4(uv, uv));
  const nb = sub4(mul4(vv, d1), mul4(uv, d2));
  const nc = sub4(mul4(uu, d2), mul4(uv, d1));
  const na = sub4(sub4(area, nb), nc);
  const zero = splat4(0);
  const inside = v128.and(
    v128.and(f32x4.gt(nb, zero), f32x4.gt(nc, zero)),
    v128.and(f32x4.gt(na, zero), f32x4.gt(area, zero)),
  );
  const ib = div4(nb, area);
  const ic = div4(nc, area);
  const hx = nmadd4(ic, vx, nmadd4(ib, ux, px));
  const hy = nmadd4(ic, vy, nmadd4(ib, uy, py));
  const hz = nmadd4(ic, vz, nmadd4(ib, uz, pz));
  const fourth = square4(hx, hy, hz);
  const over = v128.and(inside, f32x4.lt(fourth, square));
  wb = select4(over, ib, wb);
  wc = select4(over, ic, wc);
  square = select4(over, fourth, square);

  v128.store(out, square);
  v128.store(out, wb, NEAR_WB);
  v128.store(out, wc, NEAR_WC);
  v128.store(out, v128.andnot(nearest, over), NEAR_OPPOSITE);
  return square;
}

// Weights of the second and third corners where the last ray met the four triangles, and how far along it.
export let rayB: v128 = i64x2.splat(0);
export let rayC: v128 = i64x2.splat(0);
export let rayShare: v128 = i64x2.splat(0);

/** Which of the four triangles a ray meets, as bits. */
export function metByRay(origin: v128, ray: v128): i32 {
  const dx = splatX4(ray);
  const dy = splatY4(ray);
  const dz = splatZ4(ray);
  const px = sub4(mul4(dy, vz), mul4(dz, vy));
  const py = sub4(mul4(dz, vx), mul4(dx, vz));
  const pz = sub4(mul4(dx, vy), mul4(dy, vx));
  const determinant = add4(add4(mul4(ux, px), mul4(uy, py)), mul4(uz, pz));
  const sx = sub4(splatX4(origin), ax);
  const sy = sub4(splatY4(origin), ay);
  const sz = sub4(splatZ4(origin), az);
  const wb = div4(add4(add4(mul4(sx, px), mul4(sy, py)), mul4(sz, pz)), determinant);
  const qx = sub4(mul4(sy, uz), mul4(sz, uy));
  const qy = sub4(mul4(sz, ux), mul4(sx, uz));
  const qz = sub4(mul4(sx, uy), mul4(sy, ux));
  const wc = div4(add4(add4(mul4(dx, qx), mul4(dy, qy)), mul4(dz, qz)), determinant);
  const share = div4(add4(add4(mul4(vx, qx), mul4(vy, qy)), mul4(vz, qz)), determinant);
  const zero = splat4(0);
  const outside = v128.or(v128.or(f32x4.lt(wb, zero), f32x4.lt(wc, zero)), f32x4.gt(add4(wb, wc), splat4(1)));
  rayB = wb;
  rayC = wc;
  rayShare = share;
  return i32x4.bitmask(v128.andnot(v128.and(f32x4.gt(share, zero), f32x4.ne(determinant, zero)), outside));
}

// Where a moving point met a moving triangle: share of the step, weights, unit normal on the side it came from.
export let metTime: f32 = 0;
export let metB: f32 = 0;
export let metC: f32 = 0;
export let metX: f32 = 0;
export let metY: f32 = 0;
export let metZ: f32 = 0;

/** How far outside a triangle a meeting still counts, in weights: neighbours overlap by it, so that no edge lets pass. */
const EDGE_SLACK: f64 = <f64>tuning.EDGE_SLACK;

/**
 * First time in 0…1 at which a point that moves straight lies in a triangle whose corners move straight; from the side of
 * the normal, or from either with `twoSided`. All in one frame.
 */
export function meetTriangle(
  start: v128, end: v128, a: v128, b: v128, c: v128, aEnd: v128, bEnd: v128, cEnd: v128, twoSided: boolean,
): boolean {
  if (!beginCoplanar(start, end, a, b, c, aEnd, bEnd, cEnd)) return false;
  for (let t = nextCoplanar(twoSided); t <= 1; t = nextCoplanar(twoSided)) if (liesInside(t, rises)) return true;
  return false;
}

/** Whether the point, in the plane of the triangle at time t, is inside it; keeps what was met. */
function liesInside(t: f64, entered: boolean): boolean {
  const gx = qx - px, gy = qy - py, gz = qz - pz;
  const hx = rx - px, hy = ry - py, hz = rz - pz;
  const nx = gy * hz - gz * hy;
  const ny = gz * hx - gx * hz;
  const nz = gx * hy - gy * hx;
  const square = nx * nx + ny * ny + nz * nz;
  if (!(square > 0)) return false;
  const wa = (nx * (qy * rz - qz * ry) + ny * (qz * rx - qx * rz) + nz * (qx * ry - qy * rx)) / square;
  const wb = (nx * (ry * pz - rz * py) + ny * (rz * px - rx * pz) + nz * (rx * py - ry * px)) / square;
  const wc = 1 - wa - wb;
  if (wa < -EDGE_SLACK || wb < -EDGE_SLACK || wc < -EDGE_SLACK) return false;
  const scale = (entered ? 1 : -1) / sqrt(square);
  metTime = <f32>t;
  metB = <f32>wb;
  metC = <f32>wc;
  metX = <f32>(nx * scale);
  metY = <f32>(ny * scale);
  metZ = <f32>(nz * scale);
  return true;
}
