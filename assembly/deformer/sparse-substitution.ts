// The way back of a solve with a sparse factor. Kernel for src/deformer/sparse-factor.ts. Up to four columns are gone through at once: one
// alone would wait for each of its sums.

import { rowOf, u32At } from './sparse-factor';

/**
 * x ← L⁻ᵀ x at a list of supernodes, ascending. Columns from the last to the first, four at a time in registers: for each all rows below
 * the triangle, then the columns behind it.
 */
export function backward(
  nodeCount: i32, nodes: usize, firsts: usize, rowStarts: usize, rows: usize, panelStarts: usize, panels: usize, x: usize,
): void {
  for (let n = nodeCount - 1; n >= 0; n--) {
    const node = u32At(nodes, n);
    const first = u32At(firsts, node);
    const width = u32At(firsts, node + 1) - first;
    const rowStart = u32At(rowStarts, node);
    const below = u32At(rowStarts, node + 1) - rowStart - width;
    const start = panels + (<usize>u32At(panelStarts, node) << 3);
    const stride = <usize>width << 3;
    const columns = rowOf(x, first);
    const row = rows + (<usize>(rowStart + width) << 2);
    const p = start + width * stride;
    let column = width;
    while (column >= 4) {
      column -= 4;
      substituteFour(columns, column, width, start, p, stride, row, below, x);
    }
    if (column === 3) substituteThree(columns, width, start, p, stride, row, below, x);
    else if (column === 2) substituteTwo(columns, width, start, p, stride, row, below, x);
    else if (column === 1) substituteOne(columns, width, start, p, stride, row, below, x);
  }
}

/** Four columns of a supernode from `column` on. @param p the panel's first row below the triangle. @param row the numbers of such rows. */
// @ts-ignore: decorator
@inline function substituteFour(
  columns: usize, column: u32, width: u32, start: usize, p: usize, stride: usize, row: usize, below: u32, x: usize,
): void {
  const at = columns + (<usize>column << 5);
  let a = v128.load(at);
  let az = v128.load(at, 16);
  let b = v128.load(at, 32);
  let bz = v128.load(at, 48);
  let c = v128.load(at, 64);
  let cz = v128.load(at, 80);
  let d = v128.load(at, 96);
  let dz = v128.load(at, 112);
  let l = p + (<usize>column << 3);
  for (let r: u32 = 0; r < below; r++, l += stride, row += 4) {
    const from = rowOf(x, load<u32>(row));
    const xy = v128.load(from);
    const z = v128.load(from, 16);
    const la = v128.load64_splat(l);
    a = f64x2.sub(a, f64x2.mul(la, xy));
    az = f64x2.sub(az, f64x2.mul(la, z));
    const lb = v128.load64_splat(l, 8);
    b = f64x2.sub(b, f64x2.mul(lb, xy));
    bz = f64x2.sub(bz, f64x2.mul(lb, z));
    const lc = v128.load64_splat(l, 16);
    c = f64x2.sub(c, f64x2.mul(lc, xy));
    cz = f64x2.sub(cz, f64x2.mul(lc, z));
    const ld = v128.load64_splat(l, 24);
    d = f64x2.sub(d, f64x2.mul(ld, xy));
    dz = f64x2.sub(dz, f64x2.mul(ld, z));
  }
  for (let r = width - 1; r > column + 3; r--) {
    const from = columns + (<usize>r << 5);
    const xy = v128.load(from);
    const z = v128.load(from, 16);
    l = start + r * stride + (<usize>column << 3);
    a = f64x2.sub(a, f64x2.mul(v128.load64_splat(l), xy));
    az = f64x2.sub(az, f64x2.mul(v128.load64_splat(l), z));
    b = f64x2.sub(b, f64x2.mul(v128.load64_splat(l, 8), xy));
    bz = f64x2.sub(bz, f64x2.mul(v128.load64_splat(l, 8), z));
    c = f64x2.sub(c, f64x2.mul(v128.load64_splat(l, 16), xy));
    cz = f64x2.sub(cz, f64x2.mul(v128.load64_splat(l, 16), z));
    d = f64x2.sub(d, f64x2.mul(v128.load64_splat(l, 24), xy));
    dz = f64x2.sub(dz, f64x2.mul(v128.load64_splat(l, 24), z));
  }
  l = start + (column + 3) * stride + (<usize>column << 3);
  a = f64x2.sub(a, f64x2.mul(v128.load64_splat(l), d));
  az = f64x2.sub(az, f64x2.mul(v128.load64_splat(l), dz));
  b = f64x2.sub(b, f64x2.mul(v128.load64_splat(l, 8), d));
  bz = f64x2.sub(bz, f64x2.mul(v128.load64_splat(l, 8), dz));
  c = f64x2.sub(c, f64x2.mul(v128.load64_splat(l, 16), d));
  cz = f64x2.sub(cz, f64x2.mul(v128.load64_splat(l, 16), dz));
  l -= stride;
  a = f64x2.sub(a, f64x2.mul(v128.load64_splat(l), c));
  az = f64x2.sub(az, f64x2.mul(v128.load64_splat(l), cz));
  b = f64x2.sub(b, f64x2.mul(v128.load64_splat(l, 8), c));
  bz = f64x2.sub(bz, f64x2.mul(v128.load64_splat(l, 8), cz));
  l -= stride;
  a = f64x2.sub(a, f64x2.mul(v128.load64_splat(l), b));
  az = f64x2.sub(az, f64x2.mul(v128.load64_splat(l), bz));
  v128.store(at, a);
  v128.store(at, az, 16);
  v128.store(at, b, 32);
  v128.store(at, bz, 48);
  v128.store(at, c, 64);
  v128.store(at, cz, 80);
  v128.store(at, d, 96);
  v128.store(at, dz, 112);
}

