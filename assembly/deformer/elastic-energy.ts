// The energy of tetrahedra and its gradient, two at a time: one in each lane. Kernels for src/deformer/elastic-energy.ts, where the
// equations are; the logarithm is that of src/math/logarithm.ts.

const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
const ROOT2: f64 = 1.4142135623730951;

// @ts-ignore: decorator
@inline function add(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}
// @ts-ignore: decorator
@inline function sub(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}
// @ts-ignore: decorator
@inline function mul(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}
// @ts-ignore: decorator
@inline function splat(a: f64): v128 {
  return f64x2.splat(a);
}
/** a·b + c·d + e·f, from the left. */
// @ts-ignore: decorator
@inline function sum3(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128): v128 {
  return add(add(mul(a, b), mul(c, d)), mul(e, f));
}
/** a·b − c·d */
// @ts-ignore: decorator
@inline function minor(a: v128, b: v128, c: v128, d: v128): v128 {
  return sub(mul(a, b), mul(c, d));
}
/** a·b + c·d, as in the stress: shear·f + press·cofactor */
// @ts-ignore: decorator
@inline function sum2(a: v128, b: v128, c: v128, d: v128): v128 {
  return add(mul(a, b), mul(c, d));
}
/** x, y and z of two vertices. */
// @ts-ignore: decorator
@inline function xOf(first: usize, second: usize): v128 {
  return v128.load_lane<f64>(second, v128.load64_zero(first), 1);
}
// @ts-ignore: decorator
@inline function yOf(first: usize, second: usize): v128 {
  return v128.load_lane<f64>(second, v128.load64_zero(first, 8), 1, 8);
}
// @ts-ignore: decorator
@inline function zOf(first: usize, second: usize): v128 {
  return v128.load_lane<f64>(second, v128.load64_zero(first, 16), 1, 16);
}
/** Adds the first of each pair to a vertex: x and y at once. */
// @ts-ignore: decorator
@inline function give0(at: usize, x: v128, y: v128, z: v128): void {
  v128.store(at, f64x2.add(v128.load(at), v128.shuffle<f64>(x, y, 0, 2)));
  store<f64>(at, load<f64>(at, 16) + f64x2.extract_lane(z, 0), 16);
}
/** Adds the second of each pair to a vertex. */
// @ts-ignore: decorator
@inline function give1(at: usize, x: v128, y: v128, z: v128): void {
  v128.store(at, f64x2.add(v128.load(at), v128.shuffle<f64>(x, y, 1, 3)));
  store<f64>(at, load<f64>(at, 16) + f64x2.extract_lane(z, 1), 16);
}
// @ts-ignore: decorator
@inline function vertex(x: usize, tets: usize, corner: usize): usize {
  return x + <usize>load<u32>(tets + corner);
}

/** ln x of normal numbers above zero. */
function logarithm(x: v128): v128 {
  const bits = v128.and(x, i64x2.splat(0x000fffffffffffff));
  let m = v128.or(bits, i64x2.splat(0x3ff0000000000000));
  const above = f64x2.gt(m, splat(ROOT2));
  const exponents = i64x2.sub(i64x2.sub(i64x2.shr_u(x, 52), i64x2.splat(1023)), above);
  // Small integers become numbers by the last bits of 1.5·2⁵².
  const n = sub(i64x2.add(exponents, i64x2.splat(0x4338000000000000)), splat(6755399441055744));
  m = v128.bitselect(mul(splat(0.5), m), m, above);
  const s = f64x2.div(sub(m, splat(1)), add(m, splat(1)));
  const q = mul(s, s);
  const q2 = mul(q, q);
  const q4 = mul(q2, q2);
  const low = add(add(splat(1.0 / 3), mul(q, splat(1.0 / 5))), mul(q2, add(splat(1.0 / 7), mul(q, splat(1.0 / 9)))));
  const middle = add(add(splat(1.0 / 11), mul(q, splat(1.0 / 13))), mul(q2, add(splat(1.0 / 15), mul(q, splat(1.0 / 17)))));
  const end = add(splat(1.0 / 19), mul(q, splat(1.0 / 21)));
  const series = add(low, mul(q4, add(middle, mul(q4, end))));
  const tail = mul(mul(splat(2), s), add(splat(1), mul(q, series)));
  return add(mul(n, splat(LN2_HIGH)), add(mul(n, splat(LN2_LOW)), tail));
}

/**
 * Adds the gradient at x to `out` and returns the energy but for its logarithms. Tetrahedra in pairs: eight corners (as places in
 * bytes), six pairs of numbers of the shape functions' gradients, a pair of weights. I + 1 goes to `above`, and behind it
 * Σ weight × (1 − before/above), which is no more than the logarithms have grown by.
 */
