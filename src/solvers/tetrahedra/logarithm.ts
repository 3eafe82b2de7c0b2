// The natural logarithm to the same bits in every engine.

/** 2·artanh z = ln((1 + z)/(1 − z)) for |z| ≤ ⅓: the term after z³⁷ is below 10⁻¹⁸. */
function twiceArtanh(z: number): number {
  const square = z * z;
  let sum = 0;
  for (let k = 37; k >= 1; k -= 2) sum = sum * square + 1 / k;
  return 2 * z * sum;
}

/** ln 2. */
const OF_TWO = twiceArtanh(1 / 3);

/** Of a positive number, to a few roundings: ln(m·2ⁿ) with m in √½ … √2. */
export function logarithm(value: number): number {
  if (!(value > 0) || value === Infinity) return value > 0 ? Infinity : Number.NaN;
  let m = value;
  let n = 0;
  while (m > Math.SQRT2) {
    m /= 2;
    n++;
  }
  while (m < Math.SQRT1_2) {
    m *= 2;
    n--;
  }
  return n * OF_TWO + twiceArtanh((m - 1) / (m + 1));
}
