// Damping of what is not rigid, region by region. Mirrors src/solvers/surface/damping.ts, at the middle of the step.

import {
  BLOCK, BODY_FIELD_PREFIX, BODY_FLAGS, BODY_INTERVAL_OFFSETS, BODY_INTERVALS, BODY_MASS_SHARES, BODY_PIN_TARGETS,
  BODY_PINNED, BODY_PREFIX, BODY_REGION_INVERSES, BODY_REGION_MASSES, BODY_REGION_TOTALS, BODY_REST_MOMENTS, BODY_STARTS,
  BODY_VELOCITIES, CHUNK, FLAG_PINS,
} from '../../layout';
import { add4, cross4, div4, madd4, mul4, splat4, sub4, vector30, w4, x4, y4, z4 } from '../../simd/lanes';
import { centre, putVector, shift, solved0, solved1, solved2, solveSymmetric, turn } from '../rigid-motion';
import { chunkEnd, ROW, rowBefore } from './moments';

/** Partial sums: Σ m Δv (3), Σ m xⁿ×Δv (3) of damping. */
export const SUM_DAMP = 16;
/** Relative to the region's moment at rest. */
const INERTIA_FLOOR: f64 = 1e-7;

/** v + a + b×(xⁿ − c): what restores the momentum that matching or damping changed. Pinned particles keep their motion. */
// @ts-ignore: decorator
@inline export function restored(velocity: v128, start: v128): v128 {
  return add4(velocity, add4(shift, cross4(turn, sub4(start, centre))));
}

/** Restores momentum after matching and writes the prefix sums of m̃·(x, v, x×v, xxᵀ). */
export function writeMomenta(body: usize, chunk: i32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const pins = (load<u32>(body + BODY_FLAGS) & FLAG_PINS) != 0;
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const targets: usize = load<u32>(body + BODY_PIN_TARGETS);
  const masses: usize = load<u32>(body + BODY_REGION_MASSES);
  const prefix: usize = load<u32>(body + BODY_PREFIX);
  const halfStep = splat4(<f32>0.5 * timeStep);
  let p0 = splat4(0);
  let p1 = splat4(0);
  let p2 = splat4(0);
  let p3 = splat4(0);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const start = v128.load(starts + k);
    let v = restored(v128.load(velocities + k), start);
    if (pins && load<u8>(pinned + i) != 0) v = div4(sub4(v128.load(targets + k), start), splat4(timeStep));
    v128.store(velocities + k, v);
    const x = madd4(halfStep, v, start);
    const m = v128.load32_splat(masses + (<usize>i << 2));
    const mx = mul4(m, x);
    const square = mul4(mx, x);
    let row = rowBefore(prefix, i);
    if (i % BLOCK == 0) {
      p0 = splat4(0);
      p1 = splat4(0);
      p2 = splat4(0);
      p3 = splat4(0);
      v128.store(row, p0);
      v128.store(row, p1, 16);
      v128.store(row, p2, 32);
      v128.store(row, p3, 48);
    }
    // Fourth lanes: xx, yy, zz.
    p0 = add4(p0, v128.shuffle<f32>(mx, square, 0, 1, 2, 4));
    p1 = add4(p1, v128.shuffle<f32>(mul4(m, v), square, 0, 1, 2, 5));
    p2 = add4(p2, v128.shuffle<f32>(cross4(mx, v), square, 0, 1, 2, 6));
    // (x, x, y)·(y, z, z)
    p3 = add4(p3, mul4(v128.shuffle<f32>(mx, mx, 0, 0, 1, 3), v128.shuffle<f32>(x, x, 1, 2, 2, 3)));
    row += ROW;
    v128.store(row, p0);
    v128.store(row, p1, 16);
    v128.store(row, p2, 32);
    v128.store(row, p3, 48);
  }
}

