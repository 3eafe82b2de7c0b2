// Pairs of near points against a look at all pairs: points of like reach, of very different ones, far apart, and some that are not finite.

import { expect, it } from 'vitest';
import { forEachNear } from '../../src/contact/broad-phase/near-points.js';
import { seededRandom } from '../../src/math/random.js';

const STRIDE = 6;

it.each([
  ['alike', 300, () => 0.5],
  ['of different sizes', 300, (random: () => number) => 0.1 * 100 ** random()],
  ['alike but for a few', 200, (random: () => number) => (random() < 0.05 ? 20 : 0.3)],
  ['one', 1, () => 1],
  ['none', 0, () => 1],
] as const)('finds what is near, each pair once: points %s', (_, count, reachOf) => {
  const random = seededRandom(7);
  const points = new Float64Array(STRIDE * count).map(() => 12 * (random() - 0.5));
  // Beyond where places of cells repeat, and nowhere.
  if (count > 100) {
    for (let n = 0; n < 20; n++) points[STRIDE * n] += 1e4;
    points[STRIDE * 30 + 1] = Number.NaN;
  }
  const reaches = new Float64Array(count + 3).map(() => reachOf(random));
  const name = (i: number, j: number) => `${Math.min(i, j)} ${Math.max(i, j)}`;
  const expected: string[] = [];
  for (let j = 0; j < count; j++) {
    for (let i = 0; i < j; i++) {
      const isNear = [0, 1, 2].every(
        (c) => Math.abs(points[STRIDE * i + c] - points[STRIDE * j + c]) <= reaches[i] + reaches[j],
      );
      if (isNear) expected.push(name(i, j));
    }
  }
  const found: string[] = [];
  forEachNear(points, STRIDE, reaches, count, (i, j) => found.push(name(i, j)));
  expect(found.sort()).toEqual(expected.sort());
  if (count > 1) expect(found.length).toBeGreaterThan(50);
});
