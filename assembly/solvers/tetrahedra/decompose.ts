// Deformations and their singular values, two tetrahedra at a time: src/solvers/tetrahedra/svd3.ts. Written out by columns, as only
// so everything stays in registers.

import { S, V, WIDTH } from './modes';
import { add2, div2, dot2, gather2, mul2, select2, splat2, store2, sub2 } from './pairs';

/** As in the TypeScript, squared. */
const ORTHOGONAL: f64 = 1e-15;
const NEARLY: f64 = 1e-8;
const MOST_ROUNDS = 12;

/** Writes u, s and v of so many tetrahedra; where their number is odd, the last one's beside itself. */
export function decompose(first: i32, count: i32, x: usize, tetrahedra: usize, gradients: usize, batch: usize): void {
  for (let t = 0; t < count; t += 2, batch += WIDTH << 4) {
    const a = <usize>(first + t);
    const b = t + 1 < count ? a + 1 : a;
    decomposePair(x, tetrahedra + (a << 4), tetrahedra + (b << 4), gradients + 96 * a, gradients + 96 * b, batch);
  }
}

/** Of corner k of two tetrahedra, relative to the first corner: its coordinate at `offset` [bytes]. */
// @ts-ignore: decorator
@inline function edge(x: usize, p: usize, q: usize, k: usize, offset: usize): v128 {
  const o2 = gather2(x + 24 * <usize>load<u32>(p) + offset, x + 24 * <usize>load<u32>(q) + offset);
  const k2 = gather2(x + 24 * <usize>load<u32>(p + (k << 2)) + offset, x + 24 * <usize>load<u32>(q + (k << 2)) + offset);
  return sub2(k2, o2);
}

// @ts-ignore: decorator
@inline function tangentOf(aa: v128, bb: v128, ab: v128): v128 {
  const apart = sub2(bb, aa);
  const twice = add2(ab, ab);
  const root = f64x2.sqrt(add2(mul2(apart, apart), mul2(twice, twice)));
  return div2(twice, select2(f64x2.lt(apart, splat2(0)), sub2(apart, root), add2(apart, root)));
}

// @ts-ignore: decorator
@inline function cosineOf(tangent: v128): v128 {
  return div2(splat2(1), f64x2.sqrt(add2(splat2(1), mul2(tangent, tangent))));
}

