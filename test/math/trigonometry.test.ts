// Our own sine, cosine and arc cosine against the engine's, which are right to an ulp, and against exact values.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';
import { arcCosine, arcTangent, cosine, sine } from '../../src/math/trigonometry.js';

/** Two ulps of a number of order 1: one of theirs, one of ours. */
const ULPS = 2 ** -51;
const random = seededRandom(3);

describe('sine and cosine', () => {
  it('are those of the engine to an ulp, for angles small and large, of either sign', () => {
    for (let n = 0; n < 20_000; n++) {
      const x = (random() - 0.5) * 10 ** (8 * random() - 3);
      // Beyond 2π the angle's own rounding does not count: it is the same number for both.
      expect(Math.abs(sine(x) - Math.sin(x))).toBeLessThan(ULPS);
      expect(Math.abs(cosine(x) - Math.cos(x))).toBeLessThan(ULPS);
    }
  });

  it('keep relative accuracy where the sine is small', () => {
    for (const x of [1e-300, 1e-20, 1e-8, 1e-3, 0.01]) {
      expect(Math.abs(sine(x) / Math.sin(x) - 1)).toBeLessThan(ULPS);
      expect(Math.abs(sine(Math.PI + x) / Math.sin(Math.PI + x) - 1)).toBeLessThan(ULPS);
    }
  });

  it('are exact where they are known', () => {
    expect([sine(0), cosine(0), sine(Math.PI / 2), cosine(Math.PI)]).toEqual([0, 1, 1, -1]);
    expect(Math.abs(sine(Math.PI / 6) - 0.5)).toBeLessThan(ULPS);
    for (let n = 0; n < 100; n++) {
      const x = 20 * (random() - 0.5);
      expect(sine(-x)).toBe(-sine(x));
      expect(cosine(-x)).toBe(cosine(x));
      expect(Math.abs(sine(x) ** 2 + cosine(x) ** 2 - 1)).toBeLessThan(2 * ULPS);
    }
  });

  it('have the bits they always had', () => {
    // Every engine must give these numbers.
    expect([sine(1), cosine(1), sine(100), cosine(-12345.678)]).toEqual([
      0.8414709848078965, 0.5403023058681398, -0.5063656411097588, 0.7101193587160628,
    ]);
    expect([arcCosine(0.1), arcCosine(0.9), arcCosine(-0.5)]).toEqual([
      1.4706289056333366, 0.45102681179626236, 2.0943951023931953,
    ]);
  });
});

describe('the arc cosine', () => {
  it('is that of the engine', () => {
    for (let n = 0; n < 20_000; n++) {
      const x = 2 * random() - 1;
      // The half angle's square root and twice an arc sine: a few ulps of numbers up to π.
      expect(Math.abs(arcCosine(x) - Math.acos(x))).toBeLessThan(4 * ULPS);
    }
  });

  it('takes what is beyond ±1 by rounding', () => {
    expect(arcCosine(1 + 1e-15)).toBe(0);
    expect(arcCosine(1)).toBe(0);
    expect(Math.abs(arcCosine(-1) - Math.PI)).toBeLessThan(ULPS);
    expect(Math.abs(arcCosine(-1 - 1e-15) - Math.PI)).toBeLessThan(ULPS);
  });
});

describe('the arc tangent', () => {
  it('is that of the engine, in all quadrants and near the axes', () => {
    for (let n = 0; n < 20_000; n++) {
      const [x, y] = [(random() - 0.5) * 10 ** (6 * random() - 3), (random() - 0.5) * 10 ** (6 * random() - 3)];
      // Sums of two numbers up to π.
      expect(Math.abs(arcTangent(y, x) - Math.atan2(y, x))).toBeLessThan(4 * ULPS);
    }
    for (const [y, x] of [
      [0, 1],
      [1, 0],
      [-1, 0],
      [1e-300, 1],
      [1, -1],
      [-1, -1],
      [0, 0],
    ]) {
      expect(Math.abs(arcTangent(y, x) - Math.atan2(y, x))).toBeLessThan(ULPS);
    }
    expect(Math.abs(Math.abs(arcTangent(0, -1)) - Math.PI)).toBeLessThan(2 * ULPS);
  });

  it('has the bits it always had', () => {
    expect([arcTangent(1, 3), arcTangent(-2, -1), arcTangent(0.1, 0.7)]).toEqual([
      0.3217505543966422, -2.0344439357957027, 0.14189705460416394,
    ]);
  });
});
