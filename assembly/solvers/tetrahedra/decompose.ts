// Deformations and their singular values, four tetrahedra at a time: src/solvers/tetrahedra/svd3.ts. Two pairs side by side, as the roots
// and quotients of one pair are waited for most of the time.

import * as tuning from '../../../src/solvers/tetrahedra/tuning';
import { WIDTH } from './layout';
import { S, V } from './modes';
import { add2, div2, dot2, gather2, mul2, select2, splat2, store2, sub2 } from './pairs';

const ORTHOGONAL: f64 = <f64>tuning.ORTHOGONAL;
const NEARLY: f64 = <f64>tuning.NEARLY;
const MOST_ROUNDS: i32 = <i32>tuning.MOST_ROUNDS;
/** Scratch: columns of B and of the product of rotations W, three numbers each, of two pairs side by side [bytes]. */
const COLUMN: usize = 96;
const W: usize = 3 * COLUMN;
/** Behind them masks of the lanes that are still turned, and of those that this round found far from orthogonal. */
const TURNED: usize = 6 * COLUMN;
const FAR: usize = TURNED + 32;

/** Writes u, s and v of so many tetrahedra; beyond the last one, that one's again. */
export function decompose(
  first: i32,
  count: i32,
  x: usize,
  tetrahedra: usize,
  gradients: usize,
  batch: usize,
  scratch: usize,
): void {
  const last = first + count - 1;
  for (let t = first; t <= last; t += 4, batch += WIDTH << 5) {
    writeDeformations(x, tetrahedra, gradients, t, min(t + 1, last), scratch);
    writeDeformations(x, tetrahedra, gradients, min(t + 2, last), min(t + 3, last), scratch + 16);
    memory.fill(scratch + FAR, 0xff, 32);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const far = v128.load(scratch + FAR);
      const farToo = v128.load(scratch + FAR + 16);
      // A tetrahedron that is done stays as it is, or its bits would depend on those beside it.
      if (!v128.any_true(v128.or(far, farToo))) break;
      v128.store(scratch + TURNED, far);
      v128.store(scratch + TURNED + 16, farToo);
      memory.fill(scratch + FAR, 0, 32);
      turnColumns(scratch, scratch + COLUMN, scratch);
      turnColumns(scratch, scratch + 2 * COLUMN, scratch);
      turnColumns(scratch + COLUMN, scratch + 2 * COLUMN, scratch);
    }
    finish(scratch, batch);
    finish(scratch + 16, batch + (WIDTH << 4));
  }
}

/** Corner k of two tetrahedra, relative to the first corner: the coordinate at `offset` [bytes]. */
// @ts-ignore: decorator
@inline function edge(x: usize, p: usize, q: usize, k: usize, offset: usize): v128 {
  const o2 = gather2(x + 24 * <usize>load<u32>(p) + offset, x + 24 * <usize>load<u32>(q) + offset);
  const k2 = gather2(x + 24 * <usize>load<u32>(p + (k << 2)) + offset, x + 24 * <usize>load<u32>(q + (k << 2)) + offset);
  return sub2(k2, o2);
}

/** B = F of tetrahedra s and t, W = 1. */
function writeDeformations(x: usize, tetrahedra: usize, gradients: usize, s: i32, t: i32, to: usize): void {
  const p = tetrahedra + ((<usize>s) << 4);
  const q = tetrahedra + ((<usize>t) << 4);
  const gp = gradients + 96 * <usize>s;
  const gq = gradients + 96 * <usize>t;
  const e10 = edge(x, p, q, 1, 0);
  const e20 = edge(x, p, q, 2, 0);
  const e30 = edge(x, p, q, 3, 0);
  const e11 = edge(x, p, q, 1, 8);
  const e21 = edge(x, p, q, 2, 8);
  const e31 = edge(x, p, q, 3, 8);
  const e12 = edge(x, p, q, 1, 16);
  const e22 = edge(x, p, q, 2, 16);
  const e32 = edge(x, p, q, 3, 16);
  for (let j: usize = 0; j < 3; j++, to += COLUMN) {
    const at = j << 3;
    const g1 = gather2(gp + at + 24, gq + at + 24);
    const g2 = gather2(gp + at + 48, gq + at + 48);
    const g3 = gather2(gp + at + 72, gq + at + 72);
    v128.store(to, dot2(e10, g1, e20, g2, e30, g3));
    v128.store(to, dot2(e11, g1, e21, g2, e31, g3), 32);
    v128.store(to, dot2(e12, g1, e22, g2, e32, g3), 64);
    v128.store(to + W, splat2(j == 0 ? 1 : 0));
    v128.store(to + W, splat2(j == 1 ? 1 : 0), 32);
    v128.store(to + W, splat2(j == 2 ? 1 : 0), 64);
  }
}