function decomposePair(x: usize, p: usize, q: usize, gp: usize, gq: usize, to: usize): void {
  const one = splat2(1);
  const zero = splat2(0);
  const orthogonal = splat2(ORTHOGONAL * ORTHOGONAL);
  const nearly = splat2(NEARLY * NEARLY);
  // Columns of F, bₖᵢ = F_ik, and of the product of rotations.
  const e10 = edge(x, p, q, 1, 0);
  const e20 = edge(x, p, q, 2, 0);
  const e30 = edge(x, p, q, 3, 0);
  const e11 = edge(x, p, q, 1, 8);
  const e21 = edge(x, p, q, 2, 8);
  const e31 = edge(x, p, q, 3, 8);
  const e12 = edge(x, p, q, 1, 16);
  const e22 = edge(x, p, q, 2, 16);
  const e32 = edge(x, p, q, 3, 16);
  let g1 = gather2(gp + 24, gq + 24);
  let g2 = gather2(gp + 48, gq + 48);
  let g3 = gather2(gp + 72, gq + 72);
  let b00 = dot2(e10, g1, e20, g2, e30, g3);
  let b01 = dot2(e11, g1, e21, g2, e31, g3);
  let b02 = dot2(e12, g1, e22, g2, e32, g3);
  g1 = gather2(gp + 32, gq + 32);
  g2 = gather2(gp + 56, gq + 56);
  g3 = gather2(gp + 80, gq + 80);
  let b10 = dot2(e10, g1, e20, g2, e30, g3);
  let b11 = dot2(e11, g1, e21, g2, e31, g3);
  let b12 = dot2(e12, g1, e22, g2, e32, g3);
  g1 = gather2(gp + 40, gq + 40);
  g2 = gather2(gp + 64, gq + 64);
  g3 = gather2(gp + 88, gq + 88);
  let b20 = dot2(e10, g1, e20, g2, e30, g3);
  let b21 = dot2(e11, g1, e21, g2, e31, g3);
  let b22 = dot2(e12, g1, e22, g2, e32, g3);
  let w00 = one;
  let w01 = zero;
  let w02 = zero;
  let w10 = zero;
  let w11 = one;
  let w12 = zero;
  let w20 = zero;
  let w21 = zero;
  let w22 = one;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let far = zero;
    // Columns 0 and 1.
    {
      const aa = dot2(b00, b00, b01, b01, b02, b02);
      const bb = dot2(b10, b10, b11, b11, b12, b12);
      const ab = dot2(b00, b10, b01, b11, b02, b12);
      const lengths = mul2(aa, bb);
      const square = mul2(ab, ab);
      const isTurned = f64x2.gt(square, mul2(orthogonal, lengths));
      if (v128.any_true(isTurned)) {
        const tangent = tangentOf(aa, bb, ab);
        const c = select2(isTurned, cosineOf(tangent), one);
        const s = select2(isTurned, mul2(c, tangent), zero);
        let x: v128;
        x = b00;
        b00 = sub2(mul2(c, x), mul2(s, b10));
        b10 = add2(mul2(s, x), mul2(c, b10));
        x = b01;
        b01 = sub2(mul2(c, x), mul2(s, b11));
        b11 = add2(mul2(s, x), mul2(c, b11));
        x = b02;
        b02 = sub2(mul2(c, x), mul2(s, b12));
        b12 = add2(mul2(s, x), mul2(c, b12));
        x = w00;
        w00 = sub2(mul2(c, x), mul2(s, w10));
        w10 = add2(mul2(s, x), mul2(c, w10));
        x = w01;
        w01 = sub2(mul2(c, x), mul2(s, w11));
        w11 = add2(mul2(s, x), mul2(c, w11));
        x = w02;
        w02 = sub2(mul2(c, x), mul2(s, w12));
        w12 = add2(mul2(s, x), mul2(c, w12));
        far = v128.or(far, f64x2.gt(square, mul2(nearly, lengths)));
      }
    }
    // Columns 0 and 2.
    {
      const aa = dot2(b00, b00, b01, b01, b02, b02);
      const bb = dot2(b20, b20, b21, b21, b22, b22);
      const ab = dot2(b00, b20, b01, b21, b02, b22);
      const lengths = mul2(aa, bb);
      const square = mul2(ab, ab);
      const isTurned = f64x2.gt(square, mul2(orthogonal, lengths));
      if (v128.any_true(isTurned)) {
        const tangent = tangentOf(aa, bb, ab);
        const c = select2(isTurned, cosineOf(tangent), one);
        const s = select2(isTurned, mul2(c, tangent), zero);
        let x: v128;
        x = b00;
        b00 = sub2(mul2(c, x), mul2(s, b20));
        b20 = add2(mul2(s, x), mul2(c, b20));
        x = b01;
        b01 = sub2(mul2(c, x), mul2(s, b21));
        b21 = add2(mul2(s, x), mul2(c, b21));
        x = b02;
        b02 = sub2(mul2(c, x), mul2(s, b22));
        b22 = add2(mul2(s, x), mul2(c, b22));
        x = w00;
        w00 = sub2(mul2(c, x), mul2(s, w20));
        w20 = add2(mul2(s, x), mul2(c, w20));
        x = w01;
        w01 = sub2(mul2(c, x), mul2(s, w21));
        w21 = add2(mul2(s, x), mul2(c, w21));
        x = w02;
        w02 = sub2(mul2(c, x), mul2(s, w22));
        w22 = add2(mul2(s, x), mul2(c, w22));
        far = v128.or(far, f64x2.gt(square, mul2(nearly, lengths)));
      }
    }
    // Columns 1 and 2.
    {
      const aa = dot2(b10, b10, b11, b11, b12, b12);
      const bb = dot2(b20, b20, b21, b21, b22, b22);
      const ab = dot2(b10, b20, b11, b21, b12, b22);
      const lengths = mul2(aa, bb);
      const square = mul2(ab, ab);
      const isTurned = f64x2.gt(square, mul2(orthogonal, lengths));
      if (v128.any_true(isTurned)) {
        const tangent = tangentOf(aa, bb, ab);
        const c = select2(isTurned, cosineOf(tangent), one);
        const s = select2(isTurned, mul2(c, tangent), zero);
        let x: v128;
        x = b10;
        b10 = sub2(mul2(c, x), mul2(s, b20));
        b20 = add2(mul2(s, x), mul2(c, b20));
        x = b11;
        b11 = sub2(mul2(c, x), mul2(s, b21));
        b21 = add2(mul2(s, x), mul2(c, b21));
        x = b12;
        b12 = sub2(mul2(c, x), mul2(s, b22));
        b22 = add2(mul2(s, x), mul2(c, b22));
        x = w10;
        w10 = sub2(mul2(c, x), mul2(s, w20));
        w20 = add2(mul2(s, x), mul2(c, w20));
        x = w11;
        w11 = sub2(mul2(c, x), mul2(s, w21));
        w21 = add2(mul2(s, x), mul2(c, w21));
        x = w12;
        w12 = sub2(mul2(c, x), mul2(s, w22));
        w22 = add2(mul2(s, x), mul2(c, w22));
        far = v128.or(far, f64x2.gt(square, mul2(nearly, lengths)));
      }
    }
    if (!v128.any_true(far)) break;
  }
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
