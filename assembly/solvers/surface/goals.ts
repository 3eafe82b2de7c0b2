// Region transforms and goals. Mirrors src/solvers/surface/goals.ts: four regions at a time, the extra point's normal from
// the ring of neighbours, the prefix sums of the transforms written as they come.

import {
  BLOCK, BODY_AREAS, BODY_CHANGES, BODY_EXTRA_ARMS, BODY_EXTRA_LENGTHS, BODY_FIELD_PREFIX, BODY_INTERVAL_OFFSETS,
  BODY_INTERVALS, BODY_MASS_SHARES, BODY_POSITIONS, BODY_PREFIX, BODY_QUATERNIONS, BODY_REGION_CENTRES,
  BODY_REGION_INVERSES, BODY_REGION_MASSES, BODY_REGION_TOTALS, BODY_REST_MOMENTS, BODY_REST_NORMALS,
  BODY_REST_POSITIONS, BODY_RING_OFFSETS, BODY_RINGS, BODY_STARTS, BODY_VELOCITIES, CHUNK,
} from '../../layout';
import {
  add4, cross4, dot3, high4, highPair4, low4, lowPair4, madd4, mul4, nmadd4, splat4, splatW4, splatX4, splatY4, splatZ4,
  sub4, vector30, w4, yzx4,
} from '../../simd/lanes';
import { putVector } from '../rigid-motion';
import { chunkEnd, ROW, rowBefore } from './moments';
import { LANE_A, LANE_MOMENT, LANE_Q, LANE_R, lanes, nearestRotations } from './rotation';

/** Partial sums: Σ m Δv (3), Σ m xⁿ×Δv (3) of matching. */
export const SUM_MATCH = 10;
const LOST_NORMAL: f32 = 1e-6;
/** Per-thread working memory behind the lanes: rows of four regions. */
const ROWS: usize = 384;

/** Twice the area-weighted normal of a particle: Σ (pₖ − p)×(pₖ₊₁ − p) round its ring. */
// @ts-ignore: decorator
@inline export function ringNormal(points: usize, rings: usize, ringOffsets: usize, i: i32): v128 {
  const from: u32 = load<u32>(ringOffsets + (<usize>i << 2));
  const to: u32 = load<u32>(ringOffsets + (<usize>i << 2), 4);
  let sum = splat4(0);
  if (from == to) return sum;
  const p = v128.load(points + (<usize>i << 4));
  let previous = sub4(v128.load(points + (<usize>load<u32>(rings + (<usize>(to - 1) << 2)) << 4)), p);
  let previousTurned = yzx4(previous);
  for (let e = from; e < to; e++) {
    const current = sub4(v128.load(points + (<usize>load<u32>(rings + (<usize>e << 2)) << 4)), p);
    const turned = yzx4(current);
    sum = add4(sum, sub4(mul4(previous, turned), mul4(previousTurned, current)));
    previous = current;
    previousTurned = turned;
  }
  return yzx4(sum);
}

/** Rotation matrix of a quaternion applied to a vector. */
function turnBy(q: v128, v: v128): v128 {
  const t = mul4(splat4(2), cross4(q, v));
  return add4(add4(v, mul4(splatW4(q), t)), cross4(q, t));
}