export function addElastic(
  pairCount: i32, tets: usize, gradients: usize, weights: usize, above: usize, before: usize, x: usize, out: usize, lambda: f64, beta: f64,
  rest: f64,
): f64 {
  let growth = splat(0);
  let energy = splat(0);
  for (let t = 0; t < pairCount; t++, tets += 32, gradients += 96, weights += 16, above += 16, before += 16) {
    const a0 = vertex(x, tets, 0);
    const b0 = vertex(x, tets, 4);
    const c0 = vertex(x, tets, 8);
    const d0 = vertex(x, tets, 12);
    const a1 = vertex(x, tets, 16);
    const b1 = vertex(x, tets, 20);
    const c1 = vertex(x, tets, 24);
    const d1 = vertex(x, tets, 28);
    const ax = xOf(a0, a1);
    const ay = yOf(a0, a1);
    const az = zOf(a0, a1);
    const ux = sub(xOf(b0, b1), ax);
    const uy = sub(yOf(b0, b1), ay);
    const uz = sub(zOf(b0, b1), az);
    const vx = sub(xOf(c0, c1), ax);
    const vy = sub(yOf(c0, c1), ay);
    const vz = sub(zOf(c0, c1), az);
    const wx = sub(xOf(d0, d1), ax);
    const wy = sub(yOf(d0, d1), ay);
    const wz = sub(zOf(d0, d1), az);
    const g0 = v128.load(gradients);
    const g1 = v128.load(gradients, 16);
    const g2 = v128.load(gradients, 32);
    const g3 = v128.load(gradients, 48);
    const g4 = v128.load(gradients, 64);
    const g5 = v128.load(gradients, 80);
    const f00 = mul(ux, g0);
    const f10 = mul(uy, g0);
    const f20 = mul(uz, g0);
    const f01 = sum2(ux, g1, vx, g2);
    const f11 = sum2(uy, g1, vy, g2);
    const f21 = sum2(uz, g1, vz, g2);
    const f02 = sum3(ux, g3, vx, g4, wx, g5);
    const f12 = sum3(uy, g3, vy, g4, wy, g5);
    const f22 = sum3(uz, g3, vz, g4, wz, g5);
    const c00 = minor(f11, f22, f12, f21);
    const c01 = minor(f12, f20, f10, f22);
    const c02 = minor(f10, f21, f11, f20);
    let norm = add(add(mul(f00, f00), mul(f01, f01)), mul(f02, f02));
    norm = add(add(add(norm, mul(f10, f10)), mul(f11, f11)), mul(f12, f12));
    norm = add(add(add(norm, mul(f20, f20)), mul(f21, f21)), mul(f22, f22));
    const off = sub(sum3(f00, c00, f01, c01, f02, c02), splat(beta));
    const weight = v128.load(weights);
    const larger = add(norm, splat(1));
    const inverse = f64x2.div(splat(1), larger);
    growth = add(growth, mul(weight, sub(splat(1), mul(v128.load(before), inverse))));
    v128.store(above, larger);
    const shape = mul(splat(0.5), sub(norm, splat(3)));
    energy = add(energy, mul(weight, sub(add(shape, mul(mul(splat(0.5 * lambda), off), off)), splat(rest))));
    const shear = mul(weight, sub(splat(1), inverse));
    const press = mul(mul(weight, splat(lambda)), off);
    const p00 = sum2(shear, f00, press, c00);
    const p01 = sum2(shear, f01, press, c01);
    const p02 = sum2(shear, f02, press, c02);
    const p10 = sum2(shear, f10, press, minor(f02, f21, f01, f22));
    const p11 = sum2(shear, f11, press, minor(f00, f22, f02, f20));
    const p12 = sum2(shear, f12, press, minor(f01, f20, f00, f21));
    const p20 = sum2(shear, f20, press, minor(f01, f12, f02, f11));
    const p21 = sum2(shear, f21, press, minor(f02, f10, f00, f12));
    const p22 = sum2(shear, f22, press, minor(f00, f11, f01, f10));
    const bx = sum3(p00, g0, p01, g1, p02, g3);
    const by = sum3(p10, g0, p11, g1, p12, g3);
    const bz = sum3(p20, g0, p21, g1, p22, g3);
    const cx = sum2(p01, g2, p02, g4);
    const cy = sum2(p11, g2, p12, g4);
    const cz = sum2(p21, g2, p22, g4);
    const dx = mul(p02, g5);
    const dy = mul(p12, g5);
    const dz = mul(p22, g5);
    const ex = f64x2.neg(add(add(bx, cx), dx));
    const ey = f64x2.neg(add(add(by, cy), dy));
    const ez = f64x2.neg(add(add(bz, cz), dz));
    const shift = out - x;
    give0(b0 + shift, bx, by, bz);
    give0(c0 + shift, cx, cy, cz);
    give0(d0 + shift, dx, dy, dz);
    give0(a0 + shift, ex, ey, ez);
    give1(b1 + shift, bx, by, bz);
    give1(c1 + shift, cx, cy, cz);
    give1(d1 + shift, dx, dy, dz);
    give1(a1 + shift, ex, ey, ez);
  }
  store<f64>(above, f64x2.extract_lane(growth, 0) + f64x2.extract_lane(growth, 1));
  return f64x2.extract_lane(energy, 0) + f64x2.extract_lane(energy, 1);
}

/** Σ weight × ln (I + 1)/4 for pairs of I + 1. */
export function sumLogarithms(pairCount: i32, weights: usize, above: usize): f64 {
  let sums = splat(0);
  for (let t = 0; t < pairCount; t++, above += 16, weights += 16) {
    sums = add(sums, mul(v128.load(weights), logarithm(mul(splat(0.25), v128.load(above)))));
  }
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
}
