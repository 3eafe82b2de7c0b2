// Loops over long vectors: src/solvers/tetrahedra/vectors.ts, two numbers at a time.

import { add2, mul2, splat2, sub2 } from './pairs';

/** a·b, in four sums. */
export function dot(a: usize, b: usize, count: i32): f64 {
  let low = splat2(0);
  let high = splat2(0);
  const end = a + ((count & ~3) << 3);
  while (a < end) {
    low = add2(low, mul2(v128.load(a), v128.load(b)));
    high = add2(high, mul2(v128.load(a, 16), v128.load(b, 16)));
    a += 32;
    b += 32;
  }
  const both = add2(low, high);
  let sum = f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
  for (let k = count & ~3; k < count; k++) {
    sum += load<f64>(a) * load<f64>(b);
    a += 8;
    b += 8;
  }
  return sum;
}

export function scaleInto(y: usize, factor: f64, v: usize, count: i32): void {
  const factor2 = splat2(factor);
  const pairs: usize = (count & ~1) << 3;
  for (let k: usize = 0; k < pairs; k += 16) v128.store(v + k, mul2(v128.load(y + k), factor2));
  if (count & 1) store<f64>(v + pairs, load<f64>(y + pairs) * factor);
}

export function lanczos(y: usize, v: usize, r1: usize, factor: f64, count: i32): f64 {
  subtract(y, r1, factor, count);
  return dot(v, y, count);
}

/** y −= factor·r. */
function subtract(y: usize, r: usize, factor: f64, count: i32): void {
  const factor2 = splat2(factor);
  const pairs: usize = (count & ~1) << 3;
  for (let k: usize = 0; k < pairs; k += 16) {
    v128.store(y + k, sub2(v128.load(y + k), mul2(factor2, v128.load(r + k))));
  }
  if (count & 1) store<f64>(y + pairs, load<f64>(y + pairs) - factor * load<f64>(r + pairs));
}

export function shift(y: usize, r1: usize, r2: usize, factor: f64, count: i32): void {
  const factor2 = splat2(factor);
  const pairs: usize = (count & ~1) << 3;
  for (let k: usize = 0; k < pairs; k += 16) {
    const last = v128.load(r2 + k);
    const next = sub2(v128.load(y + k), mul2(factor2, last));
    v128.store(y + k, next);
    v128.store(r1 + k, last);
    v128.store(r2 + k, next);
  }
  if (count & 1) {
    const last = load<f64>(r2 + pairs);
    const next = load<f64>(y + pairs) - factor * last;
    store<f64>(y + pairs, next);
    store<f64>(r1 + pairs, last);
    store<f64>(r2 + pairs, next);
  }
}

export function advance(
  v: usize,
  w: usize,
  w1: usize,
  w2: usize,
  x: usize,
  before: f64,
  delta: f64,
  scale: f64,
  phi: f64,
  count: i32,
): void {
  const before2 = splat2(before);
  const delta2 = splat2(delta);
  const scale2 = splat2(scale);
  const phi2 = splat2(phi);
  const pairs: usize = (count & ~1) << 3;
  for (let k: usize = 0; k < pairs; k += 16) {
    const older = v128.load(w2 + k);
    const old = v128.load(w + k);
    const now = mul2(sub2(sub2(v128.load(v + k), mul2(before2, older)), mul2(delta2, old)), scale2);
    v128.store(w1 + k, older);
    v128.store(w2 + k, old);
    v128.store(w + k, now);
    v128.store(x + k, add2(v128.load(x + k), mul2(phi2, now)));
  }
  if (count & 1) {
    const older = load<f64>(w2 + pairs);
    const old = load<f64>(w + pairs);
    const now = (load<f64>(v + pairs) - before * older - delta * old) * scale;
    store<f64>(w1 + pairs, older);
    store<f64>(w2 + pairs, old);
    store<f64>(w + pairs, now);
    store<f64>(x + pairs, load<f64>(x + pairs) + phi * now);
  }
}

export function blend(residual: usize, r: usize, keep: f64, add: f64, count: i32): f64 {
  const keep2 = splat2(keep);
  const addTo2 = splat2(add);
  const pairs: usize = (count & ~1) << 3;
  for (let k: usize = 0; k < pairs; k += 16) {
    v128.store(residual + k, add2(mul2(keep2, v128.load(residual + k)), mul2(addTo2, v128.load(r + k))));
  }
  if (count & 1) {
    store<f64>(residual + pairs, keep * load<f64>(residual + pairs) + add * load<f64>(r + pairs));
  }
  return dot(residual, residual, count);
}

export function descend(x: usize, r: usize, d: usize, q: usize, step: f64, count: i32): f64 {
  const step2 = splat2(step);
  const pairs: usize = (count & ~1) << 3;
  for (let k: usize = 0; k < pairs; k += 16) {
    v128.store(x + k, add2(v128.load(x + k), mul2(step2, v128.load(d + k))));
  }
  if (count & 1) store<f64>(x + pairs, load<f64>(x + pairs) + step * load<f64>(d + pairs));
  subtract(r, q, step, count);
  return dot(r, r, count);
}

export function turn(d: usize, z: usize, share: f64, count: i32): void {
  const share2 = splat2(share);
  const pairs: usize = (count & ~1) << 3;
  for (let k: usize = 0; k < pairs; k += 16) {
    v128.store(d + k, add2(v128.load(z + k), mul2(share2, v128.load(d + k))));
  }
  if (count & 1) store<f64>(d + pairs, load<f64>(z + pairs) + share * load<f64>(d + pairs));
}
