// Damping by regions and by connected parts: see src/solvers/octree/damping.ts and src/solvers/region-damping.ts.

import * as tuning from '../../../src/solvers/tuning';
import { add2 } from '../../simd/doubles';
import {
  DAMPING_FACTORS, DAMPING_MEANS, MASSES, NODE_COUNT, PART_COUNT, PART_FIELDS, PART_MASSES, PART_MOMENTS, PART_SUMS, PARTS, PLACES,
  POSITIONS, REGION_LOADS, REGION_MASSES, REGION_TOTALS, REST_MOMENTS, SUMS, VELOCITIES,
} from './layout';
import { solveSymmetric, solvedX, solvedY, solvedZ } from './solve';
import { leafRows, sumMembers16, sumRegions6 } from './sums';

const INERTIA_FLOOR: f64 = <f64>tuning.INERTIA_FLOOR;

/** Takes shares of what is not rigid motion of the regions, then of the parts. */
export function damp(share: f64, partShare: f64): void {
  writePlaces();
  dampRegions(share);
  dampParts(partShare);
}

/** Positions relative to the first node, as at the middle of a step of no length. */
function writePlaces(): void {
  const at: usize = load<u32>(POSITIONS);
  const speed: usize = load<u32>(VELOCITIES);
  const out: usize = load<u32>(PLACES);
  const bytes: usize = 24 * load<u32>(NODE_COUNT);
  for (let k: usize = 0; k < bytes; k += 24) {
    for (let c: usize = 0; c < 24; c += 8) {
      store<f64>(out + k + c, load<f64>(at + k + c) - load<f64>(at + c) + 0 * load<f64>(speed + k + c));
    }
  }
}

/** Momenta of the nodes with the given masses, 16 numbers each. */
function writeMomenta(mass: usize, row: usize): void {
  const count: usize = load<u32>(NODE_COUNT);
  let at: usize = load<u32>(PLACES);
  let speed: usize = load<u32>(VELOCITIES);
  for (let i: usize = 0; i < count; i++, mass += 8, at += 24, speed += 24, row += 128) {
    const m = load<f64>(mass);
    const x = load<f64>(at);
    const y = load<f64>(at, 8);
    const z = load<f64>(at, 16);
    const u = load<f64>(speed);
    const v = load<f64>(speed, 8);
    const w = load<f64>(speed, 16);
    const mx = m * x;
    const my = m * y;
    store<f64>(row, mx);
    store<f64>(row, my, 8);
    store<f64>(row, m * z, 16);
    store<f64>(row, m * u, 24);
    store<f64>(row, m * v, 32);
    store<f64>(row, m * w, 40);
    store<f64>(row, m * (y * w - z * v), 48);
    store<f64>(row, m * (z * u - x * w), 56);
    store<f64>(row, m * (x * v - y * u), 64);
    store<f64>(row, mx * x, 72);
    store<f64>(row, mx * y, 80);
    store<f64>(row, mx * z, 88);
    store<f64>(row, my * y, 96);
    store<f64>(row, my * z, 104);
    store<f64>(row, m * z * z, 112);
    store<f64>(row, 0, 120);
  }
}

/** The rigid velocity field (6 numbers) of the momenta at s, of things that have this mass and moment at rest. */
function writeField(s: usize, mass: f64, moment: f64, field: usize): void {
  const tx = load<f64>(s) / mass;
  const ty = load<f64>(s, 8) / mass;
  const tz = load<f64>(s, 16) / mass;
  const vx = load<f64>(s, 24) / mass;
  const vy = load<f64>(s, 32) / mass;
  const vz = load<f64>(s, 40) / mass;
  const xx = load<f64>(s, 72) - mass * tx * tx;
  const yy = load<f64>(s, 96) - mass * ty * ty;
  const zz = load<f64>(s, 112) - mass * tz * tz;
  solveSymmetric(
    yy + zz,
    mass * tx * ty - load<f64>(s, 80),
    mass * tx * tz - load<f64>(s, 88),
    xx + zz,
    mass * ty * tz - load<f64>(s, 104),
    xx + yy,
    INERTIA_FLOOR * moment,
    load<f64>(s, 48) - mass * (ty * vz - tz * vy),
    load<f64>(s, 56) - mass * (tz * vx - tx * vz),
    load<f64>(s, 64) - mass * (tx * vy - ty * vx),
  );
  store<f64>(field, solvedX);
  store<f64>(field, solvedY, 8);
  store<f64>(field, solvedZ, 16);
  store<f64>(field, vx - (solvedY * tz - solvedZ * ty), 24);
  store<f64>(field, vy - (solvedZ * tx - solvedX * tz), 32);
  store<f64>(field, vz - (solvedX * ty - solvedY * tx), 40);
}

