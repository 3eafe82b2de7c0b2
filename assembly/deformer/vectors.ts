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
