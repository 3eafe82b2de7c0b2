// The shell of a hosted body between the host's double precision and the kernels' single: see src/backends/wasm/hosting/shell-copies.ts.
// A module of its own; arrays are found by their addresses.

import { add2, madd2, splat2, sub2 } from '../simd/doubles';

/** v ← v + fall, x ← x + Δt·v of so many particles. */
export function fall(positions: usize, velocities: usize, count: usize, x: f64, y: f64, z: f64, timeStep: f64): void {
  const xy = f64x2.replace_lane(splat2(x), 1, y);
  const step = splat2(timeStep);
  for (let i: usize = 0; i < count; i++, positions += 24, velocities += 24) {
    const uv = add2(v128.load(velocities), xy);
    const w = load<f64>(velocities, 16) + z;
    v128.store(velocities, uv);
    store<f64>(velocities, w, 16);
    v128.store(positions, madd2(v128.load(positions), step, uv));
    store<f64>(positions, load<f64>(positions, 16) + timeStep * w, 16);
  }
}

/** Vectors of three doubles relative to an origin, as vectors of four floats, the last zero. */
export function narrow(from: usize, to: usize, count: usize, x: f64, y: f64, z: f64): void {
  const xy = f64x2.replace_lane(splat2(x), 1, y);
  for (let i: usize = 0; i < count; i++, from += 24, to += 16) {
    const near = f32x4.demote_f64x2_zero(sub2(v128.load(from), xy));
    v128.store(to, f32x4.replace_lane(near, 2, <f32>(load<f64>(from, 16) - z)));
  }
}

/** Adds to vectors of three doubles a shift and how vectors of four floats differ from what they were. */
export function addChanges(now: usize, before: usize, to: usize, count: usize, x: f64, y: f64, z: f64): void {
  const xy = f64x2.replace_lane(splat2(x), 1, y);
  for (let i: usize = 0; i < count; i++, now += 16, before += 16, to += 24) {
    const change = sub2(f64x2.promote_low_f32x4(v128.load(now)), f64x2.promote_low_f32x4(v128.load(before)));
    v128.store(to, add2(v128.load(to), add2(xy, change)));
    const across = <f64>load<f32>(now, 8) - <f64>load<f32>(before, 8);
    store<f64>(to, load<f64>(to, 16) + (z + across), 16);
  }
}
