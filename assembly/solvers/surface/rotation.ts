// The rotation nearest to a matrix, four regions at a time. Mirrors src/solvers/rotation.ts: Newton's method from
// the previous rotation; where a lane's Hessian is not positive definite, that lane alone goes through Horn's 4×4
// eigenproblem in double precision.

import {
  add4, div4, madd4, mul4, nmadd4, select4, splat4, sub4,
} from '../../simd/lanes';
import { scratch, workingMemory as lanes } from '../../threads';

/** A pivot of the Hessian below this share of the rest moment determines nothing (single precision's noise in A). */
const LEAST: f32 = 1e-6;
const PREVIOUS_SHARE: f64 = 1e-6;
/** Gap between Horn's largest eigenvalues, 2(σ₂ ± σ₃), in rest moments, that leaves the rotation open: some noise in A. */
const OPEN: f64 = 2e-5;
const NEWTON_LIMIT: i32 = 8;
/**
 * Square of a step a = tan(θ/2) that needs no correction. With g the gradient and H the Hessian the turn sought has exactly
 * 2Ha + (a·g)a = g: the step (2H)⁻¹g leaves an error of 2a³ (3e-8 rad here), times H's condition number at worst.
 */
const NEAR2: f32 = 6.25e-6;
/** The correction c = −(a·g)·(2H)⁻¹a leaves 4c²/a: at most 4e-7 rad where (c²·this)² < a². */
const CORRECTION_SCALE: f32 = 1e7;
/** Squares of smaller ones would be too small for normal numbers, which makes them slow. */
const LEAST_CORRECTION: f32 = 1e-12;

/** Where the parts of `lanes` are: lane values of a group of regions, A (9), quaternions, rest moments. */
export const LANE_A: usize = 0; // 9 × 16
const LANE_Q: usize = 144; // 4 × 16
export const LANE_MOMENT: usize = 208;
/** Working memory behind the lanes: rows of four regions, up to 16 × 16, normals and a mask. */
export const ROWS: usize = 384;

// @ts-ignore: decorator
@inline function a4(at: usize, n: usize): v128 {
  return v128.load(at + LANE_A + (n << 4));
}

