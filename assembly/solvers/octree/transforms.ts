// From the positions of the nodes to region transforms, frames and pulls: see src/solvers/octree/transforms.ts and octree-dynamics.ts.

import { div2, madd2, mul2, pair2, splat2, sub2 } from '../../simd/doubles';
import {
  FLOWS, FRAMES, GOAL_LOADS, GOAL_WEIGHTS, NODE_COUNT, ORIGIN, POSITIONS, PULLS, QUATERNIONS, REGION_CENTRES, REGION_LOADS,
  REGION_MASSES, REGION_TOTALS, REST_MATRICES, REST_MOMENTS, REST_POSITIONS, SCRATCH, SUMS, VELOCITIES,
} from './layout';
import { flow } from './plasticity';
import { nearestRotations, writeMatrices } from './rotation';
import { leafRows, sumMembers12, sumRegions12 } from './sums';

/** Finds the frames of the current positions; regions flow where `creep` is not negative. */
export function writeFrames(restScale: f64, yields: f64, creep: f64, most: f64, timeStep: f64): void {
  const positions: usize = load<u32>(POSITIONS);
  const origin: usize = load<u32>(ORIGIN);
  const sums: usize = load<u32>(SUMS);
  memory.copy(origin, positions, 24);
  writeMoments();
  sumMembers12(sums);
  const count: usize = load<u32>(NODE_COUNT);
  for (let r: usize = 0; r < count; r += 2) transformPair(r, min(r + 1, count - 1), restScale, yields, creep, most, timeStep);
  sumRegions12(sums);
  divideByLoads();
}

/** m̃·x⊗[x⁰; 1] of each leaf, in the tree's rows. */
function writeMoments(): void {
  const count: usize = load<u32>(NODE_COUNT);
  const origin: usize = load<u32>(ORIGIN);
  let mass: usize = load<u32>(REGION_MASSES);
  let at: usize = load<u32>(POSITIONS);
  let rest: usize = load<u32>(REST_POSITIONS);
  let row = leafRows(96);
  const ox = load<f64>(origin);
  const oy = load<f64>(origin, 8);
  const oz = load<f64>(origin, 16);
  for (let i: usize = 0; i < count; i++, mass += 8, at += 24, rest += 24, row += 96) {
    const m = load<f64>(mass);
    const x0 = load<f64>(rest);
    const y0 = load<f64>(rest, 8);
    const z0 = load<f64>(rest, 16);
    writeMoment(row, m * (load<f64>(at) - ox), x0, y0, z0);
    writeMoment(row + 32, m * (load<f64>(at, 8) - oy), x0, y0, z0);
    writeMoment(row + 64, m * (load<f64>(at, 16) - oz), x0, y0, z0);
  }
}

// @ts-ignore: decorator
@inline function writeMoment(row: usize, x: f64, x0: f64, y0: f64, z0: f64): void {
  store<f64>(row, x * x0);
  store<f64>(row, x * y0, 8);
  store<f64>(row, x * z0, 16);
  store<f64>(row, x, 24);
}

