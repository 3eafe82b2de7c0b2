// The vocabulary of these kernels: two numbers at a time. Values of two lanes end in 2.

// @ts-ignore: decorator
@inline export function splat2(x: f64): v128 {
  return f64x2.splat(x);
}
/** Two numbers side by side. */
// @ts-ignore: decorator
@inline export function pair2(x: f64, y: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(x), 1, y);
}
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
/** a·b + c, rounded twice. */
// @ts-ignore: decorator
@inline export function madd2(a: v128, b: v128, c: v128): v128 {
  return f64x2.add(f64x2.mul(a, b), c);
}
/** mask ? a : b, lane by lane. */
// @ts-ignore: decorator
@inline export function select2(mask: v128, a: v128, b: v128): v128 {
  return v128.bitselect(a, b, mask);
}
/** a₀b₀ + a₁b₁ + a₂b₂, from left to right. */
// @ts-ignore: decorator
@inline export function dot2(a0: v128, b0: v128, a1: v128, b1: v128, a2: v128, b2: v128): v128 {
  return add2(add2(mul2(a0, b0), mul2(a1, b1)), mul2(a2, b2));
}
/** The numbers at two places. */
// @ts-ignore: decorator
@inline export function gather2(first: usize, second: usize): v128 {
  return f64x2.replace_lane(v128.load64_zero(first), 1, load<f64>(second));
}
// @ts-ignore: decorator
@inline export function load2(at: usize, index: usize): v128 {
  return v128.load(at + (index << 4));
}
// @ts-ignore: decorator
@inline export function store2(at: usize, index: usize, value: v128): void {
  v128.store(at + (index << 4), value);
}
