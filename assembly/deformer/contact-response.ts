// Dense work in the space of contacts. Kernels for src/deformer/contact-response.ts: sums over many terms keep their order, and pairs
// of neighbouring columns are done at once.

/** row[v] ← row[v] − Σ factors[k]·block[k][v] over `used` rows of the block, which are `stride` numbers apart. */
function spreadHalf(row: usize, factors: usize, block: usize, used: i32, stride: i32, count: i32): void {
  const step = <usize>stride << 3;
  let v = 0;
  for (; v + 7 < count; v += 8, row += 64, block += 64) {
    let a = v128.load(row);
    let b = v128.load(row, 16);
    let c = v128.load(row, 32);
    let d = v128.load(row, 48);
    let at = block;
    for (let k = 0; k < used; k++, at += step) {
      const factor = v128.load64_splat(factors + (<usize>k << 3));
      a = f64x2.sub(a, f64x2.mul(factor, v128.load(at)));
      b = f64x2.sub(b, f64x2.mul(factor, v128.load(at, 16)));
      c = f64x2.sub(c, f64x2.mul(factor, v128.load(at, 32)));
      d = f64x2.sub(d, f64x2.mul(factor, v128.load(at, 48)));
    }
    v128.store(row, a);
    v128.store(row, b, 16);
    v128.store(row, c, 32);
    v128.store(row, d, 48);
  }
  for (; v + 3 < count; v += 4, row += 32, block += 32) {
    let a = v128.load(row);
    let b = v128.load(row, 16);
    let at = block;
    for (let k = 0; k < used; k++, at += step) {
      const factor = v128.load64_splat(factors + (<usize>k << 3));
      a = f64x2.sub(a, f64x2.mul(factor, v128.load(at)));
      b = f64x2.sub(b, f64x2.mul(factor, v128.load(at, 16)));
    }
    v128.store(row, a);
    v128.store(row, b, 16);
  }
  for (; v < count; v++, row += 8, block += 8) {
    let a = load<f64>(row);
    let at = block;
    for (let k = 0; k < used; k++, at += step) a -= load<f64>(factors + (<usize>k << 3)) * load<f64>(at);
    store<f64>(row, a);
  }
}

/** The same for two rows at once, which share what is read of the block. */
function spreadTwo(
  row: usize, second: usize, factors: usize, secondFactors: usize, block: usize, used: i32, stride: i32, count: i32,
): void {
  const step = <usize>stride << 3;
  const apart = second - row;
  const between = secondFactors - factors;
  const end = factors + (<usize>used << 3);
  let v = 0;
  for (; v + 7 < count; v += 8, row += 64, block += 64) {
    let a = v128.load(row);
    let b = v128.load(row, 16);
    let c = v128.load(row, 32);
    let d = v128.load(row, 48);
    let e = v128.load(row + apart);
    let f = v128.load(row + apart, 16);
    let g = v128.load(row + apart, 32);
    let h = v128.load(row + apart, 48);
    let at = block;
    for (let k = factors; k < end; k += 8, at += step) {
      const one = v128.load64_splat(k);
      const two = v128.load64_splat(k + between);
      const p = v128.load(at);
      const q = v128.load(at, 16);
      a = f64x2.sub(a, f64x2.mul(one, p));
      e = f64x2.sub(e, f64x2.mul(two, p));
      b = f64x2.sub(b, f64x2.mul(one, q));
      f = f64x2.sub(f, f64x2.mul(two, q));
      const r = v128.load(at, 32);
      const s = v128.load(at, 48);
      c = f64x2.sub(c, f64x2.mul(one, r));
      g = f64x2.sub(g, f64x2.mul(two, r));
      d = f64x2.sub(d, f64x2.mul(one, s));
      h = f64x2.sub(h, f64x2.mul(two, s));
    }
    v128.store(row, a);
    v128.store(row, b, 16);
    v128.store(row, c, 32);
    v128.store(row, d, 48);
    v128.store(row + apart, e);
    v128.store(row + apart, f, 16);
    v128.store(row + apart, g, 32);
    v128.store(row + apart, h, 48);
  }
  if (v === count) return;
  spreadHalf(row, factors, block, used, stride, count - v);
  spreadHalf(row + apart, secondFactors, block, used, stride, count - v);
}

/**
 * Upper factor U of a dense symmetric matrix, in place in its upper half: UᵀD⁻¹U, D the diagonal of U, in pairs of rows. Returns
 * whether it is positive. What is below the diagonal means nothing; `scaled` is room for two times `count` numbers.
 */
export function factorDense(matrix: usize, count: i32, inverses: usize, scaled: usize): bool {
  const step = <usize>count << 3;
  const second = scaled + step;
  let row = matrix;
  for (let i = 0; i < count; i += 2, row += 2 * step) {
    const at = <usize>i << 3;
    const paired = i + 1 < count;
    for (let k = 0; k < i; k++) {
      const to = <usize>k << 3;
      const u = matrix + k * step + at;
      store<f64>(scaled + to, load<f64>(inverses + to) * load<f64>(u));
      if (paired) store<f64>(second + to, load<f64>(inverses + to) * load<f64>(u, 8));
    }
    if (paired) spreadTwo(row + at, row + step + at, scaled, second, matrix + at, i, count, count - i);
    else spreadHalf(row + at, scaled, matrix + at, i, count, count - i);
    const pivot = load<f64>(row + at);
    if (!(pivot > 0 && pivot < Infinity)) return false;
    store<f64>(inverses + at, 1 / pivot);
    if (!paired) break;
    const next = row + step + at + 8;
    store<f64>(scaled, load<f64>(inverses + at) * load<f64>(row + at, 8));
    spreadHalf(next, scaled, row + at + 8, 1, count, count - i - 1);
    if (!(load<f64>(next) > 0 && load<f64>(next) < Infinity)) return false;
    store<f64>(inverses + at, 1 / load<f64>(next), 8);
  }
  return true;
}

/** z ← (UᵀD⁻¹U)⁻¹ z; the sums of the way back are those of every second column. */
export function solveDense(matrix: usize, count: i32, inverses: usize, z: usize): void {
  const step = <usize>count << 3;
  for (let i = 0; i < count; i++) {
    const at = z + (<usize>i << 3);
    const value = load<f64>(at) * load<f64>(inverses + (<usize>i << 3));
    store<f64>(at, value);
    const factor = f64x2.splat(value);
    let u = matrix + i * step + (<usize>(i + 1) << 3);
    let to = at + 8;
    let j = i + 1;
    for (; j + 1 < count; j += 2, u += 16, to += 16) {
      v128.store(to, f64x2.sub(v128.load(to), f64x2.mul(factor, v128.load(u))));
    }
    if (j < count) store<f64>(to, load<f64>(to) - value * load<f64>(u));
  }
  for (let i = count - 1; i >= 0; i--) {
    const at = z + (<usize>i << 3);
    let sums = f64x2.splat(0);
    let u = matrix + i * step + (<usize>(i + 1) << 3);
    let from = at + 8;
    let j = i + 1;
    for (; j + 1 < count; j += 2, u += 16, from += 16) sums = f64x2.add(sums, f64x2.mul(v128.load(u), v128.load(from)));
    let even = f64x2.extract_lane(sums, 0);
    if (j < count) even += load<f64>(u) * load<f64>(from);
    store<f64>(at, load<f64>(at) - load<f64>(inverses + (<usize>i << 3)) * (even + f64x2.extract_lane(sums, 1)));
  }
}
