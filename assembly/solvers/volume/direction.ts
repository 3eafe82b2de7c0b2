// The momentum-free field along which a correction moves particles. Mirrors src/solvers/volume/direction.ts.

import * as tuning from '../../../src/solvers/volume/tuning';
import {
  BODY_COLLIDING, BODY_CONTACT_NORMALS, BODY_DIRECTION, BODY_FLAGS, BODY_MASS_SHARES, BODY_NORMALS, BODY_OUTWARD, BODY_PINNED,
  BODY_POSITIONS, BODY_TOUCH_NORMALS, BODY_WEIGHTS, BY_BODY, BY_OBSTACLE, CHUNK, FLAG_PINS, MAX_DIRECTION, SUM_DIRECTION, SUM_GAIN,
  SUM_SUPPORT,
} from '../../layout';
import {
  add4, addWide, column0, column1, column2, crossZxy4, dot3, dots4, gather4, high4, highPair4, low4, lowPair4, madd4, mul4, splat4,
  splatX4, splatY4, splatZ4, squares4, sub4, sumWide, vector30, w4, x4, y4, yzx4, z4,
} from '../../simd/lanes';
import { putPartial, putVector, reduce, solved0, solved1, solved2, solveSymmetric } from '../rigid-motion';
import { chunkEnd, putSquares } from '../sums';
import { unmarked } from './weights';

/** Length of that from which on that side bears it all, see the reference. */
const SUPPORTED: f64 = <f64>tuning.SUPPORTED;
const INERTIA_FLOOR: f64 = 1e-8;
/** Squared share of the outward direction below which a difference to the rigid field is rounding. */
const ROUNDING2: f32 = 1e-8;

/** Sums for the direction of positions (lane 0) or velocities (lane 1). */
export function sumDirection(body: usize, chunk: i32, lane: usize): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const outward: usize = load<u32>(body + BODY_OUTWARD);
  const masses: usize = load<u32>(body + BODY_MASS_SHARES);
  const weights: usize = <usize>load<u32>(body + BODY_WEIGHTS) + (lane << 2);
  let total: f64 = 0;
  let sum = splat4(0);
  let squares = splat4(0);
  let products = splat4(0);
  let out = splat4(0);
  let torque = splat4(0);
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const weight = load<f32>(masses + (<usize>i << 2)) * load<f32>(weights + (<usize>i << 4));
    total += weight;
    const mw = splat4(weight);
    const x = v128.load(positions + k);
    const mx = mul4(mw, x);
    sum = add4(sum, mx);
    squares = madd4(mx, x, squares);
    products = madd4(v128.shuffle<f32>(mx, mx, 0, 0, 1, 3), v128.shuffle<f32>(x, x, 1, 2, 2, 3), products);
    const o = v128.load(outward + k);
    out = madd4(mw, o, out);
    torque = add4(torque, crossZxy4(mx, o));
  }
  putPartial(body, chunk, SUM_DIRECTION, total);
  putVector(body, chunk, SUM_DIRECTION + 1, sum);
  putSquares(body, chunk, SUM_DIRECTION + 4, squares, products);
  putVector(body, chunk, SUM_DIRECTION + 10, out);
  putVector(body, chunk, SUM_DIRECTION + 13, yzx4(torque));
}

let mean: v128 = i64x2.splat(0);
let twist: v128 = i64x2.splat(0);
let middle: v128 = i64x2.splat(0);

/**
 * a, b and the centre of the field; 0 for a body with pins, and a without what obstacles bear where it is `supported`. False
 * where no particle has weight.
 */
export function findDirection(body: usize, supported: boolean): boolean {
  const total = reduce(body, SUM_DIRECTION);
  if (!(total > 0)) return false;
  if ((load<u32>(body + BODY_FLAGS) & FLAG_PINS) != 0) {
    mean = splat4(0);
    twist = splat4(0);
    middle = splat4(0);
    return true;
  }
  const cx = reduce(body, SUM_DIRECTION + 1) / total;
  const cy = reduce(body, SUM_DIRECTION + 2) / total;
  const cz = reduce(body, SUM_DIRECTION + 3) / total;
  const sxx = reduce(body, SUM_DIRECTION + 4) - total * cx * cx;
  const syy = reduce(body, SUM_DIRECTION + 5) - total * cy * cy;
  const szz = reduce(body, SUM_DIRECTION + 6) - total * cz * cz;
  const sxy = reduce(body, SUM_DIRECTION + 7) - total * cx * cy;
  const sxz = reduce(body, SUM_DIRECTION + 8) - total * cx * cz;
  const syz = reduce(body, SUM_DIRECTION + 9) - total * cy * cz;
  const ox = reduce(body, SUM_DIRECTION + 10);
  const oy = reduce(body, SUM_DIRECTION + 11);
  const oz = reduce(body, SUM_DIRECTION + 12);
  const tx = reduce(body, SUM_DIRECTION + 13) - (cy * oz - cz * oy);
  const ty = reduce(body, SUM_DIRECTION + 14) - (cz * ox - cx * oz);
  const tz = reduce(body, SUM_DIRECTION + 15) - (cx * oy - cy * ox);
  const floor = INERTIA_FLOOR * 2 * (sxx + syy + szz);
  solveSymmetric(syy + szz, -sxy, -sxz, sxx + szz, -syz, sxx + syy, floor, tx, ty, tz);
  mean = vector30(<f32>(ox / total), <f32>(oy / total), <f32>(oz / total));
  if (supported) mean = sub4(mean, borne(body, mean));
  twist = vector30(<f32>solved0, <f32>solved1, <f32>solved2);
  middle = vector30(<f32>cx, <f32>cy, <f32>cz);
  return true;
}

