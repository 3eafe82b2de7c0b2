// Visible vertices that follow a body: p = q + M·r, normals by the cofactors of M, tangents by M. Each vertex on its own, so the
// bits do not depend on the number of threads. Mirrors src/embedding/follow.ts.

import * as tuning from '../../src/embedding/tuning';
import {
  SKIN_COUNT, SKIN_GRADIENTS, SKIN_HAS_FAR, SKIN_MEAN_GRADIENT, SKIN_NORMALS, SKIN_ORIGIN, SKIN_PARTICLE_POSITIONS,
  SKIN_PARTICLES, SKIN_POSITIONS, SKIN_REST_TANGENTS, SKIN_TANGENTS, SKIN_VERTEX_BYTES, SKIN_VERTEX_CORNERS,
  SKIN_VERTEX_FAR, SKIN_VERTEX_NORMAL, SKIN_VERTEX_OFFSET, SKIN_VERTEX_WEIGHTS, SKIN_VERTICES,
} from '../layout';
import { cross4, div4, dot3, madd4, mul4, splat4, splatX4, splatY4, splatZ4, sub4, w4, z4 } from '../simd/lanes';
import { sync } from '../threads';
import { calmGradients, meanGradient, writeGradients } from './vertex-frames';

/** Squared length of a direction below which it is rounding. */
const NO_DIRECTION: f32 = <f32>tuning.NO_DIRECTION;
const CALMING_ROUNDS: i32 = <i32>tuning.CALMING_ROUNDS;

/** This thread's part of bringing a skin up to date. */
export function followSkin(skin: usize, thread: i32, threads: i32): void {
  const particles: i32 = load<i32>(skin + SKIN_PARTICLES);
  const from = (particles * thread) / threads;
  const to = (particles * (thread + 1)) / threads;
  writeGradients(skin, from, to);
  sync(threads);
  for (let round = 0; round < CALMING_ROUNDS; round++) {
    calmGradients(skin, from, to, round);
    sync(threads);
  }
  if (load<u32>(skin + SKIN_HAS_FAR) != 0) {
    if (thread == 0) meanGradient(skin);
    sync(threads);
  }
  const count: i64 = load<i32>(skin + SKIN_COUNT);
  followVertices(skin, <i32>((count * thread) / threads), <i32>((count * (thread + 1)) / threads));
}

function followVertices(skin: usize, from: i32, to: i32): void {
  const vertices: usize = load<u32>(skin + SKIN_VERTICES);
  const particles: usize = load<u32>(skin + SKIN_PARTICLE_POSITIONS);
  const gradients: usize = load<u32>(skin + SKIN_GRADIENTS);
  const positions: usize = load<u32>(skin + SKIN_POSITIONS);
  const normals: usize = load<u32>(skin + SKIN_NORMALS);
  const restTangents: usize = load<u32>(skin + SKIN_REST_TANGENTS);
  const tangents: usize = load<u32>(skin + SKIN_TANGENTS);
  const originXY = v128.load(skin + SKIN_ORIGIN);
  const originZ = load<f64>(skin + SKIN_ORIGIN, 16);
  for (let i = from; i < to; i++) {
    const vertex = vertices + <usize>i * SKIN_VERTEX_BYTES;
    const a: usize = load<u32>(vertex + SKIN_VERTEX_CORNERS);
    const b: usize = load<u32>(vertex + SKIN_VERTEX_CORNERS, 4);
    const c: usize = load<u32>(vertex + SKIN_VERTEX_CORNERS, 8);
    const weights = v128.load(vertex + SKIN_VERTEX_WEIGHTS);
    const u = splatX4(weights);
    const v = splatY4(weights);
    const w = splatZ4(weights);
    // Offsets of vectors are 16 bytes apart, gradients three times that.
    const ga = gradients + 3 * a;
    const gb = gradients + 3 * b;
    const gc = gradients + 3 * c;
    let c0 = madd4(u, v128.load(ga), madd4(v, v128.load(gb), mul4(w, v128.load(gc))));
    let c1 = madd4(u, v128.load(ga, 16), madd4(v, v128.load(gb, 16), mul4(w, v128.load(gc, 16))));
    let c2 = madd4(u, v128.load(ga, 32), madd4(v, v128.load(gb, 32), mul4(w, v128.load(gc, 32))));
    const far = load<f32>(vertex + SKIN_VERTEX_FAR);
    if (far > 0) {
      const far4 = splat4(far);
      const near4 = splat4(1 - far);
      c0 = madd4(near4, c0, mul4(far4, v128.load(skin + SKIN_MEAN_GRADIENT)));
      c1 = madd4(near4, c1, mul4(far4, v128.load(skin + SKIN_MEAN_GRADIENT, 16)));
      c2 = madd4(near4, c2, mul4(far4, v128.load(skin + SKIN_MEAN_GRADIENT, 32)));
    }
    const q = madd4(u, v128.load(particles + a), madd4(v, v128.load(particles + b), mul4(w, v128.load(particles + c))));
    const r = v128.load(vertex + SKIN_VERTEX_OFFSET);
    const p = madd4(c0, splatX4(r), madd4(c1, splatY4(r), madd4(c2, splatZ4(r), q)));
    const at = <usize>i * 12;
    // Far from the world's origin the frame's digits count.
    const xy = f32x4.demote_f64x2_zero(f64x2.add(f64x2.promote_low_f32x4(p), originXY));
    v128.store64_lane(positions + at, xy, 0);
    store<f32>(positions + at, <f32>(originZ + <f64>z4(p)), 8);

    const rest = v128.load(vertex + SKIN_VERTEX_NORMAL);
    let n = mul4(cross4(c1, c2), splatX4(rest));
    n = madd4(cross4(c2, c0), splatY4(rest), n);
    n = madd4(cross4(c0, c1), splatZ4(rest), n);
    n = direction(n, rest);
    v128.store64_lane(normals + at, n, 0);
    store<f32>(normals + at, z4(n), 8);
    if (restTangents != 0) {
      const restTangent = v128.load(restTangents + (<usize>i << 4));
      let t = madd4(c0, splatX4(restTangent), madd4(c1, splatY4(restTangent), mul4(c2, splatZ4(restTangent))));
      t = direction(sub4(t, mul4(splat4(dot3(t, n)), n)), restTangent);
      v128.store(tangents + (<usize>i << 4), f32x4.replace_lane(t, 3, w4(restTangent)));
    }
  }
}

/** The unit vector; the one at rest where there is no direction. */
// @ts-ignore: decorator
@inline function direction(vector: v128, rest: v128): v128 {
  const square = dot3(vector, vector);
  return square > NO_DIRECTION && square < Infinity ? div4(vector, splat4(sqrt(square))) : rest;
}
