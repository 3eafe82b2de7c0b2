// The vocabulary of the kernels: four numbers at a time. Values of four lanes end in 4; a vector of three in one value has
// its fourth lane at 0 unless said otherwise.

// @ts-ignore: decorator
@inline export function splat4(x: f32): v128 {
  return f32x4.splat(x);
}
// @ts-ignore: decorator
@inline export function add4(a: v128, b: v128): v128 {
  return f32x4.add(a, b);
}
// @ts-ignore: decorator
@inline export function sub4(a: v128, b: v128): v128 {
  return f32x4.sub(a, b);
}
// @ts-ignore: decorator
@inline export function mul4(a: v128, b: v128): v128 {
  return f32x4.mul(a, b);
}
// @ts-ignore: decorator
@inline export function div4(a: v128, b: v128): v128 {
  return f32x4.div(a, b);
}
/** a·b + c, rounded twice: fused arithmetic would differ between machines. */
// @ts-ignore: decorator
@inline export function madd4(a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.mul(a, b), c);
}
/** c − a·b */
// @ts-ignore: decorator
@inline export function nmadd4(a: v128, b: v128, c: v128): v128 {
  return f32x4.sub(c, f32x4.mul(a, b));
}
/** mask ? a : b, lane by lane. */
// @ts-ignore: decorator
@inline export function select4(mask: v128, a: v128, b: v128): v128 {
  return v128.bitselect(a, b, mask);
}
// @ts-ignore: decorator
@inline export function x4(a: v128): f32 {
  return f32x4.extract_lane(a, 0);
}
// @ts-ignore: decorator
@inline export function y4(a: v128): f32 {
  return f32x4.extract_lane(a, 1);
}
// @ts-ignore: decorator
@inline export function z4(a: v128): f32 {
  return f32x4.extract_lane(a, 2);
}
// @ts-ignore: decorator
@inline export function w4(a: v128): f32 {
  return f32x4.extract_lane(a, 3);
}
// @ts-ignore: decorator
@inline export function splatX4(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 0, 0, 0, 0);
}
// @ts-ignore: decorator
@inline export function splatY4(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 1, 1, 1, 1);
}
// @ts-ignore: decorator
@inline export function splatZ4(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 2, 2, 2, 2);
}
// @ts-ignore: decorator
@inline export function splatW4(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 3, 3, 3, 3);
}
/** (y, z, x, w) */
// @ts-ignore: decorator
@inline export function yzx4(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 1, 2, 0, 3);
}
/** Cross product of vectors. */
// @ts-ignore: decorator
@inline export function cross4(a: v128, b: v128): v128 {
  return yzx4(crossZxy4(a, b));
}
/** The same as (z, x, y): in a sum of many the last shuffle can wait for the end. */
// @ts-ignore: decorator
@inline export function crossZxy4(a: v128, b: v128): v128 {
  return sub4(mul4(a, yzx4(b)), mul4(yzx4(a), b));
}
/** Dot product of vectors whose fourth lanes do not count. */
// @ts-ignore: decorator
@inline export function dot3(a: v128, b: v128): f32 {
  const p = mul4(a, b);
  return x4(p) + y4(p) + z4(p);
}
// @ts-ignore: decorator
@inline export function vector4(x: f32, y: f32, z: f32): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(x), 1, y), 2, z);
}
/** The same with 0 in the fourth lane. */
// @ts-ignore: decorator
@inline export function vector30(x: f32, y: f32, z: f32): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(0), 0, x), 1, y), 2, z);
}

// Transposes of four rows to four columns, one column at a time (the compiler shares the halves).
// @ts-ignore: decorator
@inline export function low4(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5);
}
// @ts-ignore: decorator
@inline export function high4(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7);
}
// @ts-ignore: decorator
@inline export function lowPair4(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 1, 4, 5);
}
// @ts-ignore: decorator
@inline export function highPair4(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 3, 6, 7);
}
// @ts-ignore: decorator
@inline export function column0(a: v128, b: v128, c: v128, d: v128): v128 {
  return lowPair4(low4(a, b), low4(c, d));
}
// @ts-ignore: decorator
@inline export function column1(a: v128, b: v128, c: v128, d: v128): v128 {
  return highPair4(low4(a, b), low4(c, d));
}
// @ts-ignore: decorator
@inline export function column2(a: v128, b: v128, c: v128, d: v128): v128 {
  return lowPair4(high4(a, b), high4(c, d));
}
// @ts-ignore: decorator
@inline export function column3(a: v128, b: v128, c: v128, d: v128): v128 {
  return highPair4(high4(a, b), high4(c, d));
}
/** Four numbers that stand at the same place of four rows. */
// @ts-ignore: decorator
@inline export function gather4(at: usize): v128 {
  return v128.load_lane<f32>(at, v128.load_lane<f32>(at, v128.load_lane<f32>(at, v128.load32_zero(at), 1, 16), 2, 32), 3, 48);
}
/** x² + y² + z², lane by lane. */
// @ts-ignore: decorator
@inline export function squares4(x: v128, y: v128, z: v128): v128 {
  return add4(add4(mul4(x, x), mul4(y, y)), mul4(z, z));
}
/** Adds four numbers to two sums in double precision. */
// @ts-ignore: decorator
@inline export function addWide(sums: v128, a: v128): v128 {
  return f64x2.add(sums, f64x2.add(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(highPair4(a, a))));
}
// @ts-ignore: decorator
@inline export function sumWide(sums: v128): f64 {
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
}
/** x + y + z of four vectors. */
// @ts-ignore: decorator
@inline export function sums4(a: v128, b: v128, c: v128, d: v128): v128 {
  return add4(add4(column0(a, b, c, d), column1(a, b, c, d)), column2(a, b, c, d));
}
/** (a − from)·b of four vectors at a and four at b. */
// @ts-ignore: decorator
@inline export function dots4(a: usize, from: v128, b: usize): v128 {
  const p0 = mul4(sub4(v128.load(a), from), v128.load(b));
  const p1 = mul4(sub4(v128.load(a, 16), from), v128.load(b, 16));
  const p2 = mul4(sub4(v128.load(a, 32), from), v128.load(b, 32));
  const p3 = mul4(sub4(v128.load(a, 48), from), v128.load(b, 48));
  return sums4(p0, p1, p2, p3);
}
