// The natural logarithm to the same bits in every engine.

const LN2 = 0.6931471805599453;

/** Of a positive number, to a few roundings: ln(m·2ⁿ) with the series of 2·artanh((m−1)/(m+1)) for m in √½ … √2. */
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
  const z = (m - 1) / (m + 1);
  const z2 = z * z;
  // |z| ≤ 0.172: the term after z²³ is below 10⁻¹⁹.
  let sum = 0;
  for (let k = 23; k >= 1; k -= 2) sum = sum * z2 + 1 / k;
  return n * LN2 + 2 * z * sum;
}
