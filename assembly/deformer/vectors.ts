// Long vectors. Kernels for src/deformer/vectors.ts.

/** a·b in four sums that do not wait for each other; what is left over goes to the first. */
export function dot(a: usize, b: usize, count: i32): f64 {
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  const whole = a + (<usize>(count & ~3) << 3);
  while (a < whole) {
    low = f64x2.add(low, f64x2.mul(v128.load(a), v128.load(b)));
    high = f64x2.add(high, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
    a += 32;
    b += 32;
  }
  let first = f64x2.extract_lane(low, 0);
  for (let i = 0; i < (count & 3); i++) {
    first += load<f64>(a) * load<f64>(b);
    a += 8;
    b += 8;
  }
  return first + f64x2.extract_lane(low, 1) + (f64x2.extract_lane(high, 0) + f64x2.extract_lane(high, 1));
}

/** a ← a + scale·b */
export function addScaled(a: usize, b: usize, scale: f64, count: i32): void {
  const scales = f64x2.splat(scale);
  const whole = a + (<usize>(count & ~1) << 3);
  while (a < whole) {
    v128.store(a, f64x2.add(v128.load(a), f64x2.mul(scales, v128.load(b))));
    a += 16;
    b += 16;
  }
  if (count & 1) store<f64>(a, load<f64>(a) + scale * load<f64>(b));
}

/** a ← a + scale·b; returns the new a·c, in the four sums of `dot`. */
export function addScaledDot(a: usize, b: usize, scale: f64, c: usize, count: i32): f64 {
  const scales = f64x2.splat(scale);
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  const whole = a + (<usize>(count & ~3) << 3);
  while (a < whole) {
    const p = f64x2.add(v128.load(a), f64x2.mul(scales, v128.load(b)));
    const q = f64x2.add(v128.load(a, 16), f64x2.mul(scales, v128.load(b, 16)));
    v128.store(a, p);
    v128.store(a, q, 16);
    low = f64x2.add(low, f64x2.mul(p, v128.load(c)));
    high = f64x2.add(high, f64x2.mul(q, v128.load(c, 16)));
    a += 32;
    b += 32;
    c += 32;
  }
  let first = f64x2.extract_lane(low, 0);
  for (let i = 0; i < (count & 3); i++) {
    const p = load<f64>(a) + scale * load<f64>(b);
    store<f64>(a, p);
    first += p * load<f64>(c);
    a += 8;
    b += 8;
    c += 8;
  }
  return first + f64x2.extract_lane(low, 1) + (f64x2.extract_lane(high, 0) + f64x2.extract_lane(high, 1));
}

/** out ← a + scale·b */
export function writeSum(out: usize, a: usize, b: usize, scale: f64, count: i32): void {
  const scales = f64x2.splat(scale);
  const whole = a + (<usize>(count & ~1) << 3);
  while (a < whole) {
    v128.store(out, f64x2.add(v128.load(a), f64x2.mul(scales, v128.load(b))));
    a += 16;
    b += 16;
    out += 16;
  }
  if (count & 1) store<f64>(out, load<f64>(a) + scale * load<f64>(b));
}

/** out ← scale·a */
export function writeScaled(out: usize, a: usize, scale: f64, count: i32): void {
  const scales = f64x2.splat(scale);
  const whole = a + (<usize>(count & ~1) << 3);
  while (a < whole) {
    v128.store(out, f64x2.mul(scales, v128.load(a)));
    a += 16;
    out += 16;
  }
  if (count & 1) store<f64>(out, scale * load<f64>(a));
}

/** out ← a + scale·b; returns out·out, in the four sums of `dot`. */
export function writeSumDot(out: usize, a: usize, b: usize, scale: f64, count: i32): f64 {
  const scales = f64x2.splat(scale);
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  const whole = a + (<usize>(count & ~3) << 3);
  while (a < whole) {
    const p = f64x2.add(v128.load(a), f64x2.mul(scales, v128.load(b)));
    const q = f64x2.add(v128.load(a, 16), f64x2.mul(scales, v128.load(b, 16)));
    v128.store(out, p);
    v128.store(out, q, 16);
    low = f64x2.add(low, f64x2.mul(p, p));
    high = f64x2.add(high, f64x2.mul(q, q));
    a += 32;
    b += 32;
    out += 32;
  }
  let first = f64x2.extract_lane(low, 0);
  for (let i = 0; i < (count & 3); i++) {
    const p = load<f64>(a) + scale * load<f64>(b);
    store<f64>(out, p);
    first += p * p;
    a += 8;
    b += 8;
    out += 8;
  }
  return first + f64x2.extract_lane(low, 1) + (f64x2.extract_lane(high, 0) + f64x2.extract_lane(high, 1));
}

/** Greatest absolute value, or not a number where one is not. */
export function greatest(a: usize, count: i32): f64 {
  let most = f64x2.splat(0);
  let none = f64x2.splat(0);
  const whole = a + (<usize>(count & ~1) << 3);
  while (a < whole) {
    const x = v128.load(a);
    // One instruction where `max`, which knows of what is not a number, takes many.
    most = f64x2.pmax(most, f64x2.abs(x));
    none = v128.or(none, f64x2.ne(x, x));
    a += 16;
  }
  if (v128.any_true(none)) return NaN;
  let last: f64 = 0;
  if (count & 1) last = abs(load<f64>(a));
  return max(max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1)), last);
}
