// Solves with a sparse factor for three right sides, supernode by supernode: the way there, and rows. Kernels for
// src/deformer/sparse-factor.ts; a row of x is four numbers, the last of which is nothing.

// @ts-ignore: decorator
@inline export function u32At(start: usize, i: u32): u32 {
  return load<u32>(start + (<usize>i << 2));
}
// @ts-ignore: decorator
@inline export function rowOf(x: usize, i: u32): usize {
  return x + (<usize>i << 5);
}

/** to ← to − (xy, z) at a row. */
// @ts-ignore: decorator
@inline function take(to: usize, xy: v128, z: v128): void {
  v128.store(to, f64x2.sub(v128.load(to), xy));
  v128.store(to, f64x2.sub(v128.load(to, 16), z), 16);
}

/** x ← L⁻¹ x at a list of supernodes, ascending: rows below the triangle four at a time, whose sums do not wait for each other. */
export function forward(
  nodeCount: i32, nodes: usize, firsts: usize, rowStarts: usize, rows: usize, panelStarts: usize, panels: usize, x: usize,
): void {
  for (let n = 0; n < nodeCount; n++) {
    const node = u32At(nodes, n);
    const first = u32At(firsts, node);
    const width = u32At(firsts, node + 1) - first;
    const rowStart = u32At(rowStarts, node);
    const height = u32At(rowStarts, node + 1) - rowStart;
    const start = panels + (<usize>u32At(panelStarts, node) << 3);
    const stride = <usize>width << 3;
    const columns = rowOf(x, first);
    if (width < 4) {
      const l = start + width * stride;
      const row = rows + (<usize>(rowStart + width) << 2);
      if (width === 1) eliminateOne(columns, l, row, height - 1, x);
      else if (width === 2) eliminateTwo(columns, start, l, row, height - 2, x);
      else eliminateThree(columns, start, l, row, height - 3, x);
      continue;
    }
    let r: u32 = 0;
    for (; r + 4 <= width; r += 4) eliminateFour(columns, r, start + r * stride, stride);
    for (; r < width; r++) eliminateRow(columns, start + r * stride, r, columns + (<usize>r << 5));
    let p = start + width * stride;
    let row = rows + (<usize>(rowStart + width) << 2);
    let left = height - width;
    for (; left >= 4; left -= 4, p += 4 * stride, row += 16) {
      let a = f64x2.splat(0);
      let az = f64x2.splat(0);
      let b = f64x2.splat(0);
      let bz = f64x2.splat(0);
      let d = f64x2.splat(0);
      let dz = f64x2.splat(0);
      let e = f64x2.splat(0);
      let ez = f64x2.splat(0);
      let c = columns;
      const second = p + stride;
      const third = second + stride;
      const fourth = third + stride;
      for (let k: usize = 0; k < stride; k += 8, c += 32) {
        const xy = v128.load(c);
        const z = v128.load(c, 16);
        const la = v128.load64_splat(p + k);
        a = f64x2.add(a, f64x2.mul(la, xy));
        az = f64x2.add(az, f64x2.mul(la, z));
        const lb = v128.load64_splat(second + k);
        b = f64x2.add(b, f64x2.mul(lb, xy));
        bz = f64x2.add(bz, f64x2.mul(lb, z));
        const ld = v128.load64_splat(third + k);
        d = f64x2.add(d, f64x2.mul(ld, xy));
        dz = f64x2.add(dz, f64x2.mul(ld, z));
        const le = v128.load64_splat(fourth + k);
        e = f64x2.add(e, f64x2.mul(le, xy));
        ez = f64x2.add(ez, f64x2.mul(le, z));
      }
      take(rowOf(x, load<u32>(row)), a, az);
      take(rowOf(x, load<u32>(row, 4)), b, bz);
      take(rowOf(x, load<u32>(row, 8)), d, dz);
      take(rowOf(x, load<u32>(row, 12)), e, ez);
    }
    for (; left > 0; left--, p += stride, row += 4) {
      let a = f64x2.splat(0);
      let az = f64x2.splat(0);
      let c = columns;
      for (let k: usize = 0; k < stride; k += 8, c += 32) {
        const la = v128.load64_splat(p + k);
        a = f64x2.add(a, f64x2.mul(la, v128.load(c)));
        az = f64x2.add(az, f64x2.mul(la, v128.load(c, 16)));
      }
      take(rowOf(x, load<u32>(row)), a, az);
    }
  }
}

/** The rows below a supernode of one column. @param l the panel's first of these rows. @param row their numbers. */
// @ts-ignore: decorator
@inline function eliminateOne(column: usize, l: usize, row: usize, below: u32, x: usize): void {
  const none = f64x2.splat(0);
  const xy = v128.load(column);
  const z = v128.load(column, 16);
  const end = row + (<usize>below << 2);
  for (; row < end; row += 4, l += 8) {
    const factor = v128.load64_splat(l);
    take(rowOf(x, load<u32>(row)), f64x2.add(none, f64x2.mul(factor, xy)), f64x2.add(none, f64x2.mul(factor, z)));
  }
}