/** The part of a that obstacles bear. */
function borne(body: usize, push: v128): v128 {
  const support = vector30(<f32>reduce(body, SUM_SUPPORT), <f32>reduce(body, SUM_SUPPORT + 1), <f32>reduce(body, SUM_SUPPORT + 2));
  const square = dot3(support, support);
  if (!(square > 0)) return splat4(0);
  return mul4(splat4((dot3(push, support) / square) * min<f32>(1, sqrt(square) / <f32>SUPPORTED)), support);
}

/**
 * d = w·(o − a − b×r) to `field`, and its gain, four particles at a time (those that fill up a chunk have no weight); with
 * `lift` particles in contact only move off what they touch, `firmOnly` leaves out what gives way itself.
 */
export function writeDirection(
  body: usize, chunk: i32, lane: usize, lift: boolean, firmOnly: boolean, field: usize = BODY_DIRECTION,
): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const outward: usize = load<u32>(body + BODY_OUTWARD);
  const weights: usize = <usize>load<u32>(body + BODY_WEIGHTS) + (lane << 2);
  const direction: usize = load<u32>(body + field);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const pinned: usize = load<u32>(body + BODY_PINNED);
  const meanX = splatX4(mean);
  const meanY = splatY4(mean);
  const meanZ = splatZ4(mean);
  const twistX = splatX4(twist);
  const twistY = splatY4(twist);
  const twistZ = splatZ4(twist);
  let longest = splat4(0);
  let all = f64x2.splat(0);
  let free = f64x2.splat(0);
  for (let i = chunk * CHUNK; i < end; i += 4) {
    const k = <usize>i << 4;
    const r0 = sub4(v128.load(positions + k), middle);
    const r1 = sub4(v128.load(positions + k, 16), middle);
    const r2 = sub4(v128.load(positions + k, 32), middle);
    const r3 = sub4(v128.load(positions + k, 48), middle);
    const rx = column0(r0, r1, r2, r3);
    const ry = column1(r0, r1, r2, r3);
    const rz = column2(r0, r1, r2, r3);
    const o0 = v128.load(outward + k);
    const o1 = v128.load(outward + k, 16);
    const o2 = v128.load(outward + k, 32);
    const o3 = v128.load(outward + k, 48);
    const ox = column0(o0, o1, o2, o3);
    const oy = column1(o0, o1, o2, o3);
    const oz = column2(o0, o1, o2, o3);
    let dx = sub4(sub4(ox, meanX), sub4(mul4(twistY, rz), mul4(twistZ, ry)));
    let dy = sub4(sub4(oy, meanY), sub4(mul4(twistZ, rx), mul4(twistX, rz)));
    let dz = sub4(sub4(oz, meanZ), sub4(mul4(twistX, ry), mul4(twistY, rx)));
    // Where a and b take all there is, what is left is rounding, not a direction.
    const counts = f32x4.gt(squares4(dx, dy, dz), mul4(splat4(ROUNDING2), squares4(ox, oy, oz)));
    const kept = v128.and(counts, gather4(weights + k));
    dx = mul4(kept, dx);
    dy = mul4(kept, dy);
    dz = mul4(kept, dz);
    longest = f32x4.pmax(longest, squares4(dx, dy, dz));
    const d01 = low4(dx, dy);
    const d23 = high4(dx, dy);
    const z01 = low4(dz, splat4(0));
    const z23 = high4(dz, splat4(0));
    v128.store(direction + k, lowPair4(d01, z01));
    v128.store(direction + k, highPair4(d01, z01), 16);
    v128.store(direction + k, lowPair4(d23, z23), 32);
    v128.store(direction + k, highPair4(d23, z23), 48);
    const gain = dots4(direction + k, splat4(0), normals + k);
    all = addWide(all, gain);
    const marks = load<u32>(pinned + i) | load<u32>(colliding + i);
    free = addWide(free, marks == 0 ? gain : v128.and(unmarked(marks), gain));
  }
  putPartial(body, chunk, MAX_DIRECTION, max(max(x4(longest), y4(longest)), max(z4(longest), w4(longest))));
  putPartial(body, chunk, SUM_GAIN, sumWide(all));
  putPartial(body, chunk, SUM_GAIN + 1, sumWide(free));
  if (lift) liftDirection(body, chunk, firmOnly);
}

/** Takes from the direction of particles in contact what goes into what they touch, and measures it anew. */
function liftDirection(body: usize, chunk: i32, firmOnly: boolean): void {
  const end = chunkEnd(body, chunk);
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  const colliding: usize = load<u32>(body + BODY_COLLIDING);
  const contacts: usize = load<u32>(body + BODY_CONTACT_NORMALS);
  const touchNormals: usize = load<u32>(body + BODY_TOUCH_NORMALS);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  let longest: f32 = 0;
  let all: f64 = 0;
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const mark = load<u8>(colliding + i);
    let d = v128.load(direction + k);
    if ((mark & BY_OBSTACLE) != 0) d = liftOff(d, v128.load(contacts + k));
    if ((mark & BY_BODY) != 0 && !firmOnly) d = liftOff(d, v128.load(touchNormals + k));
    v128.store(direction + k, d);
    longest = max(longest, dot3(d, d));
    all += <f64>dot3(d, v128.load(normals + k));
  }
  putPartial(body, chunk, MAX_DIRECTION, longest);
  putPartial(body, chunk, SUM_GAIN, all);
}

/** A displacement without its part into what the particle touches. */
// @ts-ignore: decorator
@inline function liftOff(displacement: v128, contact: v128): v128 {
  const normal = f32x4.replace_lane(contact, 3, 0);
  const inward = dot3(displacement, normal);
  return inward < 0 ? sub4(displacement, mul4(splat4(inward), normal)) : displacement;
}
