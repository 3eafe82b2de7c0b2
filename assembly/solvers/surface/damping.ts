// Damping of what is not rigid, region by region. Mirrors src/solvers/surface/damping.ts, at the middle of the step.

import {
  BLOCK, BODY_DAMPINGS, BODY_DAMPING_MEANS, BODY_FIELD_PREFIX, BODY_FLAGS,
  BODY_MASS_SHARES, BODY_PINNED, BODY_PIN_TARGETS, BODY_PREFIX, BODY_REGION_INVERSES, BODY_REGION_MASSES, BODY_REGION_TOTALS,
  BODY_REST_MOMENTS, BODY_STARTS, BODY_VELOCITIES, CHUNK, FLAG_PINS, ROW, SUM_DAMP,
} from '../../layout';
import {
  add4, cross4, crossZxy4, div4, high4, highPair4, low4, lowPair4, madd4, mul4, nmadd4, splat4, splatX4,
  splatY4, splatZ4, sub4, yzx4,
} from '../../simd/lanes';
import { workingMemory as lanes } from '../../threads';
import { putVector, restored } from '../rigid-motion';
import { chunkEnd, notePinChange } from '../sums';
import { rowBefore } from './moments';
import { nextRow4, sumRows2, sumRows4 } from './region-sums';
import { ROWS } from './rotation';

/** Relative to the region's moment at rest: single precision's rounding of the sums. */
const INERTIA_FLOOR: f32 = 1e-6;

/** Restores momentum after matching and writes the prefix sums of m̃·(x, v, x×v, xxᵀ). */
export function writeMomenta(body: usize, chunk: i32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const pins = (load<u32>(body + BODY_FLAGS) & FLAG_PINS) != 0;
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const targets: usize = load<u32>(body + BODY_PIN_TARGETS);
  const masses: usize = load<u32>(body + BODY_REGION_MASSES);
  let row = rowBefore(load<u32>(body + BODY_PREFIX), chunk * CHUNK);
  const halfStep = splat4(<f32>0.5 * timeStep);
  let p0 = splat4(0);
  let p1 = splat4(0);
  let p2 = splat4(0);
  let p3 = splat4(0);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const start = v128.load(starts + k);
    let v = restored(v128.load(velocities + k), start);
    if (pins && load<u8>(pinned + i) != 0) {
      const pinVelocity = div4(sub4(v128.load(targets + k), start), splat4(timeStep));
      notePinChange(body, k, v, pinVelocity);
      v = pinVelocity;
    }
    v128.store(velocities + k, v);
    const x = madd4(halfStep, v, start);
    const m = v128.load32_splat(masses + (<usize>i << 2));
    const mx = mul4(m, x);
    const square = mul4(mx, x);
    if ((i & (BLOCK - 1)) == 0) {
      p0 = splat4(0);
      p1 = splat4(0);
      p2 = splat4(0);
      p3 = splat4(0);
      v128.store(row, p0);
      v128.store(row, p1, 16);
      v128.store(row, p2, 32);
      v128.store(row, p3, 48);
      row += ROW;
    }
    // Fourth lanes: xx, yy, zz, splat first: that and a blend are fewer instructions than what moves a single lane.
    p0 = nextRow4(p0, v128.shuffle<f32>(mx, splatX4(square), 0, 1, 2, 7));
    p1 = nextRow4(p1, v128.shuffle<f32>(mul4(m, v), splatY4(square), 0, 1, 2, 7));
    p2 = nextRow4(p2, v128.shuffle<f32>(cross4(mx, v), splatZ4(square), 0, 1, 2, 7));
    // (x, x, y)·(y, z, z)
    p3 = nextRow4(p3, mul4(v128.shuffle<f32>(mx, mx, 0, 0, 1, 3), v128.shuffle<f32>(x, x, 1, 2, 2, 3)));
    v128.store(row, p0);
    v128.store(row, p1, 16);
    v128.store(row, p2, 32);
    v128.store(row, p3, 48);
    row += ROW;
  }
}

