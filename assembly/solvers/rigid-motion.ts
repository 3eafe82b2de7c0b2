// Momentum that a stage must not change, and the rigid velocity field that gives back what it took.
// Mirrors src/solvers/rigid-motion.ts. Here the change of momentum is summed, Σ m Δv, instead of the difference of two
// sums of m v: in single precision that keeps the digits.

import { BODY_CHUNKS, BODY_FLAGS, BODY_PARTIALS, FLAG_PINS, PARTIALS } from '../layout';
import { add4, cross4, sub4, vector30 } from '../simd/lanes';

/** Relative floor on the inertia tensor, as in the reference: lines and points stay solvable. */
const INERTIA_FLOOR: f64 = 1e-10;

/** Solution of the last solve. */
export let solved0: f64 = 0;
export let solved1: f64 = 0;
export let solved2: f64 = 0;

/** (M + floor·I)·x = b for symmetric M by Cholesky factors; x = 0 where that is not positive definite. */
export function solveSymmetric(
  xx: f64, xy: f64, xz: f64, yy: f64, yz: f64, zz: f64, floor: f64, b0: f64, b1: f64, b2: f64,
): boolean {
  solved0 = 0;
  solved1 = 0;
  solved2 = 0;
  const d0 = xx + floor;
  if (!(d0 > 0)) return false;
  const l10 = xy / d0;
  const l20 = xz / d0;
  const d1 = yy + floor - l10 * xy;
  if (!(d1 > 0)) return false;
  const c21 = yz - l10 * xz;
  const l21 = c21 / d1;
  const d2 = zz + floor - l20 * xz - l21 * c21;
  if (!(d2 > 0)) return false;
  const e1 = b1 - l10 * b0;
  const e2 = b2 - l20 * b0 - l21 * e1;
  const s2 = e2 / d2;
  const s1 = e1 / d1 - l21 * s2;
  const s0 = b0 / d0 - l10 * s1 - l20 * s2;
  if (!isFinite(s0 + s1 + s2)) return false;
  solved0 = s0;
  solved1 = s1;
  solved2 = s2;
  return true;
}

/** Σ over the chunks of the number at `place` of their partial sums, in order. */
export function reduce(body: usize, place: i32): f64 {
  const partials: usize = load<u32>(body + BODY_PARTIALS);
  const chunks: i32 = load<u32>(body + BODY_CHUNKS);
  let sum: f64 = 0;
  for (let c = 0; c < chunks; c++) sum += load<f64>(partials + ((<usize>(c * PARTIALS + place)) << 3));
  return sum;
}

/** The largest of the numbers at `place`, none of which is negative. */
export function reduceMax(body: usize, place: i32): f64 {
  const partials: usize = load<u32>(body + BODY_PARTIALS);
  const chunks: i32 = load<u32>(body + BODY_CHUNKS);
  let largest: f64 = 0;
  for (let c = 0; c < chunks; c++) largest = max(largest, load<f64>(partials + ((<usize>(c * PARTIALS + place)) << 3)));
  return largest;
}

/** Writes a partial sum of a chunk. */
// @ts-ignore: decorator
@inline export function putPartial(body: usize, chunk: i32, place: i32, value: f64): void {
  store<f64>(<usize>load<u32>(body + BODY_PARTIALS) + ((<usize>(chunk * PARTIALS + place)) << 3), value);
}

/** Reads a partial sum of a chunk. */
export function getPartial(body: usize, chunk: i32, place: i32): f64 {
  return load<f64>(<usize>load<u32>(body + BODY_PARTIALS) + ((<usize>(chunk * PARTIALS + place)) << 3));
}

/** Adds to a partial sum of a chunk. */
export function addPartial(body: usize, chunk: i32, place: i32, value: f64): void {
  const at = <usize>load<u32>(body + BODY_PARTIALS) + ((<usize>(chunk * PARTIALS + place)) << 3);
  store<f64>(at, load<f64>(at) + value);
}

/** Writes the three numbers of a vector's sum. */
// @ts-ignore: decorator
@inline export function putVector(body: usize, chunk: i32, place: i32, sum: v128): void {
  putPartial(body, chunk, place, <f64>f32x4.extract_lane(sum, 0));
  putPartial(body, chunk, place + 1, <f64>f32x4.extract_lane(sum, 1));
  putPartial(body, chunk, place + 2, <f64>f32x4.extract_lane(sum, 2));
}

// The rigid field a + b×(x − c) of the last `findRestoring`.
export let shift: v128 = i64x2.splat(0);
export let turn: v128 = i64x2.splat(0);
export let centre: v128 = i64x2.splat(0);

/**
 * The field that cancels a change of momentum: Σ m Δv at `change`, Σ m x×Δv after it (masses as shares of the body's
 * mass), for positions whose Σ m x and Σ m xxᵀ (xx, yy, zz, xy, xz, yz) are at `positions`. None under pins: momentum goes
 * through these.
 */
export function findRestoring(body: usize, positions: i32, change: i32): void {
  if ((load<u32>(body + BODY_FLAGS) & FLAG_PINS) != 0) {
    shift = i64x2.splat(0);
    turn = i64x2.splat(0);
    centre = i64x2.splat(0);
    return;
  }
  const cx = reduce(body, positions);
  const cy = reduce(body, positions + 1);
  const cz = reduce(body, positions + 2);
  const sxx = reduce(body, positions + 3) - cx * cx;
  const syy = reduce(body, positions + 4) - cy * cy;
  const szz = reduce(body, positions + 5) - cz * cz;
  const sxy = reduce(body, positions + 6) - cx * cy;
  const sxz = reduce(body, positions + 7) - cx * cz;
  const syz = reduce(body, positions + 8) - cy * cz;
  const px = reduce(body, change);
  const py = reduce(body, change + 1);
  const pz = reduce(body, change + 2);
  const lx = reduce(body, change + 3) - (cy * pz - cz * py);
  const ly = reduce(body, change + 4) - (cz * px - cx * pz);
  const lz = reduce(body, change + 5) - (cx * py - cy * px);
  const trace = 2 * (sxx + syy + szz);
  solveSymmetric(syy + szz, -sxy, -sxz, sxx + szz, -syz, sxx + syy, INERTIA_FLOOR * trace, -lx, -ly, -lz);
  shift = vector30(<f32>-px, <f32>-py, <f32>-pz);
  turn = vector30(<f32>solved0, <f32>solved1, <f32>solved2);
  centre = vector30(<f32>cx, <f32>cy, <f32>cz);
}

/** v + a + b×(xⁿ − c): what restores the momentum that matching or damping changed. Pinned particles keep their motion. */
// @ts-ignore: decorator
@inline export function restored(velocity: v128, start: v128): v128 {
  return add4(velocity, add4(shift, cross4(turn, sub4(start, centre))));
}
