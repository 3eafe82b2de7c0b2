// How elements answer to a change of their deformation, for known materials without λ where no stretch is below the least:
// src/solvers/tetrahedra/element-modes.ts. The numbers of two tetrahedra lie side by side, see element-batch.ts.

import * as tuning from '../../../src/solvers/tetrahedra/tuning';
import { WIDTH } from './layout';
import { add2, div2, load2, mul2, select2, splat2, store2, sub2 } from './pairs';

/** Of the numbers per tetrahedron the first of each kind. */
export const V: usize = 9;
export const S: usize = 18;
export const G: usize = 21;
export const H: usize = 24;
export const SAME: usize = 30;
export const CROSSED: usize = 33;

/** Materials by number, as in materials.ts; the third is St. Venant and Kirchhoff's. */
const NEO_HOOKEAN = 0;
const COROTATED = 1;
const EQUAL_STRETCHES: f64 = <f64>tuning.EQUAL_STRETCHES;

/** Writes g, h, same and crossed of so many tetrahedra; how many pairs have one that is for the TypeScript. */
export function writeModes(count: i32, kind: i32, mu: f64, least: f64, batch: usize): i32 {
  const mu2 = splat2(mu);
  let outside = 0;
  for (let t = 0; t < count; t += 2, batch += WIDTH << 4) {
    const s0 = load2(batch, S);
    const s1 = load2(batch, S + 1);
    const s2 = load2(batch, S + 2);
    // The last is the smallest.
    if (!v128.all_true<i64>(f64x2.gt(s2, splat2(least)))) outside++;
    const g0 = stressOf(kind, mu2, s0);
    const g1 = stressOf(kind, mu2, s1);
    const g2 = stressOf(kind, mu2, s2);
    const h0 = stiffnessOf(kind, mu2, s0);
    const h1 = stiffnessOf(kind, mu2, s1);
    const h2 = stiffnessOf(kind, mu2, s2);
    store2(batch, G, g0);
    store2(batch, G + 1, g1);
    store2(batch, G + 2, g2);
    store2(batch, H, h0);
    store2(batch, H + 1, h1);
    store2(batch, H + 2, h2);
    store2(batch, H + 3, splat2(0));
    store2(batch, H + 4, splat2(0));
    store2(batch, H + 5, splat2(0));
    writePair(batch, 0, s0, s1, g0, g1, h0, h1);
    writePair(batch, 1, s0, s2, g0, g2, h0, h2);
    writePair(batch, 2, s1, s2, g1, g2, h1, h2);
  }
  return outside;
}

/** ∂Ψ/∂s. */
// @ts-ignore: decorator
@inline function stressOf(kind: i32, mu2: v128, s: v128): v128 {
  if (kind == NEO_HOOKEAN) return sub2(mul2(mu2, s), div2(mu2, s));
  if (kind == COROTATED) return mul2(add2(mu2, mu2), sub2(s, splat2(1)));
  return mul2(mul2(mu2, sub2(mul2(s, s), splat2(1))), s);
}

/** ∂²Ψ/∂s². */
// @ts-ignore: decorator
@inline function stiffnessOf(kind: i32, mu2: v128, s: v128): v128 {
  if (kind == NEO_HOOKEAN) return add2(mu2, div2(mu2, mul2(s, s)));
  if (kind == COROTATED) return add2(mu2, mu2);
  return mul2(mu2, sub2(mul2(mul2(splat2(3), s), s), splat2(1)));
}

/** The shear and the turn of two stretches, nothing negative. */
// @ts-ignore: decorator
@inline function writePair(batch: usize, pair: usize, si: v128, sj: v128, gi: v128, gj: v128, hi: v128, hj: v128): void {
  const half = splat2(0.5);
  const apart = sub2(si, sj);
  const isApart = f64x2.gt(f64x2.abs(apart), splat2(EQUAL_STRETCHES));
  const equal = mul2(add2(hi, hj), half);
  const shear = f64x2.max(splat2(0), select2(isApart, div2(sub2(gi, gj), apart), equal));
  const turn = f64x2.max(splat2(0), div2(add2(gi, gj), add2(si, sj)));
  store2(batch, SAME + pair, mul2(add2(shear, turn), half));
  store2(batch, CROSSED + pair, mul2(sub2(shear, turn), half));
}