/** A supernode of two columns, which stay in registers. */
// @ts-ignore: decorator
@inline function eliminateTwo(columns: usize, start: usize, l: usize, row: usize, below: u32, x: usize): void {
  const none = f64x2.splat(0);
  const a = v128.load(columns);
  const az = v128.load(columns, 16);
  const factor = v128.load64_splat(start, 16);
  const b = f64x2.sub(v128.load(columns, 32), f64x2.mul(factor, a));
  const bz = f64x2.sub(v128.load(columns, 48), f64x2.mul(factor, az));
  v128.store(columns, b, 32);
  v128.store(columns, bz, 48);
  const end = row + (<usize>below << 2);
  for (; row < end; row += 4, l += 16) {
    const la = v128.load64_splat(l);
    const lb = v128.load64_splat(l, 8);
    const xy = f64x2.add(f64x2.add(none, f64x2.mul(la, a)), f64x2.mul(lb, b));
    const z = f64x2.add(f64x2.add(none, f64x2.mul(la, az)), f64x2.mul(lb, bz));
    take(rowOf(x, load<u32>(row)), xy, z);
  }
}

/** A supernode of three columns. */
// @ts-ignore: decorator
@inline function eliminateThree(columns: usize, start: usize, l: usize, row: usize, below: u32, x: usize): void {
  const none = f64x2.splat(0);
  const a = v128.load(columns);
  const az = v128.load(columns, 16);
  let factor = v128.load64_splat(start, 24);
  const b = f64x2.sub(v128.load(columns, 32), f64x2.mul(factor, a));
  const bz = f64x2.sub(v128.load(columns, 48), f64x2.mul(factor, az));
  factor = v128.load64_splat(start, 48);
  let c = f64x2.sub(v128.load(columns, 64), f64x2.mul(factor, a));
  let cz = f64x2.sub(v128.load(columns, 80), f64x2.mul(factor, az));
  factor = v128.load64_splat(start, 56);
  c = f64x2.sub(c, f64x2.mul(factor, b));
  cz = f64x2.sub(cz, f64x2.mul(factor, bz));
  v128.store(columns, b, 32);
  v128.store(columns, bz, 48);
  v128.store(columns, c, 64);
  v128.store(columns, cz, 80);
  const end = row + (<usize>below << 2);
  for (; row < end; row += 4, l += 24) {
    const la = v128.load64_splat(l);
    const lb = v128.load64_splat(l, 8);
    const lc = v128.load64_splat(l, 16);
    const xy = f64x2.add(f64x2.add(f64x2.add(none, f64x2.mul(la, a)), f64x2.mul(lb, b)), f64x2.mul(lc, c));
    const z = f64x2.add(f64x2.add(f64x2.add(none, f64x2.mul(la, az)), f64x2.mul(lb, bz)), f64x2.mul(lc, cz));
    take(rowOf(x, load<u32>(row)), xy, z);
  }
}

/** Four rows of a supernode's triangle from `used` on: their sums do not wait for each other. @param l the panel's first of these rows. */
// @ts-ignore: decorator
@inline function eliminateFour(columns: usize, used: u32, l: usize, stride: usize): void {
  const at = columns + (<usize>used << 5);
  let a = v128.load(at);
  let az = v128.load(at, 16);
  let b = v128.load(at, 32);
  let bz = v128.load(at, 48);
  let c = v128.load(at, 64);
  let cz = v128.load(at, 80);
  let d = v128.load(at, 96);
  let dz = v128.load(at, 112);
  const second = l + stride;
  const third = second + stride;
  const fourth = third + stride;
  const end = <usize>used << 3;
  for (let k: usize = 0; k < end; k += 8, columns += 32) {
    const xy = v128.load(columns);
    const z = v128.load(columns, 16);
    const la = v128.load64_splat(l + k);
    a = f64x2.sub(a, f64x2.mul(la, xy));
    az = f64x2.sub(az, f64x2.mul(la, z));
    const lb = v128.load64_splat(second + k);
    b = f64x2.sub(b, f64x2.mul(lb, xy));
    bz = f64x2.sub(bz, f64x2.mul(lb, z));
    const lc = v128.load64_splat(third + k);
    c = f64x2.sub(c, f64x2.mul(lc, xy));
    cz = f64x2.sub(cz, f64x2.mul(lc, z));
    const ld = v128.load64_splat(fourth + k);
    d = f64x2.sub(d, f64x2.mul(ld, xy));
    dz = f64x2.sub(dz, f64x2.mul(ld, z));
  }
  let factor = v128.load64_splat(second + end);
  b = f64x2.sub(b, f64x2.mul(factor, a));
  bz = f64x2.sub(bz, f64x2.mul(factor, az));
  factor = v128.load64_splat(third + end);
  c = f64x2.sub(c, f64x2.mul(factor, a));
  cz = f64x2.sub(cz, f64x2.mul(factor, az));
  factor = v128.load64_splat(third + end, 8);
  c = f64x2.sub(c, f64x2.mul(factor, b));
  cz = f64x2.sub(cz, f64x2.mul(factor, bz));
  factor = v128.load64_splat(fourth + end);
  d = f64x2.sub(d, f64x2.mul(factor, a));
  dz = f64x2.sub(dz, f64x2.mul(factor, az));
  factor = v128.load64_splat(fourth + end, 8);
  d = f64x2.sub(d, f64x2.mul(factor, b));
  dz = f64x2.sub(dz, f64x2.mul(factor, bz));
  factor = v128.load64_splat(fourth + end, 16);
  d = f64x2.sub(d, f64x2.mul(factor, c));
  dz = f64x2.sub(dz, f64x2.mul(factor, cz));
  v128.store(at, b, 32);
  v128.store(at, bz, 48);
  v128.store(at, c, 64);
  v128.store(at, cz, 80);
  v128.store(at, d, 96);
  v128.store(at, dz, 112);
  if (used === 0) return;
  v128.store(at, a);
  v128.store(at, az, 16);
}

