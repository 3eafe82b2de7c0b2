// The volume along a direction as a cubic, particle by particle instead of triangle by triangle: with N(p) = Σ pₖ×pₖ₊₁
// round a particle's ring, 6V(x + λd) = ⅓Σ x·N(x) + λ·Σ d·N(x) + λ²·Σ x·N(d) + λ³·⅓Σ d·N(d).
// Mirrors src/solvers/volume/cubic.ts.

import {
  BODY_CANDIDATES, BODY_DIRECTION, BODY_NORMALS, BODY_POSITIONS, BODY_RINGS, BODY_RING_OFFSETS, CHUNK, SUM_CANDIDATES, SUM_CUBIC,
} from '../../layout';
import { ringNormal } from '../../mesh/ring-normal';
import { addWide, dot3, dots4, splat4, sub4, sumWide } from '../../simd/lanes';
import { putPartial, reduce } from '../rigid-motion';
import { chunkEnd } from '../sums';
import { writeNormals } from './outward';

export let c0: f64 = 0;
export let c1: f64 = 0;
export let c2: f64 = 0;
export let c3: f64 = 0;

/** Sums the coefficients over a chunk; reads the normals of the current positions. */
export function sumCubic(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const positions: usize = load<u32>(body + BODY_POSITIONS);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  const rings: usize = load<u32>(body + BODY_RINGS);
  const ringOffsets: usize = load<u32>(body + BODY_RING_OFFSETS);
  const first = v128.load(positions);
  let s0: f64 = 0;
  let s1: f64 = 0;
  let s2: f64 = 0;
  let s3: f64 = 0;
  for (let i = chunk * CHUNK; i < end; i++) {
    const k = <usize>i << 4;
    const x = sub4(v128.load(positions + k), first);
    const d = v128.load(direction + k);
    const n = v128.load(normals + k);
    const nd = ringNormal(direction, rings, ringOffsets, i);
    s0 += dot3(x, n);
    s1 += dot3(d, n);
    s2 += dot3(x, nd);
    s3 += dot3(d, nd);
  }
  putPartial(body, chunk, SUM_CUBIC, s0 / 3);
  putPartial(body, chunk, SUM_CUBIC + 1, s1);
  putPartial(body, chunk, SUM_CUBIC + 2, s2);
  putPartial(body, chunk, SUM_CUBIC + 3, s3 / 3);
}

/** Normals, 6V and slope at the candidates. */
export function measureCandidates(body: usize, chunk: i32): void {
  const end = chunkEnd(body, chunk);
  const candidates: usize = load<u32>(body + BODY_CANDIDATES);
  const normals: usize = load<u32>(body + BODY_NORMALS);
  const direction: usize = load<u32>(body + BODY_DIRECTION);
  const first = v128.load(candidates);
  let volume = f64x2.splat(0);
  let slope = f64x2.splat(0);
  for (let i = chunk * CHUNK; i < end; i += 4) {
    const k = <usize>i << 4;
    writeNormals(body, i, candidates, normals);
    volume = addWide(volume, dots4(candidates + k, first, normals + k));
    slope = addWide(slope, dots4(direction + k, splat4(0), normals + k));
  }
  putPartial(body, chunk, SUM_CANDIDATES, sumWide(volume) / 3);
  putPartial(body, chunk, SUM_CANDIDATES + 1, sumWide(slope));
}

export function readCubic(body: usize): void {
  c0 = reduce(body, SUM_CUBIC);
  c1 = reduce(body, SUM_CUBIC + 1);
  c2 = reduce(body, SUM_CUBIC + 2);
  c3 = reduce(body, SUM_CUBIC + 3);
}

/** 6V at λ. */
export function sixVolumeAt(lambda: f64): f64 {
  return c0 + lambda * (c1 + lambda * (c2 + lambda * c3));
}

/** The root nearest to 0 on the branch that rises through 0, see the reference. */
export function solveCubic(target: f64, limit: f64): f64 {
  const missing = target - c0;
  if (!(c1 > 0) || missing == 0 || !(limit > 0)) return 0;
  const sign: f64 = missing > 0 ? 1 : -1;
  const q = c2 * sign;
  const goal = abs(missing);
  let high = min(limit, firstPositiveRoot(3 * c3, 2 * q, c1));
  if (high * (c1 + high * (q + high * c3)) <= goal) return sign * high;
  let low: f64 = 0;
  let mu = min(high, goal / c1);
  for (let iteration = 0; iteration < 60; iteration++) {
    const error = mu * (c1 + mu * (q + mu * c3)) - goal;
    if (error == 0) break;
    if (error > 0) high = mu;
    else low = mu;
    const newton = mu - error / (c1 + mu * (2 * q + mu * 3 * c3));
    const next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (abs(next - mu) <= 1e-16 * high) break;
    mu = next;
  }
  return sign * mu;
}

/** Smallest positive root of a·x² + b·x + c with c > 0; Infinity where there is none. */
function firstPositiveRoot(a: f64, b: f64, c: f64): f64 {
  const discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return Infinity;
  const root = sqrt(discriminant);
  const first = (2 * c) / (-b + root);
  const second = (2 * c) / (-b - root);
  return min(first > 0 ? first : Infinity, second > 0 ? second : Infinity);
}
