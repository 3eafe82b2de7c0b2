// The momenta of the surface, and its motion by a field that gives them back: see src/solvers/octree/surface-momentum.ts.

import { div2, splat2, sub2 } from '../../simd/doubles';
import {
  CARRIED, CARRIED_VELOCITIES, FIELD, MASS_SHARES, MOMENTA, SHELL_POSITIONS, SHELL_VELOCITIES, STARTS, VERTEX_COUNT,
} from './layout';

/** Sums momenta of the shell, whose positions are where it started. */
export function measureShell(): void {
  sumMomenta(load<u32>(SHELL_POSITIONS), load<u32>(SHELL_VELOCITIES));
}

/** Finds the velocities that took the surface from its starts to where it is carried, and sums their momenta. */
export function measureCarried(timeStep: f64): void {
  const starts: usize = load<u32>(STARTS);
  const carried: usize = load<u32>(CARRIED);
  const speed: usize = load<u32>(CARRIED_VELOCITIES);
  const bytes: usize = 24 * load<u32>(VERTEX_COUNT);
  const step = splat2(timeStep);
  // Arrays are padded to whole vectors.
  for (let k: usize = 0; k < bytes; k += 16) {
    v128.store(speed + k, div2(sub2(v128.load(carried + k), v128.load(starts + k)), step));
  }
  sumMomenta(starts, speed);
}

function sumMomenta(at: usize, speed: usize): void {
  const count: usize = load<u32>(VERTEX_COUNT);
  const out: usize = load<u32>(MOMENTA);
  let masses: usize = load<u32>(MASS_SHARES);
  const ox = load<f64>(at);
  const oy = load<f64>(at, 8);
  const oz = load<f64>(at, 16);
  let mass: f64 = 0;
  let sx: f64 = 0;
  let sy: f64 = 0;
  let sz: f64 = 0;
  let px: f64 = 0;
  let py: f64 = 0;
  let pz: f64 = 0;
  let lx: f64 = 0;
  let ly: f64 = 0;
  let lz: f64 = 0;
  let xx: f64 = 0;
  let xy: f64 = 0;
  let xz: f64 = 0;
  let yy: f64 = 0;
  let yz: f64 = 0;
  let zz: f64 = 0;
  for (let i: usize = 0; i < count; i++, at += 24, speed += 24, masses += 8) {
    const m = load<f64>(masses);
    const x = load<f64>(at) - ox;
    const y = load<f64>(at, 8) - oy;
    const z = load<f64>(at, 16) - oz;
    const u = load<f64>(speed);
    const v = load<f64>(speed, 8);
    const w = load<f64>(speed, 16);
    const mx = m * x;
    const my = m * y;
    const mz = m * z;
    mass += m;
    sx += mx;
    sy += my;
    sz += mz;
    px += m * u;
    py += m * v;
    pz += m * w;
    lx += my * w - mz * v;
    ly += mz * u - mx * w;
    lz += mx * v - my * u;
    xx += mx * x;
    xy += mx * y;
    xz += mx * z;
    yy += my * y;
    yz += my * z;
    zz += mz * z;
  }
  store<f64>(out, mass);
  store<f64>(out, sx, 8);
  store<f64>(out, sy, 16);
  store<f64>(out, sz, 24);
  store<f64>(out, px, 32);
  store<f64>(out, py, 40);
  store<f64>(out, pz, 48);
  store<f64>(out, lx, 56);
  store<f64>(out, ly, 64);
  store<f64>(out, lz, 72);
  store<f64>(out, xx, 80);
  store<f64>(out, xy, 88);
  store<f64>(out, xz, 96);
  store<f64>(out, yy, 104);
  store<f64>(out, yz, 112);
  store<f64>(out, zz, 120);
}

/** Shifts where the surface started, adds the field to its velocities, and moves it. */
export function moveByField(timeStep: f64): void {
  const field: usize = load<u32>(FIELD);
  const cx = load<f64>(field);
  const cy = load<f64>(field, 8);
  const cz = load<f64>(field, 16);
  const mx = load<f64>(field, 24);
  const my = load<f64>(field, 32);
  const mz = load<f64>(field, 40);
  const g0 = load<f64>(field, 48);
  const g1 = load<f64>(field, 56);
  const g2 = load<f64>(field, 64);
  const g3 = load<f64>(field, 72);
  const g4 = load<f64>(field, 80);
  const g5 = load<f64>(field, 88);
  const g6 = load<f64>(field, 96);
  const g7 = load<f64>(field, 104);
  const g8 = load<f64>(field, 112);
  const dx = load<f64>(field, 120);
  const dy = load<f64>(field, 128);
  const dz = load<f64>(field, 136);
  let start: usize = load<u32>(STARTS);
  let at: usize = load<u32>(CARRIED);
  let speed: usize = load<u32>(CARRIED_VELOCITIES);
  const end = start + 24 * load<u32>(VERTEX_COUNT);
  for (; start < end; start += 24, at += 24, speed += 24) {
    const sx = load<f64>(start) + dx;
    const sy = load<f64>(start, 8) + dy;
    const sz = load<f64>(start, 16) + dz;
    const x = sx - cx;
    const y = sy - cy;
    const z = sz - cz;
    const u = load<f64>(speed) + (mx + g0 * x + g1 * y + g2 * z);
    const v = load<f64>(speed, 8) + (my + g3 * x + g4 * y + g5 * z);
    const w = load<f64>(speed, 16) + (mz + g6 * x + g7 * y + g8 * z);
    store<f64>(speed, u);
    store<f64>(speed, v, 8);
    store<f64>(speed, w, 16);
    store<f64>(at, sx + timeStep * u);
    store<f64>(at, sy + timeStep * v, 8);
    store<f64>(at, sz + timeStep * w, 16);
  }
}