/** v ← v + share·(v̂ − mean·v), v̂ the field at the node over `load`. */
// @ts-ignore: decorator
@inline function followField(field: usize, inverse: f64, mean: f64, share: f64, at: usize, speed: usize): void {
  const wx = load<f64>(field) * inverse;
  const wy = load<f64>(field, 8) * inverse;
  const wz = load<f64>(field, 16) * inverse;
  const x = load<f64>(at);
  const y = load<f64>(at, 8);
  const z = load<f64>(at, 16);
  const u = load<f64>(speed);
  const v = load<f64>(speed, 8);
  const w = load<f64>(speed, 16);
  store<f64>(speed, u + share * (load<f64>(field, 24) * inverse + wy * z - wz * y - mean * u));
  store<f64>(speed, v + share * (load<f64>(field, 32) * inverse + wz * x - wx * z - mean * v), 8);
  store<f64>(speed, w + share * (load<f64>(field, 40) * inverse + wx * y - wy * x - mean * w), 16);
}

function dampRegions(share: f64): void {
  const count: usize = load<u32>(NODE_COUNT);
  const sums: usize = load<u32>(SUMS);
  writeMomenta(load<u32>(REGION_MASSES), leafRows(128));
  sumMembers16(sums);
  const totals: usize = load<u32>(REGION_TOTALS);
  const moments: usize = load<u32>(REST_MOMENTS);
  const factors: usize = load<u32>(DAMPING_FACTORS);
  const masses: usize = load<u32>(MASSES);
  // Fields are shorter than momenta: they are written over those that are read.
  for (let r: usize = 0; r < count; r++) {
    const field = sums + 48 * r;
    writeField(sums + 128 * r, load<f64>(totals + 8 * r), load<f64>(moments + 8 * r), field);
    const factor = load<f64>(factors + 8 * r);
    const mass = load<f64>(masses + 8 * r);
    for (let c: usize = 0; c < 48; c += 8) store<f64>(field + c, load<f64>(field + c) * factor * mass);
  }
  sumRegions6(sums);
  const rows = leafRows(48);
  const loads: usize = load<u32>(REGION_LOADS);
  const means: usize = load<u32>(DAMPING_MEANS);
  const at: usize = load<u32>(PLACES);
  const speed: usize = load<u32>(VELOCITIES);
  for (let i: usize = 0; i < count; i++) {
    const inverse = 1 / load<f64>(loads + 8 * i);
    followField(rows + 48 * i, inverse, load<f64>(means + 8 * i), share, at + 24 * i, speed + 24 * i);
  }
}

function dampParts(share: f64): void {
  const count: usize = load<u32>(NODE_COUNT);
  const partCount: usize = load<u32>(PART_COUNT);
  const sums: usize = load<u32>(SUMS);
  const parts: usize = load<u32>(PARTS);
  const partSums: usize = load<u32>(PART_SUMS);
  const fields: usize = load<u32>(PART_FIELDS);
  const masses: usize = load<u32>(PART_MASSES);
  const moments: usize = load<u32>(PART_MOMENTS);
  writeMomenta(load<u32>(MASSES), sums);
  memory.fill(partSums, 0, 128 * partCount);
  for (let i: usize = 0; i < count; i++) {
    const to = partSums + 128 * load<u32>(parts + 4 * i);
    const from = sums + 128 * i;
    for (let c: usize = 0; c < 128; c += 16) v128.store(to + c, add2(v128.load(to + c), v128.load(from + c)));
  }
  for (let p: usize = 0; p < partCount; p++) {
    writeField(partSums + 128 * p, load<f64>(masses + 8 * p), load<f64>(moments + 8 * p), fields + 48 * p);
  }
  const at: usize = load<u32>(PLACES);
  const speed: usize = load<u32>(VELOCITIES);
  for (let i: usize = 0; i < count; i++) {
    followField(fields + 48 * load<u32>(parts + 4 * i), 1, 1, share, at + 24 * i, speed + 24 * i);
  }
}
