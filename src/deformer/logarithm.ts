// The natural logarithm to the same bits everywhere: engines give Math.log a last bit of their own.

/** ln 2 in two parts, the first short enough to be multiplied by an exponent without rounding. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

const bytes = new DataView(new ArrayBuffer(8));

/** ln x for a normal positive x, to some three roundings: x = m·2ⁿ with m near 1, then the series of 2 artanh((m − 1)/(m + 1)). */
export function logarithm(x: number): number {
  bytes.setFloat64(0, x);
  const high = bytes.getUint32(0);
  let exponent = (high >>> 20) - 1023;
  bytes.setUint32(0, (high & 0xfffff) | 0x3ff00000);
  let m = bytes.getFloat64(0);
  if (m > Math.SQRT2) {
    m /= 2;
    exponent++;
  }
  const s = (m - 1) / (m + 1);
  // |s| ≤ 0.172: the first term left out, s²³/23, is below 1e-18.
  const q = s * s;
  const far = 1 / 13 + q * (1 / 15 + q * (1 / 17 + q * (1 / 19 + q * (1 / 21))));
  const near = 1 / 3 + q * (1 / 5 + q * (1 / 7 + q * (1 / 9 + q * (1 / 11 + q * far))));
  return exponent * LN2_HIGH + (exponent * LN2_LOW + 2 * s * (1 + q * near));
}