/** From the moments' prefix sums to the transforms' prefix sums. */
export function transformRegions(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const prefix: usize = load<u32>(body + BODY_PREFIX);
  const fields: usize = load<u32>(body + BODY_FIELD_PREFIX);
  const offsets: usize = load<u32>(body + BODY_INTERVAL_OFFSETS);
  const intervals: usize = load<u32>(body + BODY_INTERVALS);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const rings: usize = load<u32>(body + BODY_RINGS);
  const ringOffsets: usize = load<u32>(body + BODY_RING_OFFSETS);
  const centres: usize = load<u32>(body + BODY_REGION_CENTRES);
  const arms: usize = load<u32>(body + BODY_EXTRA_ARMS);
  const lengths: usize = load<u32>(body + BODY_EXTRA_LENGTHS);
  const masses: usize = load<u32>(body + BODY_REGION_MASSES);
  const totals: usize = load<u32>(body + BODY_REGION_TOTALS);
  const moments: usize = load<u32>(body + BODY_REST_MOMENTS);
  const areas: usize = load<u32>(body + BODY_AREAS);
  const restNormals: usize = load<u32>(body + BODY_REST_NORMALS);
  const quaternions: usize = load<u32>(body + BODY_QUATERNIONS);
  const rows = lanes + ROWS;
  let p0 = splat4(0);
  let p1 = splat4(0);
  let p2 = splat4(0);
  for (let group = chunk * CHUNK; group < end; group += 4) {
    for (let lane: i32 = 0; lane < 4; lane++) {
      const i = group + lane;
      const k = <usize>i << 4;
      const n = <usize>i << 2;
      if (i >= end) {
        // Nobody: an identity keeps the lane quiet.
        v128.store(rows + (<usize>lane << 4), vector30(1, 0, 0));
        v128.store(rows + (<usize>lane << 4), vector30(0, 1, 0), 64);
        v128.store(rows + (<usize>lane << 4), vector30(0, 0, 1), 128);
        continue;
      }
      let r0 = splat4(0);
      let r1 = splat4(0);
      let r2 = splat4(0);
      const last = intervals + (<usize>load<u32>(offsets + n, 4) << 3);
      for (let e = intervals + (<usize>load<u32>(offsets + n) << 3); e < last; e += 8) {
        const from = prefix + <usize>load<u32>(e);
        const to = prefix + <usize>load<u32>(e, 4);
        r0 = add4(r0, sub4(v128.load(to), v128.load(from)));
        r1 = add4(r1, sub4(v128.load(to, 16), v128.load(from, 16)));
        r2 = add4(r2, sub4(v128.load(to, 32), v128.load(from, 32)));
      }
      // M̃·t stands in the fourth lanes.
      const inverse = <f32>1 / load<f32>(totals + n);
      const t = mul4(vector30(w4(r0), w4(r1), w4(r2)), splat4(inverse));
      let normal = ringNormal(positions, rings, ringOffsets, i);
      const square = dot3(normal, normal);
      const lost = <f32>6 * LOST_NORMAL * load<f32>(areas + n);
      if (square > lost * lost) normal = mul4(normal, splat4(<f32>1 / sqrt(square)));
      else normal = turnBy(v128.load(quaternions + k), v128.load(restNormals + k));
      const l = load<f32>(lengths + n);
      const p = mul4(
        v128.load32_splat(masses + n),
        sub4(madd4(splat4(l), normal, v128.load(positions + k)), t),
      );
      const t0 = v128.load(centres + k);
      const arm = v128.load(arms + k);
      v128.store(rows + (<usize>lane << 4), madd4(splatX4(p), arm, nmadd4(splatW4(r0), t0, r0)));
      v128.store(rows + (<usize>lane << 4), madd4(splatY4(p), arm, nmadd4(splatW4(r1), t0, r1)), 64);
      v128.store(rows + (<usize>lane << 4), madd4(splatZ4(p), arm, nmadd4(splatW4(r2), t0, r2)), 128);
      v128.store(rows + (<usize>lane << 4), t, 192);
    }
    for (let r: usize = 0; r < 3; r++) transpose3(rows + 64 * r, lanes + LANE_A + 48 * r);
    const g = <usize>group << 4;
    transpose4(quaternions + g, lanes + LANE_Q);
    v128.store(lanes + LANE_MOMENT, v128.load(moments + (<usize>group << 2)));
    nearestRotations();
    transpose4(lanes + LANE_Q, quaternions + g);

    for (let lane: i32 = 0; lane < 4; lane++) {
      const i = group + lane;
      const n = <usize>lane << 2;
      const t0 = v128.load(centres + (<usize>i << 4));
      const t = v128.load(rows + (<usize>lane << 4), 192);
      let row = rowBefore(fields, i);
      if (i % BLOCK == 0) {
        p0 = splat4(0);
        p1 = splat4(0);
        p2 = splat4(0);
        v128.store(row, p0);
        v128.store(row, p1, 16);
        v128.store(row, p2, 32);
      }
      const r = lanes + LANE_R + n;
      const r0 = vector30(load<f32>(r), load<f32>(r, 16), load<f32>(r, 32));
      const r1 = vector30(load<f32>(r, 48), load<f32>(r, 64), load<f32>(r, 80));
      const r2 = vector30(load<f32>(r, 96), load<f32>(r, 112), load<f32>(r, 128));
      p0 = add4(p0, f32x4.replace_lane(r0, 3, f32x4.extract_lane(t, 0) - dot3(r0, t0)));
      p1 = add4(p1, f32x4.replace_lane(r1, 3, f32x4.extract_lane(t, 1) - dot3(r1, t0)));
      p2 = add4(p2, f32x4.replace_lane(r2, 3, f32x4.extract_lane(t, 2) - dot3(r2, t0)));
      row += ROW;
      v128.store(row, p0);
      v128.store(row, p1, 16);
      v128.store(row, p2, 32);
    }
  }
}

