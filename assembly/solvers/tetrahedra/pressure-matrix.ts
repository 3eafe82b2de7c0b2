// The pressure operator as a sparse matrix and its incomplete Cholesky factors: src/solvers/tetrahedra/pressure-matrix.ts. Rows are
// the lower triangle's, diagonal last; `starts` and `columns` are u32, numbers f64.

import { add2, gather2, mul2, splat2 } from './pairs';

/** As in the TypeScript: a row of nothing, and a pivot that failed, as shares of the mean and of its own diagonal. */
const EMPTY: f64 = 1e-14;
const LEAST_PIVOT: f64 = 1e-6;

/** A under the projection that holds nodes along `held`. */
export function pressureMatrix(
  starts: usize,
  pairs: usize,
  vectors: usize,
  inverseMasses: usize,
  heldCounts: usize,
  held: usize,
  nodes: i32,
  values: usize,
  entries: i32,
): void {
  memory.fill(values, 0, <usize>entries << 3);
  for (let j = 0; j < nodes; j++, held += 72) {
    const mass = load<f64>(inverseMasses + ((<usize>j) << 3));
    const first = vectors + ((<usize>load<u32>(starts + ((<usize>j) << 2))) << 5);
    const end = vectors + ((<usize>load<u32>(starts + ((<usize>j) << 2), 4)) << 5);
    const heldEnd = held + 24 * <usize>load<u8>(heldCounts + <usize>j);
    for (let k = first; k < end; k += 32) {
      let x = load<f64>(k);
      let y = load<f64>(k, 8);
      let z = load<f64>(k, 16);
      for (let h = held; h < heldEnd; h += 24) {
        const along = x * load<f64>(h) + y * load<f64>(h, 8) + z * load<f64>(h, 16);
        x -= along * load<f64>(h);
        y -= along * load<f64>(h, 8);
        z -= along * load<f64>(h, 16);
      }
      x *= mass;
      y *= mass;
      z *= mass;
      for (let l = first; l <= k; l += 32, pairs += 4) {
        const to = values + ((<usize>load<u32>(pairs)) << 3);
        store<f64>(to, load<f64>(to) + (x * load<f64>(l) + y * load<f64>(l, 8) + z * load<f64>(l, 16)));
      }
    }
  }
}

// @ts-ignore: decorator
@inline function columnAt(x: usize, columns: usize, s: usize): usize {
  return x + ((<usize>load<u32>(columns + (s << 2))) << 3);
}

/** Σ values·x over a row's places, in two sums. */
// @ts-ignore: decorator
@inline function rowDot(values: usize, columns: usize, x: usize, first: usize, end: usize): f64 {
  let sum2 = splat2(0);
  let s = first;
  for (; s + 1 < end; s += 2) {
    sum2 = add2(sum2, mul2(v128.load(values + (s << 3)), gather2(columnAt(x, columns, s), columnAt(x, columns, s + 1))));
  }
  let even = f64x2.extract_lane(sum2, 0);
  if (s < end) even += load<f64>(values + (s << 3)) * load<f64>(columnAt(x, columns, s));
  return even + f64x2.extract_lane(sum2, 1);
}

/** L, with the inverses of its diagonal; 0 where a pivot fails. `row`: zeros, and zeros again after it. */
export function factor(
  starts: usize,
  columns: usize,
  values: usize,
  factors: usize,
  row: usize,
  nodes: i32,
  shift: f64,
  mean: f64,
): i32 {
  for (let k = 0; k < nodes; k++) {
    const first = <usize>load<u32>(starts + ((<usize>k) << 2));
    const last = <usize>load<u32>(starts + ((<usize>k) << 2), 4) - 1;
    const diagonal = load<f64>(values + (last << 3));
    let pivot = diagonal * (1 + shift);
    const isEmpty = !(diagonal > EMPTY * mean);
    for (let s = first; s < last; s++) {
      const l = <usize>load<u32>(columns + (s << 2));
      const end = <usize>load<u32>(starts + (l << 2), 4) - 1;
      const sum = rowDot(factors, columns, row, <usize>load<u32>(starts + (l << 2)), end);
      const entry = isEmpty ? 0 : (load<f64>(values + (s << 3)) - sum) * load<f64>(factors + (end << 3));
      store<f64>(factors + (s << 3), entry);
      store<f64>(row + (l << 3), entry);
      pivot -= entry * entry;
    }
    for (let s = first; s < last; s++) store<f64>(columnAt(row, columns, s), 0);
    if (isEmpty) pivot = mean > 0 ? mean : 1;
    else if (!(pivot > LEAST_PIVOT * diagonal)) return 0;
    store<f64>(factors + (last << 3), 1 / Math.sqrt(pivot));
  }
  return 1;
}

/** z = (L·Lᵀ)⁻¹·r. */
export function solveFactors(starts: usize, columns: usize, factors: usize, r: usize, z: usize, nodes: i32): void {
  let first = <usize>load<u32>(starts);
  for (let k = 0; k < nodes; k++) {
    const end = <usize>load<u32>(starts + ((<usize>k) << 2), 4);
    const sum = rowDot(factors, columns, z, first, end - 1);
    const inverse = load<f64>(factors + ((end - 1) << 3));
    store<f64>(z + ((<usize>k) << 3), (load<f64>(r + ((<usize>k) << 3)) - sum) * inverse);
    first = end;
  }
  for (let k = nodes - 1; k >= 0; k--) {
    const begin = <usize>load<u32>(starts + ((<usize>k) << 2));
    const last = <usize>load<u32>(starts + ((<usize>k) << 2), 4) - 1;
    const at = z + ((<usize>k) << 3);
    const value = load<f64>(at) * load<f64>(factors + (last << 3));
    store<f64>(at, value);
    for (let s = begin; s < last; s++) {
      const to = columnAt(z, columns, s);
      store<f64>(to, load<f64>(to) - load<f64>(factors + (s << 3)) * value);
    }
  }
}
