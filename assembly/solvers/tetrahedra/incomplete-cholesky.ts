// Incomplete Cholesky factors in single precision: src/solvers/tetrahedra/incomplete-cholesky.ts. Rows of L are without its diagonal and
// of a multiple of four entries; `starts`, `columns` and `mirror` are u32.

import * as tuning from '../../../src/solvers/tetrahedra/tuning';

const EMPTY: f64 = <f64>tuning.EMPTY;
const LEAST_PIVOT: f64 = <f64>tuning.LEAST_PIVOT;

// @ts-ignore: decorator
@inline function columnAt(x: usize, column: i32): usize {
  return x + ((<usize>column) << 2);
}

/** Σ values·x over the places from `first` to `end`, four at a time. */
// @ts-ignore: decorator
@inline function rowDot(values: usize, columns: usize, x: usize, first: usize, end: usize): f32 {
  let sum = f32x4.splat(0);
  const last = values + (end << 2);
  columns += first << 2;
  for (values += first << 2; values < last; values += 16, columns += 16) {
    let four = v128.load32_zero(columnAt(x, load<u32>(columns)));
    four = v128.load32_lane(columnAt(x, load<u32>(columns, 4)), four, 1);
    four = v128.load32_lane(columnAt(x, load<u32>(columns, 8)), four, 2);
    four = v128.load32_lane(columnAt(x, load<u32>(columns, 12)), four, 3);
    sum = f32x4.add(sum, f32x4.mul(v128.load(values), four));
  }
  // (a + b) + (c + d)
  const pairs = f32x4.add(v128.shuffle<f32>(sum, sum, 0, 2, 0, 2), v128.shuffle<f32>(sum, sum, 1, 3, 1, 3));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/** L of a matrix by rows of its lower triangle, diagonal last; 0 where a pivot fails. `row`: zeros, and zeros again after it. */
export function factor(
  order: usize,
  starts: usize,
  values: usize,
  entries: u32,
  lowerStarts: usize,
  lowerColumns: usize,
  sources: usize,
  spans: usize,
  mirror: usize,
  byRow: usize,
  byColumn: usize,
  inverses: usize,
  row: usize,
  nodes: i32,
  shift: f64,
  mean: f64,
): i32 {
  if (!factorRows(0, nodes, order, starts, values, entries, lowerStarts, lowerColumns, sources, spans, byRow, inverses, row, shift, mean)) {
    return 0;
  }
  mirrorRows(0, load<i32>(lowerStarts + ((<usize>nodes) << 2)), mirror, byRow, byColumn);
  return 1;
}

/** Its rows from `begin` to `stop`, which need no row of the others that is not there yet. */
export function factorRows(
  begin: i32,
  stop: i32,
  order: usize,
  starts: usize,
  values: usize,
  entries: u32,
  lowerStarts: usize,
  lowerColumns: usize,
  sources: usize,
  spans: usize,
  byRow: usize,
  inverses: usize,
  row: usize,
  shift: f64,
  mean: f64,
): bool {
  for (let k = <usize>begin; k < <usize>stop; k++) {
    const node = <usize>load<u32>(order + (k << 2));
    const first = <usize>load<u32>(lowerStarts + (k << 2));
    const end = <usize>load<u32>(lowerStarts + (k << 2), 4);
    const diagonal = load<f64>(values + ((<usize>load<u32>(starts + (node << 2), 4) - 1) << 3));
    let pivot = <f32>(diagonal * (1 + shift));
    const isEmpty = !(diagonal > EMPTY * mean);
    for (let s = first; s < end; s++) {
      const source = load<u32>(sources + (s << 2));
      if (source >= entries) break;
      const l = <usize>load<u32>(lowerColumns + (s << 2));
      const span = spans + (s << 3);
      const sum = rowDot(byRow, lowerColumns, row, <usize>load<u32>(span), <usize>load<u32>(span, 4));
      const entry: f32 = isEmpty ? 0 : (<f32>load<f64>(values + ((<usize>source) << 3)) - sum) * load<f32>(inverses + (l << 2));
      store<f32>(byRow + (s << 2), entry);
      store<f32>(row + (l << 2), entry);
      pivot -= entry * entry;
    }
    for (let s = first; s < end; s++) store<f32>(columnAt(row, load<u32>(lowerColumns + (s << 2))), 0);
    if (isEmpty) pivot = mean > 0 ? <f32>mean : 1;
    else if (!(<f64>pivot > LEAST_PIVOT * diagonal)) return false;
    store<f32>(inverses + (k << 2), <f32>1 / sqrt<f32>(pivot));
  }
  return true;
}

/** Entries by rows from `first` to `end`, at their places by columns. */
export function mirrorRows(first: i32, end: i32, mirror: usize, byRow: usize, byColumn: usize): void {
  for (let s = <usize>first; s < <usize>end; s++) {
    store<f32>(columnAt(byColumn, load<u32>(mirror + (s << 2))), load<f32>(byRow + (s << 2)));
  }
}

/** z = (L·Lᵀ)⁻¹·r. */
export function solveFactors(
  order: usize,
  lowerStarts: usize,
  lowerColumns: usize,
  byRow: usize,
  upperStarts: usize,
  upperColumns: usize,
  byColumn: usize,
  inverses: usize,
  r: usize,
  result: usize,
  z: usize,
  nodes: i32,
): void {
  sweepForward(0, nodes, order, lowerStarts, lowerColumns, byRow, inverses, r, result);
  sweepBackward(0, nodes, order, upperStarts, upperColumns, byColumn, inverses, result, z);
}

/** L⁻¹·r, the rows from `begin` to `stop`. */
export function sweepForward(
  begin: i32,
  stop: i32,
  order: usize,
  lowerStarts: usize,
  lowerColumns: usize,
  byRow: usize,
  inverses: usize,
  r: usize,
  result: usize,
): void {
  let from = <usize>load<u32>(lowerStarts + ((<usize>begin) << 2));
  for (let k = <usize>begin; k < <usize>stop; k++) {
    const end = <usize>load<u32>(lowerStarts + (k << 2), 4);
    const sum = rowDot(byRow, lowerColumns, result, from, end);
    const given = <f32>load<f64>(r + ((<usize>load<u32>(order + (k << 2))) << 3));
    store<f32>(result + (k << 2), (given - sum) * load<f32>(inverses + (k << 2)));
    from = end;
  }
}

/** (Lᵀ)⁻¹ of that, from the last row to the first. */
export function sweepBackward(
  begin: i32,
  stop: i32,
  order: usize,
  upperStarts: usize,
  upperColumns: usize,
  byColumn: usize,
  inverses: usize,
  result: usize,
  z: usize,
): void {
  let end = <usize>load<u32>(upperStarts + ((<usize>stop) << 2));
  for (let k = <usize>stop; k-- > <usize>begin; ) {
    const first = <usize>load<u32>(upperStarts + (k << 2));
    const sum = rowDot(byColumn, upperColumns, result, first, end);
    const value: f32 = (load<f32>(result + (k << 2)) - sum) * load<f32>(inverses + (k << 2));
    store<f32>(result + (k << 2), value);
    store<f64>(z + ((<usize>load<u32>(order + (k << 2))) << 3), <f64>value);
    end = first;
  }
}
