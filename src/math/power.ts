// Powers to the same bits everywhere. Engines round sums, products and square roots alike, but not powers of their own: of
// 54 usual dampings and steps, Node 20 and Chromium 147 disagreed on four, of cubes on one in ten.

/** base^exponent for a base and an exponent from 0, to some 50 roundings; exponents 0, 1 and ½ are exact to rounding. */
export function power(base: number, exponent: number): number {
  const whole = Math.floor(exponent);
  let result = 1;
  for (let n = 0; n < whole; n++) result *= base;
  // Digit by digit: base^½, base^¼, … where the exponent's binary digit is 1.
  let root = base;
  for (let rest = exponent - whole; rest > 0; ) {
    root = Math.sqrt(root);
    rest *= 2;
    if (rest < 1) continue;
    result *= root;
    rest -= 1;
  }
  return result;
}
