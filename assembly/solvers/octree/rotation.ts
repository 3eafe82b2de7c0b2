// The rotation nearest to a 3×3 matrix, two regions at a time: see src/solvers/rotation.ts. Lanes that are done keep what they have
// while the other goes on.

import * as tuning from '../../../src/solvers/tuning';
import { add2, both2, div2, madd2, mul2, splat2, sub2 } from '../../simd/doubles';
import { horn } from './horn';

const PREVIOUS_SHARE: f64 = <f64>tuning.PREVIOUS_LINE_SHARE;
const NEWTON_LIMIT: i32 = <i32>tuning.NEWTON_LIMIT;
const NEWTON_TOLERANCE: f64 = <f64>tuning.NEWTON_TOLERANCE;

/** a·b + c·d + e·f */
// @ts-ignore: decorator
@inline function dot2(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128): v128 {
  return madd2(madd2(mul2(a, b), c, d), e, f);
}

/** 2·(a·b − c·d) */
// @ts-ignore: decorator
@inline function twiceLess2(a: v128, b: v128, c: v128, d: v128): v128 {
  return mul2(splat2(2), sub2(mul2(a, b), mul2(c, d)));
}

/** 2·(a·b + c·d) */
// @ts-ignore: decorator
@inline function twiceMore2(a: v128, b: v128, c: v128, d: v128): v128 {
  return mul2(splat2(2), madd2(mul2(a, b), c, d));
}

/** Writes the matrices (9 × two lanes) of quaternions (4 × two lanes). */
export function writeMatrices(quaternions: usize, out: usize): void {
  const x = v128.load(quaternions);
  const y = v128.load(quaternions, 16);
  const z = v128.load(quaternions, 32);
  const w = v128.load(quaternions, 48);
  const one = splat2(1);
  v128.store(out, sub2(one, twiceMore2(y, y, z, z)));
  v128.store(out, twiceLess2(x, y, z, w), 16);
  v128.store(out, twiceMore2(x, z, y, w), 32);
  v128.store(out, twiceMore2(x, y, z, w), 48);
  v128.store(out, sub2(one, twiceMore2(x, x, z, z)), 64);
  v128.store(out, twiceLess2(y, z, x, w), 80);
  v128.store(out, twiceLess2(x, z, y, w), 96);
  v128.store(out, twiceMore2(y, z, x, w), 112);
  v128.store(out, sub2(one, twiceMore2(x, x, y, y)), 128);
}

/**
 * Newton's method for the matrices at a (9 × two lanes) from the quaternions at q (4 × two lanes), which stay as they are where it
 * fails. Returns a bit for each lane that did.
 */