/** What the tangent divides 2·ab by. */
// @ts-ignore: decorator
@inline function acrossOf(aa: v128, bb: v128, twice: v128): v128 {
  const apart = sub2(bb, aa);
  const root = f64x2.sqrt(add2(mul2(apart, apart), mul2(twice, twice)));
  return select2(f64x2.lt(apart, splat2(0)), sub2(apart, root), add2(apart, root));
}

// @ts-ignore: decorator
@inline function scaleOf(across: v128, twice: v128): v128 {
  return div2(splat2(1), f64x2.sqrt(add2(mul2(across, across), mul2(twice, twice))));
}

/** −a where the sign of b is negative. */
// @ts-ignore: decorator
@inline function signed(a: v128, b: v128): v128 {
  return select2(f64x2.lt(b, splat2(0)), f64x2.neg(a), a);
}

/** Turns columns a and b of B (and W) in their plane until they are orthogonal; marks lanes that were far from it. */
function turnColumns(a: usize, b: usize, scratch: usize): void {
  const a0 = v128.load(a);
  const a1 = v128.load(a, 32);
  const a2 = v128.load(a, 64);
  const b0 = v128.load(b);
  const b1 = v128.load(b, 32);
  const b2 = v128.load(b, 64);
  const c0 = v128.load(a, 16);
  const c1 = v128.load(a, 48);
  const c2 = v128.load(a, 80);
  const d0 = v128.load(b, 16);
  const d1 = v128.load(b, 48);
  const d2 = v128.load(b, 80);
  const aa = dot2(a0, a0, a1, a1, a2, a2);
  const cc = dot2(c0, c0, c1, c1, c2, c2);
  const bb = dot2(b0, b0, b1, b1, b2, b2);
  const dd = dot2(d0, d0, d1, d1, d2, d2);
  const ab = dot2(a0, b0, a1, b1, a2, b2);
  const cd = dot2(c0, d0, c1, d1, c2, d2);
  const abSquare = mul2(ab, ab);
  const cdSquare = mul2(cd, cd);
  const abLengths = mul2(aa, bb);
  const cdLengths = mul2(cc, dd);
  const orthogonal = splat2(ORTHOGONAL * ORTHOGONAL);
  const isTurned = v128.and(f64x2.gt(abSquare, mul2(orthogonal, abLengths)), v128.load(scratch + TURNED));
  const isTurnedToo = v128.and(f64x2.gt(cdSquare, mul2(orthogonal, cdLengths)), v128.load(scratch + TURNED + 16));
  if (!v128.any_true(v128.or(isTurned, isTurnedToo))) return;
  const twice = add2(ab, ab);
  const twiceToo = add2(cd, cd);
  const across = acrossOf(aa, bb, twice);
  const acrossToo = acrossOf(cc, dd, twiceToo);
  const scale = scaleOf(across, twice);
  const scaleToo = scaleOf(acrossToo, twiceToo);
  const one = splat2(1);
  const zero = splat2(0);
  const c = select2(isTurned, mul2(f64x2.abs(across), scale), one);
  const k = select2(isTurnedToo, mul2(f64x2.abs(acrossToo), scaleToo), one);
  const s = select2(isTurned, mul2(signed(twice, across), scale), zero);
  const z = select2(isTurnedToo, mul2(signed(twiceToo, acrossToo), scaleToo), zero);
  turnPair(a, b, c, s, a0, b0);
  turnPair(a + 16, b + 16, k, z, c0, d0);
  turnPair(a + 32, b + 32, c, s, a1, b1);
  turnPair(a + 48, b + 48, k, z, c1, d1);
  turnPair(a + 64, b + 64, c, s, a2, b2);
  turnPair(a + 80, b + 80, k, z, c2, d2);
  for (let at = W; at < W + COLUMN; at += 32) {
    turnPair(a + at, b + at, c, s, v128.load(a + at), v128.load(b + at));
    turnPair(a + at + 16, b + at + 16, k, z, v128.load(a + at + 16), v128.load(b + at + 16));
  }
  const nearly = splat2(NEARLY * NEARLY);
  const far = v128.and(isTurned, f64x2.gt(abSquare, mul2(nearly, abLengths)));
  const farToo = v128.and(isTurnedToo, f64x2.gt(cdSquare, mul2(nearly, cdLengths)));
  v128.store(scratch + FAR, v128.or(v128.load(scratch + FAR), far));
  v128.store(scratch + FAR + 16, v128.or(v128.load(scratch + FAR + 16), farToo));
}

