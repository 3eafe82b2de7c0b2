// Solves with a sparse factor for three right sides, supernode by supernode. Kernels for src/deformer/sparse-factor.ts; a row of x is
// four numbers, the last of which is nothing.

// @ts-ignore: decorator
@inline function u32At(start: usize, i: u32): u32 {
  return load<u32>(start + (<usize>i << 2));
}
// @ts-ignore: decorator
@inline function rowOf(x: usize, i: u32): usize {
  return x + (<usize>i << 5);
}

/** x ← L⁻¹ x at a list of supernodes, ascending. */
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
    for (let r: u32 = 1; r < width; r++) eliminateRow(rowOf(x, first), start + r * stride, r, rowOf(x, first + r));
    let r = width;
    let p = start + width * stride;
    for (; r + 1 < height; r += 2, p += 2 * stride) {
      let a = f64x2.splat(0);
      let az = f64x2.splat(0);
      let b = f64x2.splat(0);
      let bz = f64x2.splat(0);
      let c = rowOf(x, first);
      for (let l = p; l < p + stride; l += 8, c += 32) {
        const la = v128.load64_splat(l);
        const lb = v128.load64_splat(l + stride);
        const xy = v128.load(c);
        const z = v128.load(c, 16);
        a = f64x2.add(a, f64x2.mul(la, xy));
        az = f64x2.add(az, f64x2.mul(la, z));
        b = f64x2.add(b, f64x2.mul(lb, xy));
        bz = f64x2.add(bz, f64x2.mul(lb, z));
      }
      const to = rowOf(x, u32At(rows, rowStart + r));
      v128.store(to, f64x2.sub(v128.load(to), a));
      v128.store(to, f64x2.sub(v128.load(to, 16), az), 16);
      const next = rowOf(x, u32At(rows, rowStart + r + 1));
      v128.store(next, f64x2.sub(v128.load(next), b));
      v128.store(next, f64x2.sub(v128.load(next, 16), bz), 16);
    }
    if (r < height) eliminateRow(rowOf(x, first), p, width, rowOf(x, u32At(rows, rowStart + r)));
  }
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

/** x ← L⁻ᵀ x at a list of supernodes, ascending. */
export function backward(
  nodeCount: i32, nodes: usize, firsts: usize, rowStarts: usize, rows: usize, panelStarts: usize, panels: usize, x: usize,
): void {
  for (let n = nodeCount - 1; n >= 0; n--) {
    const node = u32At(nodes, n);
    const first = u32At(firsts, node);
    const width = u32At(firsts, node + 1) - first;
    const rowStart = u32At(rowStarts, node);
    const height = u32At(rowStarts, node + 1) - rowStart;
    const start = panels + (<usize>u32At(panelStarts, node) << 3);
    const stride = <usize>width << 3;
    let r = width;
    let p = start + width * stride;
    for (; r + 1 < height; r += 2, p += 2 * stride) {
      const a = rowOf(x, u32At(rows, rowStart + r));
      const b = rowOf(x, u32At(rows, rowStart + r + 1));
      const axy = v128.load(a);
      const az = v128.load(a, 16);
      const bxy = v128.load(b);
      const bz = v128.load(b, 16);
      let c = rowOf(x, first);
      for (let l = p; l < p + stride; l += 8, c += 32) {
        const la = v128.load64_splat(l);
        const lb = v128.load64_splat(l + stride);
        v128.store(c, f64x2.sub(v128.load(c), f64x2.add(f64x2.mul(la, axy), f64x2.mul(lb, bxy))));
        v128.store(c, f64x2.sub(v128.load(c, 16), f64x2.add(f64x2.mul(la, az), f64x2.mul(lb, bz))), 16);
      }
    }
    if (r < height) substituteRow(rowOf(x, first), p, width, rowOf(x, u32At(rows, rowStart + r)));
    for (r = width - 1; r > 0; r--) substituteRow(rowOf(x, first), start + r * stride, r, rowOf(x, first + r));
  }
}

function substituteRow(c: usize, l: usize, used: u32, row: usize): void {
  const xy = v128.load(row);
  const z = v128.load(row, 16);
  for (let k: u32 = 0; k < used; k++, l += 8, c += 32) {
    const factor = v128.load64_splat(l);
    v128.store(c, f64x2.sub(v128.load(c), f64x2.mul(factor, xy)));
    v128.store(c, f64x2.sub(v128.load(c, 16), f64x2.mul(factor, z)), 16);
  }
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