/** Each region's rigid velocity field u + w×x, as prefix sums of w and u; four regions at a time. */
export function dampRegions(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const prefix: usize = load<u32>(body + BODY_PREFIX);
  const fields: usize = load<u32>(body + BODY_FIELD_PREFIX);
  const totals: usize = load<u32>(body + BODY_REGION_TOTALS);
  const moments: usize = load<u32>(body + BODY_REST_MOMENTS);
  const factors: usize = load<u32>(body + BODY_DAMPINGS);
  const rows = lanes + ROWS;
  const zero = splat4(0);
  let p0 = zero;
  let p1 = zero;
  for (let group = chunk * CHUNK; group < end; group += 4) {
    const n = <usize>group << 2;
    sumRows4(body, prefix, group, rows);
    // Σ m̃·(x, v, x×v) with xx, yy, zz beside them, and (xy, xz, yz).
    const aLow01 = low4(v128.load(rows), v128.load(rows, 16));
    const aLow23 = low4(v128.load(rows, 32), v128.load(rows, 48));
    const aHigh01 = high4(v128.load(rows), v128.load(rows, 16));
    const aHigh23 = high4(v128.load(rows, 32), v128.load(rows, 48));
    const bLow01 = low4(v128.load(rows + 64), v128.load(rows + 64, 16));
    const bLow23 = low4(v128.load(rows + 64, 32), v128.load(rows + 64, 48));
    const bHigh01 = high4(v128.load(rows + 64), v128.load(rows + 64, 16));
    const bHigh23 = high4(v128.load(rows + 64, 32), v128.load(rows + 64, 48));
    const cLow01 = low4(v128.load(rows + 128), v128.load(rows + 128, 16));
    const cLow23 = low4(v128.load(rows + 128, 32), v128.load(rows + 128, 48));
    const cHigh01 = high4(v128.load(rows + 128), v128.load(rows + 128, 16));
    const cHigh23 = high4(v128.load(rows + 128, 32), v128.load(rows + 128, 48));
    const dLow01 = low4(v128.load(rows + 192), v128.load(rows + 192, 16));
    const dLow23 = low4(v128.load(rows + 192, 32), v128.load(rows + 192, 48));
    const dHigh01 = high4(v128.load(rows + 192), v128.load(rows + 192, 16));
    const dHigh23 = high4(v128.load(rows + 192, 32), v128.load(rows + 192, 48));
    const mass = v128.load(totals + n);
    const inverse = div4(splat4(1), mass);
    const tx = mul4(lowPair4(aLow01, aLow23), inverse);
    const ty = mul4(highPair4(aLow01, aLow23), inverse);
    const tz = mul4(lowPair4(aHigh01, aHigh23), inverse);
    const vx = mul4(lowPair4(bLow01, bLow23), inverse);
    const vy = mul4(highPair4(bLow01, bLow23), inverse);
    const vz = mul4(lowPair4(bHigh01, bHigh23), inverse);
    const mx = mul4(mass, tx);
    const my = mul4(mass, ty);
    const mz = mul4(mass, tz);
    const lx = sub4(lowPair4(cLow01, cLow23), sub4(mul4(my, vz), mul4(mz, vy)));
    const ly = sub4(highPair4(cLow01, cLow23), sub4(mul4(mz, vx), mul4(mx, vz)));
    const lz = sub4(lowPair4(cHigh01, cHigh23), sub4(mul4(mx, vy), mul4(my, vx)));
    const xx = nmadd4(mx, tx, highPair4(aHigh01, aHigh23));
    const yy = nmadd4(my, ty, highPair4(bHigh01, bHigh23));
    const zz = nmadd4(mz, tz, highPair4(cHigh01, cHigh23));
    const xy = nmadd4(mx, ty, lowPair4(dLow01, dLow23));
    const xz = nmadd4(mx, tz, highPair4(dLow01, dLow23));
    const yz = nmadd4(my, tz, lowPair4(dHigh01, dHigh23));
    // (tr(S)·I − S + floor·I)·w = L by cofactors; w = 0 where that is not positive definite.
    const floor = mul4(splat4(INERTIA_FLOOR), v128.load(moments + n));
    const d0 = add4(add4(yy, zz), floor);
    const d1 = add4(add4(xx, zz), floor);
    const d2 = add4(add4(xx, yy), floor);
    const k00 = nmadd4(yz, yz, mul4(d1, d2));
    const k01 = madd4(xy, d2, mul4(yz, xz));
    const k02 = madd4(xz, d1, mul4(xy, yz));
    const k11 = nmadd4(xz, xz, mul4(d0, d2));
    const k12 = madd4(yz, d0, mul4(xy, xz));
    const k22 = nmadd4(xy, xy, mul4(d0, d1));
    const determinant = nmadd4(xz, k02, nmadd4(xy, k01, mul4(d0, k00)));
    const definite = v128.and(v128.and(f32x4.gt(d0, zero), f32x4.gt(k22, zero)), f32x4.gt(determinant, zero));
    const scale = div4(splat4(1), determinant);
    const s0 = mul4(scale, madd4(k00, lx, madd4(k01, ly, mul4(k02, lz))));
    const s1 = mul4(scale, madd4(k01, lx, madd4(k11, ly, mul4(k12, lz))));
    const s2 = mul4(scale, madd4(k02, lx, madd4(k12, ly, mul4(k22, lz))));
    const sum = add4(add4(s0, s1), s2);
    const solved = v128.and(definite, f32x4.eq(sub4(sum, sum), zero));
    let wx = v128.and(s0, solved);
    let wy = v128.and(s1, solved);
    let wz = v128.and(s2, solved);
    let ux = sub4(vx, sub4(mul4(wy, tz), mul4(wz, ty)));
    let uy = sub4(vy, sub4(mul4(wz, tx), mul4(wx, tz)));
    let uz = sub4(vz, sub4(mul4(wx, ty), mul4(wy, tx)));
    if (factors != 0) {
      const factor = v128.load(factors + n);
      wx = mul4(factor, wx);
      wy = mul4(factor, wy);
      wz = mul4(factor, wz);
      ux = mul4(factor, ux);
      uy = mul4(factor, uy);
      uz = mul4(factor, uz);
    }
    const wLow01 = low4(wx, wy);
    const wLow23 = low4(wz, zero);
    const wHigh01 = high4(wx, wy);
    const wHigh23 = high4(wz, zero);
    const uLow01 = low4(ux, uy);
    const uLow23 = low4(uz, zero);
    const uHigh01 = high4(ux, uy);
    const uHigh23 = high4(uz, zero);
    const row = rowBefore(fields, group);
    if (group % BLOCK == 0) {
      p0 = zero;
      p1 = zero;
      v128.store(row, p0);
      v128.store(row, p1, 16);
    }
    p0 = nextRow4(p0, lowPair4(wLow01, wLow23));
    p1 = nextRow4(p1, lowPair4(uLow01, uLow23));
    v128.store(row + ROW, p0);
    v128.store(row + ROW, p1, 16);
    p0 = nextRow4(p0, highPair4(wLow01, wLow23));
    p1 = nextRow4(p1, highPair4(uLow01, uLow23));
    v128.store(row + 2 * ROW, p0);
    v128.store(row + 2 * ROW, p1, 16);
    p0 = nextRow4(p0, lowPair4(wHigh01, wHigh23));
    p1 = nextRow4(p1, lowPair4(uHigh01, uHigh23));
    v128.store(row + 3 * ROW, p0);
    v128.store(row + 3 * ROW, p1, 16);
    p0 = nextRow4(p0, highPair4(wHigh01, wHigh23));
    p1 = nextRow4(p1, highPair4(uHigh01, uHigh23));
    v128.store(row + 4 * ROW, p0);
    v128.store(row + 4 * ROW, p1, 16);
  }
}

