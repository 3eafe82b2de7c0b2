// The vocabulary of kernels in double precision: two numbers at a time. Values of two lanes end in 2.

// @ts-ignore: decorator
@inline export function add2(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}
// @ts-ignore: decorator
@inline export function sub2(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}
// @ts-ignore: decorator
@inline export function mul2(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}
// @ts-ignore: decorator
@inline export function div2(a: v128, b: v128): v128 {
  return f64x2.div(a, b);
}
// @ts-ignore: decorator
@inline export function splat2(x: f64): v128 {
  return f64x2.splat(x);
}
/** c + a·b, rounded twice. */
// @ts-ignore: decorator
@inline export function madd2(c: v128, a: v128, b: v128): v128 {
  return f64x2.add(c, f64x2.mul(a, b));
}
/** The number at an address in both lanes. */
// @ts-ignore: decorator
@inline export function both2(at: usize, offset: usize = 0): v128 {
  return v128.load64_splat(at + offset);
}
/** The numbers at two addresses. */
// @ts-ignore: decorator
@inline export function pair2(a: usize, b: usize): v128 {
  return f64x2.replace_lane(v128.load64_splat(a), 1, load<f64>(b));
}
/** Sum of the two lanes. */
// @ts-ignore: decorator
@inline export function total2(a: v128): f64 {
  return f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1);
}