/** Reads A and the rest moments from `lanes`; `quaternions` holds x, y, z, w of the four regions before and after. */
export function nearestRotations(quaternions: usize): void {
  const at = lanes;
  const one = splat4(1);
  const two = splat4(2);
  const zero = splat4(0);
  const least = mul4(splat4(<f32>2 * LEAST), v128.load(at + LANE_MOMENT));
  const m00 = a4(at, 0);
  const m01 = a4(at, 1);
  const m02 = a4(at, 2);
  const m10 = a4(at, 3);
  const m11 = a4(at, 4);
  const m12 = a4(at, 5);
  const m20 = a4(at, 6);
  const m21 = a4(at, 7);
  const m22 = a4(at, 8);
  let x = v128.load(quaternions);
  let y = v128.load(quaternions, 16);
  let z = v128.load(quaternions, 32);
  let w = v128.load(quaternions, 48);
  let converged = zero;
  let failed = zero;
  for (let iteration = 0; iteration < NEWTON_LIMIT; iteration++) {
    const x2 = mul4(two, x);
    const y2 = mul4(two, y);
    const z2 = mul4(two, z);
    const r00 = sub4(one, madd4(y2, y, mul4(z2, z)));
    const r01 = sub4(mul4(x2, y), mul4(z2, w));
    const r02 = madd4(x2, z, mul4(y2, w));
    const r10 = madd4(x2, y, mul4(z2, w));
    const r11 = sub4(one, madd4(x2, x, mul4(z2, z)));
    const r12 = sub4(mul4(y2, z), mul4(x2, w));
    const r20 = sub4(mul4(x2, z), mul4(y2, w));
    const r21 = madd4(y2, z, mul4(x2, w));
    const r22 = sub4(one, madd4(x2, x, mul4(y2, y)));
    // B = A Rᵀ
    const b00 = madd4(m00, r00, madd4(m01, r01, mul4(m02, r02)));
    const b01 = madd4(m00, r10, madd4(m01, r11, mul4(m02, r12)));
    const b02 = madd4(m00, r20, madd4(m01, r21, mul4(m02, r22)));
    const b10 = madd4(m10, r00, madd4(m11, r01, mul4(m12, r02)));
    const b11 = madd4(m10, r10, madd4(m11, r11, mul4(m12, r12)));
    const b12 = madd4(m10, r20, madd4(m11, r21, mul4(m12, r22)));
    const b20 = madd4(m20, r00, madd4(m21, r01, mul4(m22, r02)));
    const b21 = madd4(m20, r10, madd4(m21, r11, mul4(m22, r12)));
    const b22 = madd4(m20, r20, madd4(m21, r21, mul4(m22, r22)));
    const g0 = sub4(b21, b12);
    const g1 = sub4(b02, b20);
    const g2 = sub4(b10, b01);
    // 2H = 2·tr(B)·I − (B + Bᵀ) by its cofactors: one division, and no row of the solution waits for another.
    const b00and11 = add4(b00, b11);
    const d0 = mul4(two, add4(b11, b22));
    const d1 = mul4(two, add4(b00, b22));
    const d2 = add4(b00and11, b00and11);
    const p01 = add4(b01, b10);
    const p02 = add4(b02, b20);
    const p12 = add4(b12, b21);
    const k00 = nmadd4(p12, p12, mul4(d1, d2));
    const k01 = madd4(p01, d2, mul4(p12, p02));
    const k02 = madd4(p02, d1, mul4(p01, p12));
    const k11 = nmadd4(p02, p02, mul4(d0, d2));
    const k12 = madd4(p12, d0, mul4(p01, p02));
    const k22 = nmadd4(p01, p01, mul4(d0, d1));
    const determinant = nmadd4(p02, k02, nmadd4(p01, k01, mul4(d0, k00)));
    const definite = v128.and(
      v128.and(f32x4.gt(d0, least), f32x4.gt(k22, mul4(least, d0))), f32x4.gt(determinant, mul4(least, k22)),
    );
    failed = v128.or(failed, v128.andnot(v128.not(definite), converged));
    const inverse = div4(one, determinant);
    let ax = mul4(inverse, madd4(k00, g0, madd4(k01, g1, mul4(k02, g2))));
    let ay = mul4(inverse, madd4(k01, g0, madd4(k11, g1, mul4(k12, g2))));
    let az = mul4(inverse, madd4(k02, g0, madd4(k12, g1, mul4(k22, g2))));
    const square = madd4(ax, ax, madd4(ay, ay, mul4(az, az)));
    let near = f32x4.lt(square, splat4(NEAR2));
    if (!i32x4.all_true(v128.or(near, failed))) {
      const scale = mul4(inverse, madd4(ax, g0, madd4(ay, g1, mul4(az, g2))));
      const cx = mul4(scale, madd4(k00, ax, madd4(k01, ay, mul4(k02, az))));
      const cy = mul4(scale, madd4(k01, ax, madd4(k11, ay, mul4(k12, az))));
      const cz = mul4(scale, madd4(k02, ax, madd4(k12, ay, mul4(k22, az))));
      ax = sub4(ax, cx);
      ay = sub4(ay, cy);
      az = sub4(az, cz);
      const size = f32x4.pmax(add4(f32x4.abs(cx), add4(f32x4.abs(cy), f32x4.abs(cz))), splat4(LEAST_CORRECTION));
      const left = mul4(splat4(CORRECTION_SCALE), mul4(size, size));
      near = v128.or(near, f32x4.lt(mul4(left, left), square));
    }
    // q ← Cayley turn by a
    const nx = sub4(madd4(ay, z, madd4(ax, w, x)), mul4(az, y));
    const ny = sub4(madd4(az, x, madd4(ay, w, y)), mul4(ax, z));
    const nz = sub4(madd4(ax, y, madd4(az, w, z)), mul4(ay, x));
    const nw = nmadd4(az, z, nmadd4(ay, y, nmadd4(ax, x, w)));
    const norm2 = madd4(nx, nx, madd4(ny, ny, madd4(nz, nz, mul4(nw, nw))));
    const scale = div4(one, f32x4.sqrt(norm2));
    const go = v128.andnot(definite, v128.or(converged, failed));
    const done = v128.and(go, near);
    if (i32x4.all_true(done)) {
      v128.store(quaternions, mul4(nx, scale));
      v128.store(quaternions, mul4(ny, scale), 16);
      v128.store(quaternions, mul4(nz, scale), 32);
      v128.store(quaternions, mul4(nw, scale), 48);
      return;
    }
    x = select4(go, mul4(nx, scale), x);
    y = select4(go, mul4(ny, scale), y);
    z = select4(go, mul4(nz, scale), z);
    w = select4(go, mul4(nw, scale), w);
    converged = v128.or(converged, done);
    if (i32x4.all_true(v128.or(converged, failed))) break;
  }
  // Lanes without a moment stand behind the last particle.
  const settled = v128.or(v128.andnot(converged, failed), f32x4.eq(least, zero));
  if (!i32x4.all_true(settled)) {
    v128.store(at + LANE_Q, v128.load(quaternions));
    v128.store(at + LANE_Q, v128.load(quaternions, 16), 16);
    v128.store(at + LANE_Q, v128.load(quaternions, 32), 32);
    v128.store(at + LANE_Q, v128.load(quaternions, 48), 48);
    for (let lane: usize = 0; lane < 4; lane++) {
      v128.store(scratch + 320, settled);
      if (load<i32>(scratch + 320 + (lane << 2)) != 0) continue;
      largestEigenvector(lane);
    }
    x = select4(settled, x, v128.load(at + LANE_Q));
    y = select4(settled, y, v128.load(at + LANE_Q, 16));
    z = select4(settled, z, v128.load(at + LANE_Q, 32));
    w = select4(settled, w, v128.load(at + LANE_Q, 48));
  }
  v128.store(quaternions, x);
  v128.store(quaternions, y, 16);
  v128.store(quaternions, z, 32);
  v128.store(quaternions, w, 48);
}