/** The first three columns of a supernode. */
// @ts-ignore: decorator
@inline function substituteThree(
  columns: usize, width: u32, start: usize, p: usize, stride: usize, row: usize, below: u32, x: usize,
): void {
  let a = v128.load(columns);
  let az = v128.load(columns, 16);
  let b = v128.load(columns, 32);
  let bz = v128.load(columns, 48);
  let c = v128.load(columns, 64);
  let cz = v128.load(columns, 80);
  let l = p;
  for (let r: u32 = 0; r < below; r++, l += stride, row += 4) {
    const from = rowOf(x, load<u32>(row));
    const xy = v128.load(from);
    const z = v128.load(from, 16);
    const la = v128.load64_splat(l);
    a = f64x2.sub(a, f64x2.mul(la, xy));
    az = f64x2.sub(az, f64x2.mul(la, z));
    const lb = v128.load64_splat(l, 8);
    b = f64x2.sub(b, f64x2.mul(lb, xy));
    bz = f64x2.sub(bz, f64x2.mul(lb, z));
    const lc = v128.load64_splat(l, 16);
    c = f64x2.sub(c, f64x2.mul(lc, xy));
    cz = f64x2.sub(cz, f64x2.mul(lc, z));
  }
  for (let r = width - 1; r > 2; r--) {
    const from = columns + (<usize>r << 5);
    const xy = v128.load(from);
    const z = v128.load(from, 16);
    l = start + r * stride;
    const la = v128.load64_splat(l);
    a = f64x2.sub(a, f64x2.mul(la, xy));
    az = f64x2.sub(az, f64x2.mul(la, z));
    const lb = v128.load64_splat(l, 8);
    b = f64x2.sub(b, f64x2.mul(lb, xy));
    bz = f64x2.sub(bz, f64x2.mul(lb, z));
    const lc = v128.load64_splat(l, 16);
    c = f64x2.sub(c, f64x2.mul(lc, xy));
    cz = f64x2.sub(cz, f64x2.mul(lc, z));
  }
  l = start + 2 * stride;
  a = f64x2.sub(a, f64x2.mul(v128.load64_splat(l), c));
  az = f64x2.sub(az, f64x2.mul(v128.load64_splat(l), cz));
  b = f64x2.sub(b, f64x2.mul(v128.load64_splat(l, 8), c));
  bz = f64x2.sub(bz, f64x2.mul(v128.load64_splat(l, 8), cz));
  l -= stride;
  a = f64x2.sub(a, f64x2.mul(v128.load64_splat(l), b));
  az = f64x2.sub(az, f64x2.mul(v128.load64_splat(l), bz));
  v128.store(columns, a);
  v128.store(columns, az, 16);
  v128.store(columns, b, 32);
  v128.store(columns, bz, 48);
  v128.store(columns, c, 64);
  v128.store(columns, cz, 80);
}

/** The first two columns of a supernode. */
// @ts-ignore: decorator
@inline function substituteTwo(
  columns: usize, width: u32, start: usize, p: usize, stride: usize, row: usize, below: u32, x: usize,
): void {
  let a = v128.load(columns);
  let az = v128.load(columns, 16);
  let b = v128.load(columns, 32);
  let bz = v128.load(columns, 48);
  let l = p;
  for (let r: u32 = 0; r < below; r++, l += stride, row += 4) {
    const from = rowOf(x, load<u32>(row));
    const xy = v128.load(from);
    const z = v128.load(from, 16);
    const la = v128.load64_splat(l);
    a = f64x2.sub(a, f64x2.mul(la, xy));
    az = f64x2.sub(az, f64x2.mul(la, z));
    const lb = v128.load64_splat(l, 8);
    b = f64x2.sub(b, f64x2.mul(lb, xy));
    bz = f64x2.sub(bz, f64x2.mul(lb, z));
  }
  for (let r = width - 1; r > 1; r--) {
    const from = columns + (<usize>r << 5);
    const xy = v128.load(from);
    const z = v128.load(from, 16);
    l = start + r * stride;
    const la = v128.load64_splat(l);
    a = f64x2.sub(a, f64x2.mul(la, xy));
    az = f64x2.sub(az, f64x2.mul(la, z));
    const lb = v128.load64_splat(l, 8);
    b = f64x2.sub(b, f64x2.mul(lb, xy));
    bz = f64x2.sub(bz, f64x2.mul(lb, z));
  }
  const factor = v128.load64_splat(start + stride);
  v128.store(columns, f64x2.sub(a, f64x2.mul(factor, b)));
  v128.store(columns, f64x2.sub(az, f64x2.mul(factor, bz)), 16);
  v128.store(columns, b, 32);
  v128.store(columns, bz, 48);
}

/** The first column of a supernode. */
// @ts-ignore: decorator
@inline function substituteOne(
  columns: usize, width: u32, start: usize, p: usize, stride: usize, row: usize, below: u32, x: usize,
): void {
  let a = v128.load(columns);
  let az = v128.load(columns, 16);
  let l = p;
  for (let r: u32 = 0; r < below; r++, l += stride, row += 4) {
    const from = rowOf(x, load<u32>(row));
    const factor = v128.load64_splat(l);
    a = f64x2.sub(a, f64x2.mul(factor, v128.load(from)));
    az = f64x2.sub(az, f64x2.mul(factor, v128.load(from, 16)));
  }
  for (let r = width - 1; r > 0; r--) {
    const from = columns + (<usize>r << 5);
    const factor = v128.load64_splat(start + r * stride);
    a = f64x2.sub(a, f64x2.mul(factor, v128.load(from)));
    az = f64x2.sub(az, f64x2.mul(factor, v128.load(from, 16)));
  }
  v128.store(columns, a);
  v128.store(columns, az, 16);
}