function climb(a: usize, least2: v128, q: usize): i32 {
  const half = splat2(0.5);
  const minusHalf = splat2(-0.5);
  const one = splat2(1);
  let x = v128.load(q);
  let y = v128.load(q, 16);
  let z = v128.load(q, 32);
  let w = v128.load(q, 48);
  let active = i64x2.splat(-1);
  let reached = i64x2.splat(0);
  for (let iteration: i32 = 0; iteration < NEWTON_LIMIT; iteration++) {
    const r0 = sub2(one, twiceMore2(y, y, z, z));
    const r1 = twiceLess2(x, y, z, w);
    const r2 = twiceMore2(x, z, y, w);
    const r3 = twiceMore2(x, y, z, w);
    const r4 = sub2(one, twiceMore2(x, x, z, z));
    const r5 = twiceLess2(y, z, x, w);
    const r6 = twiceLess2(x, z, y, w);
    const r7 = twiceMore2(y, z, x, w);
    const r8 = sub2(one, twiceMore2(x, x, y, y));
    const a0 = v128.load(a);
    const a1 = v128.load(a, 16);
    const a2 = v128.load(a, 32);
    const b00 = dot2(a0, r0, a1, r1, a2, r2);
    const b01 = dot2(a0, r3, a1, r4, a2, r5);
    const b02 = dot2(a0, r6, a1, r7, a2, r8);
    const a3 = v128.load(a, 48);
    const a4 = v128.load(a, 64);
    const a5 = v128.load(a, 80);
    const b10 = dot2(a3, r0, a4, r1, a5, r2);
    const b11 = dot2(a3, r3, a4, r4, a5, r5);
    const b12 = dot2(a3, r6, a4, r7, a5, r8);
    const a6 = v128.load(a, 96);
    const a7 = v128.load(a, 112);
    const a8 = v128.load(a, 128);
    const b20 = dot2(a6, r0, a7, r1, a8, r2);
    const b21 = dot2(a6, r3, a7, r4, a8, r5);
    const b22 = dot2(a6, r6, a7, r7, a8, r8);
    const g0 = sub2(b21, b12);
    const g1 = sub2(b02, b20);
    const g2 = sub2(b10, b01);
    const h1 = mul2(minusHalf, add2(b01, b10));
    const h2 = mul2(minusHalf, add2(b02, b20));
    const h4 = mul2(minusHalf, add2(b12, b21));
    // The solve of the symmetric system, by its factors.
    const d0 = add2(b11, b22);
    const l10 = div2(h1, d0);
    const l20 = div2(h2, d0);
    const d1 = sub2(add2(b00, b22), mul2(l10, h1));
    const c21 = sub2(h4, mul2(l10, h2));
    const l21 = div2(c21, d1);
    const d2 = sub2(sub2(add2(b00, b11), mul2(l20, h2)), mul2(l21, c21));
    const y1 = sub2(g1, mul2(l10, g0));
    const y2 = sub2(sub2(g2, mul2(l20, g0)), mul2(l21, y1));
    const s2 = div2(y2, d2);
    const s1 = sub2(div2(y1, d1), mul2(l21, s2));
    const s0 = sub2(sub2(div2(g0, d0), mul2(l10, s1)), mul2(l20, s2));
    const sum = add2(add2(s0, s1), s2);
    const finite = f64x2.eq(sub2(sum, sum), splat2(0));
    const positive = v128.and(v128.and(f64x2.gt(d0, least2), f64x2.gt(d1, least2)), f64x2.gt(d2, least2));
    active = v128.and(active, v128.and(positive, finite));
    // The turn, as far as lanes take it.
    const ax = mul2(half, s0);
    const ay = mul2(half, s1);
    const az = mul2(half, s2);
    const nx = sub2(madd2(madd2(x, ax, w), ay, z), mul2(az, y));
    const ny = sub2(madd2(madd2(y, ay, w), az, x), mul2(ax, z));
    const nz = sub2(madd2(madd2(z, az, w), ax, y), mul2(ay, x));
    const nw = sub2(sub2(sub2(w, mul2(ax, x)), mul2(ay, y)), mul2(az, z));
    const length2 = madd2(madd2(madd2(mul2(nx, nx), ny, ny), nz, nz), nw, nw);
    const scale = div2(one, f64x2.sqrt(length2));
    x = v128.bitselect(mul2(nx, scale), x, active);
    y = v128.bitselect(mul2(ny, scale), y, active);
    z = v128.bitselect(mul2(nz, scale), z, active);
    w = v128.bitselect(mul2(nw, scale), w, active);
    const angle2 = madd2(madd2(mul2(s0, s0), s1, s1), s2, s2);
    const far = f64x2.ge(angle2, splat2(NEWTON_TOLERANCE * NEWTON_TOLERANCE));
    reached = v128.or(reached, v128.andnot(active, far));
    active = v128.and(active, far);
    if (!v128.any_true(active)) break;
  }
  v128.store(q, v128.bitselect(x, v128.load(q), reached));
  v128.store(q, v128.bitselect(y, v128.load(q, 16), reached), 16);
  v128.store(q, v128.bitselect(z, v128.load(q, 32), reached), 32);
  v128.store(q, v128.bitselect(w, v128.load(q, 48), reached), 48);
  return ~i64x2.bitmask(reached) & 3;
}

/**
 * Rotates the quaternions at q (4 × two lanes; in: previous, out: nearest) for the matrices at a (9 × two lanes). `scratch` has room
 * for 59 numbers.
 */
export function nearestRotations(a: usize, restMoments: v128, q: usize, scratch: usize): void {
  const least2 = mul2(splat2(PREVIOUS_SHARE), restMoments);
  const failed = climb(a, least2, q);
  if (failed === 0) return;
  for (let lane: i32 = 0; lane < 2; lane++) {
    if ((failed & (1 << lane)) === 0) continue;
    const least = lane === 0 ? f64x2.extract_lane(least2, 0) : f64x2.extract_lane(least2, 1);
    riseAlone(a + 8 * lane, least, q + 8 * lane, scratch);
  }
}

/** One lane where Newton's method failed: from the largest eigenvector of Horn's matrix once more. */
function riseAlone(a: usize, least: f64, q: usize, scratch: usize): void {
  const own = scratch;
  const matrices = scratch + 208;
  for (let c: usize = 0; c < 4; c++) v128.store(own + 16 * c, both2(q, 16 * c));
  writeMatrices(own, matrices);
  for (let c: usize = 0; c < 9; c++) {
    const mixed = load<f64>(a + 16 * c) + least * load<f64>(matrices + 16 * c);
    store<f64>(own + 64 + 8 * c, mixed);
  }
  horn(own + 64, own, 16, matrices);
  for (let c: usize = 0; c < 4; c++) {
    v128.store(own + 16 * c, both2(own, 16 * c));
    store<f64>(q + 16 * c, load<f64>(own + 16 * c));
  }
  for (let c: usize = 0; c < 9; c++) v128.store(own + 64 + 16 * c, both2(a, 16 * c));
  climb(own + 64, splat2(least), own);
  for (let c: usize = 0; c < 4; c++) store<f64>(q + 16 * c, load<f64>(own + 16 * c));
}