// @ts-ignore: decorator
@inline function h(r: i32, c: i32): usize {
  return scratch + ((<usize>(4 * r + c)) << 3);
}
// @ts-ignore: decorator
@inline function e(r: i32, c: i32): usize {
  return scratch + 128 + ((<usize>(4 * r + c)) << 3);
}
// @ts-ignore: decorator
@inline function laneOf(base: usize, n: usize, lane: usize): f64 {
  return <f64>load<f32>(lanes + base + (n << 4) + (lane << 2));
}

/** One lane's quaternion by Horn's matrix of A; where A leaves the rotation open, the previous rotation is mixed in. */
function largestEigenvector(lane: usize): void {
  const moment = <f64>load<f32>(lanes + LANE_MOMENT + (lane << 2));
  if (!decide(lane, 0, OPEN * moment)) decide(lane, PREVIOUS_SHARE * moment, -1);
}

/** Cyclic Jacobi on Horn's matrix of A + share·R; writes the quaternion if the largest eigenvalue stands out by more than `gap`. */
function decide(lane: usize, share: f64, gap: f64): boolean {
  const qx = laneOf(LANE_Q, 0, lane);
  const qy = laneOf(LANE_Q, 1, lane);
  const qz = laneOf(LANE_Q, 2, lane);
  const qw = laneOf(LANE_Q, 3, lane);
  const m0 = laneOf(LANE_A, 0, lane) + share * (1 - 2 * (qy * qy + qz * qz));
  const m1 = laneOf(LANE_A, 1, lane) + share * 2 * (qx * qy - qz * qw);
  const m2 = laneOf(LANE_A, 2, lane) + share * 2 * (qx * qz + qy * qw);
  const m3 = laneOf(LANE_A, 3, lane) + share * 2 * (qx * qy + qz * qw);
  const m4 = laneOf(LANE_A, 4, lane) + share * (1 - 2 * (qx * qx + qz * qz));
  const m5 = laneOf(LANE_A, 5, lane) + share * 2 * (qy * qz - qx * qw);
  const m6 = laneOf(LANE_A, 6, lane) + share * 2 * (qx * qz - qy * qw);
  const m7 = laneOf(LANE_A, 7, lane) + share * 2 * (qy * qz + qx * qw);
  const m8 = laneOf(LANE_A, 8, lane) + share * (1 - 2 * (qx * qx + qy * qy));
  let size = max(max(max(abs(m0), abs(m1)), max(abs(m2), abs(m3))), max(max(abs(m4), abs(m5)), max(abs(m6), max(abs(m7), abs(m8)))));
  if (!(size > 0) || !isFinite(size)) return false;
  size = 1 / size;
  store<f64>(h(0, 0), (m0 - m4 - m8) * size);
  store<f64>(h(1, 1), (m4 - m0 - m8) * size);
  store<f64>(h(2, 2), (m8 - m0 - m4) * size);
  store<f64>(h(3, 3), (m0 + m4 + m8) * size);
  put(0, 1, (m1 + m3) * size);
  put(0, 2, (m2 + m6) * size);
  put(1, 2, (m5 + m7) * size);
  put(0, 3, (m7 - m5) * size);
  put(1, 3, (m2 - m6) * size);
  put(2, 3, (m3 - m1) * size);
  for (let r = 0; r < 4; r++) {
    for (let c = 0; c < 4; c++) store<f64>(e(r, c), r == c ? 1 : 0);
  }
  for (let sweep = 0; sweep < 12; sweep++) {
    let off: f64 = 0;
    for (let r = 0; r < 3; r++) {
      for (let c = r + 1; c < 4; c++) {
        off = max(off, abs(load<f64>(h(r, c))));
        jacobiRotate(r, c);
      }
    }
    if (off < 1e-15) break;
  }
  let best = 0;
  for (let d = 1; d < 4; d++) if (load<f64>(h(d, d)) > load<f64>(h(best, best))) best = d;
  for (let d = 0; d < 4; d++) if (d != best && load<f64>(h(best, best)) - load<f64>(h(d, d)) <= gap * size) return false;
  for (let d = 0; d < 4; d++) store<f32>(lanes + LANE_Q + (<usize>d << 4) + (lane << 2), <f32>load<f64>(e(d, best)));
  return true;
}

