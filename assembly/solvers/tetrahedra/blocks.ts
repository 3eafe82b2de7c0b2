// The elastic system's 3×3 blocks: src/solvers/tetrahedra/stiffness-matrix.ts and the preconditioner of conjugate-gradients.ts.

import { add2, gather2, mul2, splat2 } from './pairs';

/** y = A·x; of A the upper half, diagonal first. */
export function multiplyBlocks(starts: usize, columns: usize, values: usize, rows: i32, x: usize, y: usize): void {
  memory.fill(y, 0, <usize>rows * 24);
  multiplyRows(starts, columns, values, 0, rows, x, y);
}

/** Adds what the rows from `first` to `end` have of A·x: to their own places and, as the other half of A, to those of their columns. */
export function multiplyRows(starts: usize, columns: usize, values: usize, first: i32, end: i32, x: usize, y: usize): void {
  let s = <usize>load<u32>(starts + ((<usize>first) << 2));
  for (let n = first; n < end; n++) {
    const last = <usize>load<u32>(starts + ((<usize>n) << 2), 4);
    const own = x + 24 * <usize>n;
    const p = load<f64>(own);
    const q = load<f64>(own, 8);
    const r = load<f64>(own, 16);
    const p2 = splat2(p);
    const q2 = splat2(q);
    const r2 = splat2(r);
    let at = values + 72 * s;
    let ab = rowsTimes(at, p2, q2, r2);
    let c = load<f64>(at, 48) * p + load<f64>(at, 56) * q + load<f64>(at, 64) * r;
    for (s++; s < last; s++) {
      at += 72;
      const m = 24 * <usize>load<u32>(columns + (s << 2));
      const u = load<f64>(x + m);
      const v = load<f64>(x + m, 8);
      const w = load<f64>(x + m, 16);
      ab = add2(ab, rowsTimes(at, splat2(u), splat2(v), splat2(w)));
      c += load<f64>(at, 48) * u + load<f64>(at, 56) * v + load<f64>(at, 64) * w;
      const to = y + m;
      const across = add2(add2(mul2(v128.load(at), p2), mul2(v128.load(at, 24), q2)), mul2(v128.load(at, 48), r2));
      v128.store(to, add2(v128.load(to), across));
      const third = load<f64>(at, 16) * p + load<f64>(at, 40) * q + load<f64>(at, 64) * r;
      store<f64>(to, load<f64>(to, 16) + third, 16);
    }
    const to = y + 24 * <usize>n;
    v128.store(to, add2(v128.load(to), ab));
    store<f64>(to, load<f64>(to, 16) + c, 16);
  }
}

/** The first two rows of a block times a vector. */
// @ts-ignore: decorator
@inline function rowsTimes(at: usize, p2: v128, q2: v128, r2: v128): v128 {
  const first = v128.load(at);
  const second = v128.load(at, 24);
  const x = mul2(v128.shuffle<f64>(first, second, 0, 2), p2);
  const y = mul2(v128.shuffle<f64>(first, second, 1, 3), q2);
  return add2(add2(x, y), mul2(gather2(at + 16, at + 40), r2));
}

/** The inverses of the diagonal blocks: xx, xy, xz, yy, yz, zz. Where rounding has left a block that is not positive, its trace does. */
export function invertDiagonal(starts: usize, values: usize, count: i32, inverses: usize): void {
  for (let n = 0; n < count; n++, inverses += 48) {
    const at = values + 72 * <usize>load<u32>(starts + ((<usize>n) << 2));
    const a = load<f64>(at);
    const b = load<f64>(at, 8);
    const c = load<f64>(at, 16);
    const d = load<f64>(at, 32);
    const e = load<f64>(at, 40);
    const f = load<f64>(at, 64);
    const minor = a * d - b * b;
    const xx = d * f - e * e;
    const xy = c * e - b * f;
    const xz = b * e - c * d;
    const determinant = a * xx + b * xy + c * xz;
    const isPositive = a > 0 && minor > 0 && determinant > 0;
    const inverse = 1 / determinant;
    const trace = 3 / (a + d + f);
    store<f64>(inverses, isPositive ? xx * inverse : trace);
    store<f64>(inverses, isPositive ? xy * inverse : 0, 8);
    store<f64>(inverses, isPositive ? xz * inverse : 0, 16);
    store<f64>(inverses, isPositive ? (a * f - c * c) * inverse : trace, 24);
    store<f64>(inverses, isPositive ? (b * c - a * e) * inverse : 0, 32);
    store<f64>(inverses, isPositive ? minor * inverse : trace, 40);
  }
}

/** z = the inverses of the diagonal blocks (xx, xy, xz, yy, yz, zz) times r. */
export function applyBlocks(inverses: usize, r: usize, z: usize, count: i32): void {
  for (let n = 0; n < count; n++, inverses += 48, r += 24, z += 24) {
    const x = load<f64>(r);
    const y = load<f64>(r, 8);
    const w = load<f64>(r, 16);
    const xy = load<f64>(inverses, 8);
    const xz = load<f64>(inverses, 16);
    const yz = load<f64>(inverses, 32);
    store<f64>(z, load<f64>(inverses) * x + xy * y + xz * w);
    store<f64>(z, xy * x + load<f64>(inverses, 24) * y + yz * w, 8);
    store<f64>(z, xz * x + yz * y + load<f64>(inverses, 40) * w, 16);
  }
}