/** v ← v + share·(mean field − v); sums of the change. */
export function dampVelocities(body: usize, chunk: i32, share: f32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const fields: usize = load<u32>(body + BODY_FIELD_PREFIX);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const inverses: usize = load<u32>(body + BODY_REGION_INVERSES);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  const rows = lanes + ROWS;
  const halfStep = splat4(<f32>0.5 * timeStep);
  const means: usize = load<u32>(body + BODY_DAMPING_MEANS);
  const k4 = splat4(share);
  let linear = splat4(0);
  let moment = splat4(0);
  for (let group = chunk * CHUNK; group < end; group += 4) {
    sumRows2(body, fields, group, rows);
    const last = min(group + 4, end);
    for (let i = group; i < last; i++) {
      const n = <usize>i << 2;
      const k = <usize>i << 4;
      const sum = rows + (<usize>(i & 3) << 4);
      const start = v128.load(starts + k);
      const v = v128.load(velocities + k);
      const x = madd4(halfStep, v, start);
      const field = mul4(add4(v128.load(sum, 64), cross4(v128.load(sum), x)), v128.load32_splat(inverses + n));
      const own = means != 0 ? mul4(v128.load32_splat(means + n), v) : v;
      const dv = mul4(k4, sub4(field, own));
      v128.store(velocities + k, add4(v, dv));
      const mdv = mul4(v128.load32_splat(masses + n), dv);
      linear = add4(linear, mdv);
      moment = add4(moment, crossZxy4(start, mdv));
    }
  }
  putVector(body, chunk, SUM_DAMP, linear);
  putVector(body, chunk, SUM_DAMP + 3, yzx4(moment));
}
