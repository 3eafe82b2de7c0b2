// Seeded random numbers: the published sequence of mulberry32, and the moments of a uniform distribution.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';

describe('seededRandom', () => {
  it('starts with mulberry32’s known number', () => {
    expect(seededRandom(42)()).toBe(0.6011037519201636);
    expect(seededRandom(0)()).toBe(0.26642920868471265);
  });

  it('repeats with the seed and differs between seeds', () => {
    const take = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    expect(take(7)).toEqual(take(7));
    expect(new Set([1, 2, 3, 4, 5].flatMap(take)).size).toBe(25);
  });

  it('is uniform in [0, 1)', () => {
    const random = seededRandom(9);
    const n = 100_000;
    let [sum, square, low, high] = [0, 0, 1, 0];
    const bins = new Array(10).fill(0);
    for (let k = 0; k < n; k++) {
      const x = random();
      sum += x;
      square += x * x;
      low = Math.min(low, x);
      high = Math.max(high, x);
      bins[Math.floor(10 * x)]++;
    }
    expect(low).toBeGreaterThanOrEqual(0);
    expect(high).toBeLessThan(1);
    // Five standard deviations of the mean of n uniform numbers, of their squares and of a bin's count.
    expect(Math.abs(sum / n - 1 / 2)).toBeLessThan(5 * Math.sqrt(1 / 12 / n));
    expect(Math.abs(square / n - 1 / 3)).toBeLessThan(5 * Math.sqrt(4 / 45 / n));
    for (const count of bins) expect(Math.abs(count - n / 10)).toBeLessThan(5 * Math.sqrt(n * 0.09));
  });
});