/** Each region's rigid velocity field u + w×x, as prefix sums of w and u. */
export function dampRegions(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const prefix: usize = load<u32>(body + BODY_PREFIX);
  const fields: usize = load<u32>(body + BODY_FIELD_PREFIX);
  const offsets: usize = load<u32>(body + BODY_INTERVAL_OFFSETS);
  const intervals: usize = load<u32>(body + BODY_INTERVALS);
  const totals: usize = load<u32>(body + BODY_REGION_TOTALS);
  const moments: usize = load<u32>(body + BODY_REST_MOMENTS);
  let p0 = splat4(0);
  let p1 = splat4(0);
  for (let i = chunk * CHUNK; i < end; i++) {
    const n = <usize>i << 2;
    let r0 = splat4(0);
    let r1 = splat4(0);
    let r2 = splat4(0);
    let r3 = splat4(0);
    const last = intervals + (<usize>load<u32>(offsets + n, 4) << 3);
    for (let e = intervals + (<usize>load<u32>(offsets + n) << 3); e < last; e += 8) {
      const from = prefix + <usize>load<u32>(e);
      const to = prefix + <usize>load<u32>(e, 4);
      r0 = add4(r0, sub4(v128.load(to), v128.load(from)));
      r1 = add4(r1, sub4(v128.load(to, 16), v128.load(from, 16)));
      r2 = add4(r2, sub4(v128.load(to, 32), v128.load(from, 32)));
      r3 = add4(r3, sub4(v128.load(to, 48), v128.load(from, 48)));
    }
    const mass = load<f32>(totals + n);
    const inverse = splat4(<f32>1 / mass);
    const t = mul4(r0, inverse);
    const v = mul4(r1, inverse);
    const angular = sub4(r2, mul4(splat4(mass), cross4(t, v)));
    const tx = x4(t);
    const ty = y4(t);
    const tz = z4(t);
    const xx = w4(r0) - mass * tx * tx;
    const yy = w4(r1) - mass * ty * ty;
    const zz = w4(r2) - mass * tz * tz;
    solveSymmetric(
      yy + zz, mass * tx * ty - x4(r3), mass * tx * tz - y4(r3), xx + zz, mass * ty * tz - z4(r3), xx + yy,
      INERTIA_FLOOR * load<f32>(moments + n), x4(angular), y4(angular), z4(angular),
    );
    const w = vector30(<f32>solved0, <f32>solved1, <f32>solved2);
    let row = rowBefore(fields, i);
    if (i % BLOCK == 0) {
      p0 = splat4(0);
      p1 = splat4(0);
      v128.store(row, p0);
      v128.store(row, p1, 16);
    }
    p0 = add4(p0, w);
    p1 = add4(p1, sub4(v, cross4(w, t)));
    row += ROW;
    v128.store(row, p0);
    v128.store(row, p1, 16);
  }
}

/** v ← v + share·(mean field − v); sums of the change. */
export function dampVelocities(body: usize, chunk: i32, share: f32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const fields: usize = load<u32>(body + BODY_FIELD_PREFIX);
  const offsets: usize = load<u32>(body + BODY_INTERVAL_OFFSETS);
  const intervals: usize = load<u32>(body + BODY_INTERVALS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const inverses: usize = load<u32>(body + BODY_REGION_INVERSES);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  const halfStep = splat4(<f32>0.5 * timeStep);
  const k4 = splat4(share);
  let linear = splat4(0);
  let moment = splat4(0);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const n = <usize>i << 2;
    let w = splat4(0);
    let u = splat4(0);
    const last = intervals + (<usize>load<u32>(offsets + n, 4) << 3);
    for (let e = intervals + (<usize>load<u32>(offsets + n) << 3); e < last; e += 8) {
      const from = fields + <usize>load<u32>(e);
      const to = fields + <usize>load<u32>(e, 4);
      w = add4(w, sub4(v128.load(to), v128.load(from)));
      u = add4(u, sub4(v128.load(to, 16), v128.load(from, 16)));
    }
    const start = v128.load(starts + k);
    const v = v128.load(velocities + k);
    const x = madd4(halfStep, v, start);
    const field = mul4(add4(u, cross4(w, x)), v128.load32_splat(inverses + n));
    const dv = mul4(k4, sub4(field, v));
    v128.store(velocities + k, add4(v, dv));
    const mdv = mul4(v128.load32_splat(masses + n), dv);
    linear = add4(linear, mdv);
    moment = add4(moment, cross4(start, mdv));
  }
  putVector(body, chunk, SUM_DAMP, linear);
  putVector(body, chunk, SUM_DAMP + 3, moment);
}