function eliminateRow(c: usize, l: usize, used: u32, row: usize): void {
  let xy = v128.load(row);
  let z = v128.load(row, 16);
  for (let k: u32 = 0; k < used; k++, l += 8, c += 32) {
    const factor = v128.load64_splat(l);
    xy = f64x2.sub(xy, f64x2.mul(factor, v128.load(c)));
    z = f64x2.sub(z, f64x2.mul(factor, v128.load(c, 16)));
  }
  v128.store(row, xy);
  v128.store(row, z, 16);
}

/** Rows of x from three numbers per row of the matrix. */
export function takeRows(count: i32, places: usize, b: usize, x: usize): void {
  for (let i = 0; i < count; i++, b += 24) {
    const to = rowOf(x, u32At(places, i));
    v128.store(to, v128.load(b));
    store<f64>(to, load<f64>(b, 16), 16);
  }
}

/** Three numbers per row of the matrix from rows of x. */
export function giveRows(count: i32, places: usize, x: usize, out: usize): void {
  for (let i = 0; i < count; i++, out += 24) {
    const from = rowOf(x, u32At(places, i));
    v128.store(out, v128.load(from));
    store<f64>(out, load<f64>(from, 16), 16);
  }
}

/** x ← D⁻¹ x */
export function scaleRows(count: i32, inverses: usize, x: usize): void {
  for (let i = 0; i < count; i++, inverses += 8, x += 32) {
    const inverse = v128.load64_splat(inverses);
    v128.store(x, f64x2.mul(v128.load(x), inverse));
    v128.store(x, f64x2.mul(v128.load(x, 16), inverse), 16);
  }
}

/** Rows of some supernodes: to ← from. */
export function copyRows(nodeCount: i32, nodes: usize, firsts: usize, from: usize, to: usize): void {
  for (let n = 0; n < nodeCount; n++) {
    const node = u32At(nodes, n);
    const first = u32At(firsts, node);
    memory.copy(rowOf(to, first), rowOf(from, first), <usize>(u32At(firsts, node + 1) - first) << 5);
  }
}

/** Rows of some supernodes: to ← 0. */
export function clearRows(nodeCount: i32, nodes: usize, firsts: usize, to: usize): void {
  for (let n = 0; n < nodeCount; n++) {
    const node = u32At(nodes, n);
    const first = u32At(firsts, node);
    memory.fill(rowOf(to, first), 0, <usize>(u32At(firsts, node + 1) - first) << 5);
  }
}

/** Rows of some supernodes: x ← x − D⁻¹ part. */
export function subtractRows(nodeCount: i32, nodes: usize, firsts: usize, inverses: usize, part: usize, x: usize): void {
  for (let n = 0; n < nodeCount; n++) {
    const node = u32At(nodes, n);
    const end = u32At(firsts, node + 1);
    for (let row = u32At(firsts, node); row < end; row++) {
      const inverse = v128.load64_splat(inverses + (<usize>row << 3));
      const to = rowOf(x, row);
      const from = rowOf(part, row);
      v128.store(to, f64x2.sub(v128.load(to), f64x2.mul(inverse, v128.load(from))));
      v128.store(to, f64x2.sub(v128.load(to, 16), f64x2.mul(inverse, v128.load(from, 16))), 16);
    }
  }
}