// @ts-ignore: decorator
@inline function turnPair(a: usize, b: usize, c: v128, s: v128, x: v128, y: v128): void {
  v128.store(a, sub2(mul2(c, x), mul2(s, y)));
  v128.store(b, add2(mul2(s, x), mul2(c, y)));
}

/** u, s and v of two tetrahedra from B, whose columns are orthogonal, and W. */
function finish(from: usize, to: usize): void {
  const one = splat2(1);
  const zero = splat2(0);
  let b00 = v128.load(from);
  let b01 = v128.load(from, 32);
  let b02 = v128.load(from, 64);
  let b10 = v128.load(from + COLUMN);
  let b11 = v128.load(from + COLUMN, 32);
  let b12 = v128.load(from + COLUMN, 64);
  let b20 = v128.load(from + 2 * COLUMN);
  let b21 = v128.load(from + 2 * COLUMN, 32);
  let b22 = v128.load(from + 2 * COLUMN, 64);
  let w00 = v128.load(from + W);
  let w01 = v128.load(from + W, 32);
  let w02 = v128.load(from + W, 64);
  let w10 = v128.load(from + W + COLUMN);
  let w11 = v128.load(from + W + COLUMN, 32);
  let w12 = v128.load(from + W + COLUMN, 64);
  let w20 = v128.load(from + W + 2 * COLUMN);
  let w21 = v128.load(from + W + 2 * COLUMN, 32);
  let w22 = v128.load(from + W + 2 * COLUMN, 64);
  // The longest first.
  let q0 = dot2(b00, b00, b01, b01, b02, b02);
  let q1 = dot2(b10, b10, b11, b11, b12, b12);
  let q2 = dot2(b20, b20, b21, b21, b22, b22);
  {
    const isLess = f64x2.lt(q0, q1);
    if (v128.any_true(isLess)) {
      let x: v128;
      x = q0;
      q0 = select2(isLess, q1, x);
      q1 = select2(isLess, x, q1);
      x = b00;
      b00 = select2(isLess, b10, x);
      b10 = select2(isLess, x, b10);
      x = b01;
      b01 = select2(isLess, b11, x);
      b11 = select2(isLess, x, b11);
      x = b02;
      b02 = select2(isLess, b12, x);
      b12 = select2(isLess, x, b12);
      x = w00;
      w00 = select2(isLess, w10, x);
      w10 = select2(isLess, x, w10);
      x = w01;
      w01 = select2(isLess, w11, x);
      w11 = select2(isLess, x, w11);
      x = w02;
      w02 = select2(isLess, w12, x);
      w12 = select2(isLess, x, w12);
    }
  }
  {
    const isLess = f64x2.lt(q1, q2);
    if (v128.any_true(isLess)) {
      let x: v128;
      x = q1;
      q1 = select2(isLess, q2, x);
      q2 = select2(isLess, x, q2);
      x = b10;
      b10 = select2(isLess, b20, x);
      b20 = select2(isLess, x, b20);
      x = b11;
      b11 = select2(isLess, b21, x);
      b21 = select2(isLess, x, b21);
      x = b12;
      b12 = select2(isLess, b22, x);
      b22 = select2(isLess, x, b22);
      x = w10;
      w10 = select2(isLess, w20, x);
      w20 = select2(isLess, x, w20);
      x = w11;
      w11 = select2(isLess, w21, x);
      w21 = select2(isLess, x, w21);
      x = w12;
      w12 = select2(isLess, w22, x);
      w22 = select2(isLess, x, w22);
    }
  }
  {
    const isLess = f64x2.lt(q0, q1);
    if (v128.any_true(isLess)) {
      let x: v128;
      x = q0;
      q0 = select2(isLess, q1, x);
      q1 = select2(isLess, x, q1);
      x = b00;
      b00 = select2(isLess, b10, x);
      b10 = select2(isLess, x, b10);
      x = b01;
      b01 = select2(isLess, b11, x);
      b11 = select2(isLess, x, b11);
      x = b02;
      b02 = select2(isLess, b12, x);
      b12 = select2(isLess, x, b12);
      x = w00;
      w00 = select2(isLess, w10, x);
      w10 = select2(isLess, x, w10);
      x = w01;
      w01 = select2(isLess, w11, x);
      w11 = select2(isLess, x, w11);
      x = w02;
      w02 = select2(isLess, w12, x);
      w12 = select2(isLess, x, w12);
    }
  }
  const s0 = f64x2.sqrt(q0);
  const s1 = f64x2.sqrt(q1);
  let u00 = div2(b00, s0);
  let u10 = div2(b01, s0);
  let u20 = div2(b02, s0);
  let u01 = div2(b10, s1);
  let u11 = div2(b11, s1);
  let u21 = div2(b12, s1);
  // A first column of nothing, and a second one of rounding only, have no direction of their own.
  const isNothing = f64x2.le(s0, zero);
  if (v128.any_true(isNothing)) {
    u00 = select2(isNothing, one, u00);
    u10 = select2(isNothing, zero, u10);
    u20 = select2(isNothing, zero, u20);
  }
  const isLost = f64x2.le(s1, mul2(splat2(ORTHOGONAL), s0));
  if (v128.any_true(isLost)) {
    const ax = f64x2.abs(u00);
    const ay = f64x2.abs(u10);
    const az = f64x2.abs(u20);
    const acrossX = v128.and(f64x2.le(ax, ay), f64x2.le(ax, az));
    const acrossY = f64x2.le(ay, az);
    const px = select2(acrossX, zero, select2(acrossY, u20, f64x2.neg(u10)));
    const py = select2(acrossX, f64x2.neg(u20), select2(acrossY, zero, u00));
    const pz = select2(acrossX, u10, select2(acrossY, f64x2.neg(u00), zero));
    const length = f64x2.sqrt(dot2(px, px, py, py, pz, pz));
    u01 = select2(isLost, div2(px, length), u01);
    u11 = select2(isLost, div2(py, length), u11);
    u21 = select2(isLost, div2(pz, length), u21);
  }
  const u02 = sub2(mul2(u10, u21), mul2(u20, u11));
  const u12 = sub2(mul2(u20, u01), mul2(u00, u21));
  const u22 = sub2(mul2(u00, u11), mul2(u10, u01));
  // v's third column; that of w, or its opposite.
  const v02 = sub2(mul2(w01, w12), mul2(w02, w11));
  const v12 = sub2(mul2(w02, w10), mul2(w00, w12));
  const v22 = sub2(mul2(w00, w11), mul2(w01, w10));
  const isOpposite = f64x2.lt(dot2(w20, v02, w21, v12, w22, v22), zero);
  const along = dot2(b20, u02, b21, u12, b22, u22);
  store2(to, 0, u00);
  store2(to, 1, u01);
  store2(to, 2, u02);
  store2(to, 3, u10);
  store2(to, 4, u11);
  store2(to, 5, u12);
  store2(to, 6, u20);
  store2(to, 7, u21);
  store2(to, 8, u22);
  store2(to, V, w00);
  store2(to, V + 1, w10);
  store2(to, V + 2, v02);
  store2(to, V + 3, w01);
  store2(to, V + 4, w11);
  store2(to, V + 5, v12);
  store2(to, V + 6, w02);
  store2(to, V + 7, w12);
  store2(to, V + 8, v22);
  store2(to, S, s0);
  store2(to, S + 1, s1);
  store2(to, S + 2, select2(isOpposite, f64x2.neg(along), along));
}