/** Three of the four lane values of four vectors. */
function transpose3(rows: usize, out: usize): void {
  const a = low4(v128.load(rows), v128.load(rows, 16));
  const b = low4(v128.load(rows, 32), v128.load(rows, 48));
  const c = high4(v128.load(rows), v128.load(rows, 16));
  const d = high4(v128.load(rows, 32), v128.load(rows, 48));
  v128.store(out, lowPair4(a, b));
  v128.store(out, highPair4(a, b), 16);
  v128.store(out, lowPair4(c, d), 32);
}

/** Four vectors to four lane values, and back (a transpose is its own inverse). */
function transpose4(rows: usize, out: usize): void {
  const a = low4(v128.load(rows), v128.load(rows, 16));
  const b = low4(v128.load(rows, 32), v128.load(rows, 48));
  const c = high4(v128.load(rows), v128.load(rows, 16));
  const d = high4(v128.load(rows, 32), v128.load(rows, 48));
  v128.store(out, lowPair4(a, b));
  v128.store(out, highPair4(a, b), 16);
  v128.store(out, lowPair4(c, d), 32);
  v128.store(out, highPair4(c, d), 48);
}

/** From the transforms' prefix sums to goals; v ← v + s·(g − x)/Δt; sums of the change. */
export function pullToGoals(body: usize, chunk: i32, stiffness: f32, timeStep: f32): void {
  const end = chunkEnd(body, chunk);
  const fields: usize = load<u32>(body + BODY_FIELD_PREFIX);
  const offsets: usize = load<u32>(body + BODY_INTERVAL_OFFSETS);
  const intervals: usize = load<u32>(body + BODY_INTERVALS);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const starts: usize = load<u32>(body + BODY_STARTS);
  const velocities: usize = load<u32>(body + BODY_VELOCITIES);
  const rest: usize = load<u32>(body + BODY_REST_POSITIONS);
  const inverses: usize = load<u32>(body + BODY_REGION_INVERSES);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  const changes: usize = load<u32>(body + BODY_CHANGES);
  const s4 = splat4(stiffness);
  const perTime = splat4(<f32>1 / timeStep);
  let linear = splat4(0);
  let angular = splat4(0);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const n = <usize>i << 2;
    let r0 = splat4(0);
    let r1 = splat4(0);
    let r2 = splat4(0);
    const last = intervals + (<usize>load<u32>(offsets + n, 4) << 3);
    for (let e = intervals + (<usize>load<u32>(offsets + n) << 3); e < last; e += 8) {
      const from = fields + <usize>load<u32>(e);
      const to = fields + <usize>load<u32>(e, 4);
      r0 = add4(r0, sub4(v128.load(to), v128.load(from)));
      r1 = add4(r1, sub4(v128.load(to, 16), v128.load(from, 16)));
      r2 = add4(r2, sub4(v128.load(to, 32), v128.load(from, 32)));
    }
    const x0 = v128.load(rest + k);
    const q0 = mul4(r0, x0);
    const q1 = mul4(r1, x0);
    const q2 = mul4(r2, x0);
    const zero = splat4(0);
    // Sums of the lanes of q0, q1, q2 by a transpose.
    const a = low4(q0, q1);
    const b = low4(q2, zero);
    const c = high4(q0, q1);
    const d = high4(q2, zero);
    const goal = mul4(
      add4(add4(lowPair4(a, b), highPair4(a, b)), add4(lowPair4(c, d), highPair4(c, d))),
      v128.load32_splat(inverses + n),
    );
    const change = mul4(s4, sub4(goal, v128.load(positions + k)));
    store<f32>(changes + n, sqrt(dot3(change, change)));
    const dv = mul4(change, perTime);
    v128.store(velocities + k, add4(v128.load(velocities + k), dv));
    const mdv = mul4(v128.load32_splat(masses + n), dv);
    linear = add4(linear, mdv);
    angular = add4(angular, cross4(v128.load(starts + k), mdv));
  }
  putVector(body, chunk, SUM_MATCH, linear);
  putVector(body, chunk, SUM_MATCH + 3, angular);
}