function put(r: i32, c: i32, value: f64): void {
  store<f64>(h(r, c), value);
  store<f64>(h(c, r), value);
}

/** Zeroes h[r][c] by a plane rotation, accumulated in e. */
function jacobiRotate(r: i32, c: i32): void {
  const pivot = load<f64>(h(r, c));
  if (pivot == 0) return;
  const theta = (load<f64>(h(c, c)) - load<f64>(h(r, r))) / (2 * pivot);
  const t = (theta >= 0 ? <f64>1 : <f64>-1) / (abs(theta) + sqrt(theta * theta + 1));
  const cosine = 1 / sqrt(t * t + 1);
  const sine = t * cosine;
  for (let k = 0; k < 4; k++) {
    const u = load<f64>(h(k, r));
    const v = load<f64>(h(k, c));
    store<f64>(h(k, r), cosine * u - sine * v);
    store<f64>(h(k, c), sine * u + cosine * v);
  }
  for (let k = 0; k < 4; k++) {
    const u = load<f64>(h(r, k));
    const v = load<f64>(h(c, k));
    store<f64>(h(r, k), cosine * u - sine * v);
    store<f64>(h(c, k), sine * u + cosine * v);
    const p = load<f64>(e(k, r));
    const s = load<f64>(e(k, c));
    store<f64>(e(k, r), cosine * p - sine * s);
    store<f64>(e(k, c), sine * p + cosine * s);
  }
}