/** w·T of two regions in place of their sums; the last of an odd number is both. */
function transformPair(r: usize, s: usize, restScale: f64, yields: f64, creep: f64, most: f64, timeStep: f64): void {
  const affine: usize = load<u32>(SCRATCH);
  const rotation = affine + 144;
  const quaternions = affine + 288;
  const sumR = load<u32>(SUMS) + 96 * r;
  const sumS = load<u32>(SUMS) + 96 * s;
  const flowR = load<u32>(FLOWS) + 72 * r;
  const flowS = load<u32>(FLOWS) + 72 * s;
  const turnR = load<u32>(QUATERNIONS) + 32 * r;
  const turnS = load<u32>(QUATERNIONS) + 32 * s;
  const centres: usize = load<u32>(REGION_CENTRES);
  const x0 = pair2(centres + 24 * r, centres + 24 * s);
  const y0 = pair2(centres + 24 * r + 8, centres + 24 * s + 8);
  const z0 = pair2(centres + 24 * r + 16, centres + 24 * s + 16);
  const s0 = pair2(flowR, flowS);
  const s1 = pair2(flowR + 8, flowS + 8);
  const s2 = pair2(flowR + 16, flowS + 16);
  const s3 = pair2(flowR + 24, flowS + 24);
  const s4 = pair2(flowR + 32, flowS + 32);
  const s5 = pair2(flowR + 40, flowS + 40);
  const s6 = pair2(flowR + 48, flowS + 48);
  const s7 = pair2(flowR + 56, flowS + 56);
  const s8 = pair2(flowR + 64, flowS + 64);
  for (let c: usize = 0; c < 3; c++) {
    const row = sumR + 32 * c;
    const other = sumS + 32 * c;
    const sum = pair2(row + 24, other + 24);
    const x = sub2(pair2(row, other), mul2(sum, x0));
    const y = sub2(pair2(row + 8, other + 8), mul2(sum, y0));
    const z = sub2(pair2(row + 16, other + 16), mul2(sum, z0));
    const to = affine + 48 * c;
    v128.store(to, madd2(madd2(mul2(x, s0), y, s1), z, s2));
    v128.store(to, madd2(madd2(mul2(x, s3), y, s4), z, s5), 16);
    v128.store(to, madd2(madd2(mul2(x, s6), y, s7), z, s8), 32);
  }
  for (let c: usize = 0; c < 4; c++) v128.store(quaternions + 16 * c, pair2(turnR + 8 * c, turnS + 8 * c));
  const moments: usize = load<u32>(REST_MOMENTS);
  nearestRotations(affine, pair2(moments + 8 * r, moments + 8 * s), quaternions, affine + 352);
  for (let c: usize = 0; c < 4; c++) {
    const turned = v128.load(quaternions + 16 * c);
    store<f64>(turnR + 8 * c, f64x2.extract_lane(turned, 0));
    store<f64>(turnS + 8 * c, f64x2.extract_lane(turned, 1));
  }
  writeMatrices(quaternions, rotation);
  const totals: usize = load<u32>(REGION_TOTALS);
  const weights: usize = load<u32>(GOAL_WEIGHTS);
  const inverse = div2(splat2(1), pair2(totals + 8 * r, totals + 8 * s));
  const weight = pair2(weights + 8 * r, weights + 8 * s);
  const scale = splat2(restScale);
  for (let c: usize = 0; c < 3; c++) {
    const row = sumR + 32 * c;
    const other = sumS + 32 * c;
    const a = v128.load(rotation + 48 * c);
    const b = v128.load(rotation + 48 * c, 16);
    const d = v128.load(rotation + 48 * c, 32);
    const lx = mul2(madd2(madd2(mul2(a, s0), b, s3), d, s6), scale);
    const ly = mul2(madd2(madd2(mul2(a, s1), b, s4), d, s7), scale);
    const lz = mul2(madd2(madd2(mul2(a, s2), b, s5), d, s8), scale);
    const arm = madd2(madd2(mul2(lx, x0), ly, y0), lz, z0);
    const shift = mul2(weight, sub2(mul2(pair2(row + 24, other + 24), inverse), arm));
    storePair(row, other, mul2(weight, lx));
    storePair(row + 8, other + 8, mul2(weight, ly));
    storePair(row + 16, other + 16, mul2(weight, lz));
    storePair(row + 24, other + 24, shift);
  }
  if (creep < 0) return;
  const matrices: usize = load<u32>(REST_MATRICES);
  flow(matrices + 48 * r, affine, rotation, flowR, affine + 352, yields, creep, most, timeStep);
  if (s !== r) flow(matrices + 48 * s, affine + 8, rotation + 8, flowS, affine + 352, yields, creep, most, timeStep);
}

// @ts-ignore: decorator
@inline function storePair(a: usize, b: usize, value: v128): void {
  store<f64>(a, f64x2.extract_lane(value, 0));
  store<f64>(b, f64x2.extract_lane(value, 1));
}

/** Tᵢ = Σ w·T / Wᵢ, from the tree's rows to the frames. */
function divideByLoads(): void {
  const count: usize = load<u32>(NODE_COUNT);
  let from = leafRows(96);
  let to: usize = load<u32>(FRAMES);
  let loads: usize = load<u32>(GOAL_LOADS);
  for (let i: usize = 0; i < count; i++, loads += 8, from += 96, to += 96) {
    const inverse = splat2(1 / load<f64>(loads));
    v128.store(to, mul2(v128.load(from), inverse));
    v128.store(to, mul2(v128.load(from, 16), inverse), 16);
    v128.store(to, mul2(v128.load(from, 32), inverse), 32);
    v128.store(to, mul2(v128.load(from, 48), inverse), 48);
    v128.store(to, mul2(v128.load(from, 64), inverse), 64);
    v128.store(to, mul2(v128.load(from, 80), inverse), 80);
  }
}

/** Pulls velocities towards the goals of the frames, by a share of the way in a step. */
export function pull(share: f64, timeStep: f64): void {
  const count: usize = load<u32>(NODE_COUNT);
  const origin: usize = load<u32>(ORIGIN);
  let frame: usize = load<u32>(FRAMES);
  let rest: usize = load<u32>(REST_POSITIONS);
  let at: usize = load<u32>(POSITIONS);
  let speed: usize = load<u32>(VELOCITIES);
  let out: usize = load<u32>(PULLS);
  const goals: usize = load<u32>(GOAL_LOADS);
  const regions: usize = load<u32>(REGION_LOADS);
  for (let i: usize = 0; i < count; i++, frame += 96, rest += 24) {
    const own = (share * load<f64>(goals + 8 * i)) / load<f64>(regions + 8 * i);
    const x = load<f64>(rest);
    const y = load<f64>(rest, 8);
    const z = load<f64>(rest, 16);
    for (let c: usize = 0; c < 3; c++, at += 8, speed += 8, out += 8) {
      const row = frame + 32 * c;
      const goal = load<f64>(origin + 8 * c) + load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z + load<f64>(row, 24);
      const pulled = own * (goal - load<f64>(at));
      store<f64>(out, pulled);
      store<f64>(speed, load<f64>(speed) + pulled / timeStep);
    }
  }
}
