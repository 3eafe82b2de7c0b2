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

/** z ← (UᵀD⁻¹U)⁻¹ z: on the way there four rows at a time, on the way back one, whose sums are those of every fourth column. */
export function solveDense(matrix: usize, count: i32, inverses: usize, z: usize): void {
  const step = <usize>count << 3;
  let i = 0;
  for (; i + 3 < count; i += 4) {
    const at = z + (<usize>i << 3);
    const pivots = inverses + (<usize>i << 3);
    const first = matrix + i * step + (<usize>i << 3);
    const second = first + step;
    const third = second + step;
    const fourth = third + step;
    const za = load<f64>(at) * load<f64>(pivots);
    const zb = (load<f64>(at, 8) - za * load<f64>(first, 8)) * load<f64>(pivots, 8);
    const zc = (load<f64>(at, 16) - za * load<f64>(first, 16) - zb * load<f64>(second, 16)) * load<f64>(pivots, 16);
    const zd =
      (load<f64>(at, 24) - za * load<f64>(first, 24) - zb * load<f64>(second, 24) - zc * load<f64>(third, 24)) *
      load<f64>(pivots, 24);
    store<f64>(at, za);
    store<f64>(at, zb, 8);
    store<f64>(at, zc, 16);
    store<f64>(at, zd, 24);
    const a = f64x2.splat(za);
    const b = f64x2.splat(zb);
    const c = f64x2.splat(zc);
    const d = f64x2.splat(zd);
    const end = <usize>(count - i) << 3;
    let k: usize = 32;
    for (; k + 8 < end; k += 16) {
      let value = f64x2.sub(v128.load(at + k), f64x2.mul(a, v128.load(first + k)));
      value = f64x2.sub(value, f64x2.mul(b, v128.load(second + k)));
      value = f64x2.sub(value, f64x2.mul(c, v128.load(third + k)));
      v128.store(at + k, f64x2.sub(value, f64x2.mul(d, v128.load(fourth + k))));
    }
    if (k < end) {
      let value = load<f64>(at + k) - za * load<f64>(first + k);
      value -= zb * load<f64>(second + k);
      value -= zc * load<f64>(third + k);
      store<f64>(at + k, value - zd * load<f64>(fourth + k));
    }
  }
  for (; i < count; i++) {
    const at = z + (<usize>i << 3);
    const u = matrix + i * step;
    const value = load<f64>(at) * load<f64>(inverses + (<usize>i << 3));
    store<f64>(at, value);
    for (let j = i + 1; j < count; j++) {
      const to = z + (<usize>j << 3);
      store<f64>(to, load<f64>(to) - value * load<f64>(u + (<usize>j << 3)));
    }
  }
  for (i = count - 1; i >= 0; i--) {
    const at = z + (<usize>i << 3);
    const u = matrix + i * step + (<usize>i << 3);
    const end = <usize>(count - i) << 3;
    let low = f64x2.splat(0);
    let high = f64x2.splat(0);
    let k: usize = 8;
    for (; k + 24 < end; k += 32) {
      low = f64x2.add(low, f64x2.mul(v128.load(u + k), v128.load(at + k)));
      high = f64x2.add(high, f64x2.mul(v128.load(u + k, 16), v128.load(at + k, 16)));
    }
    let sum = f64x2.extract_lane(low, 0);
    for (; k < end; k += 8) sum += load<f64>(u + k) * load<f64>(at + k);
    sum = sum + f64x2.extract_lane(low, 1) + (f64x2.extract_lane(high, 0) + f64x2.extract_lane(high, 1));
    store<f64>(at, load<f64>(at) - load<f64>(inverses + (<usize>i << 3)) * sum);
  }
}
