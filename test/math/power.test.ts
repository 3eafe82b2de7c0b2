// Powers from square roots, against Math.pow.

import { describe, expect, it } from 'vitest';
import { power } from '../../src/math/power.js';

describe('power', () => {
  // A root is off by at most one rounding, and at most 53 of them are multiplied: 106 roundings of 1.1e-16.
  it.each([0.001, 0.1, 0.3, 0.5, 0.7, 0.999999, 1, 1.5, 40])('of %s is what Math.pow gives', (base) => {
    for (const exponent of [1e-12, 0.02, 0.1, 0.2, 1 / 3, 0.4, 0.8333333333333334, 0.9999999, 1.0000000001, 2.75, 7]) {
      const expected = base ** exponent;
      expect(Math.abs(power(base, exponent) - expected) / expected, `${exponent}`).toBeLessThan(1.2e-14);
    }
  });

  it('is exact where it can be', () => {
    for (const base of [0, 0.3, 0.7, 1, 3]) {
      expect(power(base, 0)).toBe(1);
      expect(power(base, 1)).toBe(base);
      expect(power(base, 2)).toBe(base * base);
      expect(power(base, 0.5)).toBe(Math.sqrt(base));
    }
    expect(power(0, 0.3)).toBe(0);
    expect(power(1, 0.3)).toBe(1);
  });
});
