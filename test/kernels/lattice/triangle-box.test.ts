// Triangle against box: separating axes against clipping the triangle by the box's six sides.

import { expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { triangleMeetsBox } from '../../../src/solvers/lattice/triangle-box.js';

/** Whether anything is left of the triangle inside the box (Sutherland and Hodgman). */
function clipsToSomething(triangle: readonly (readonly number[])[], centre: readonly number[], half: number): boolean {
  let polygon = triangle.map((p) => [...p]);
  for (let k = 0; k < 3; k++) {
    for (const sign of [-1, 1]) {
      const depth = (p: readonly number[]) => half - sign * (p[k] - centre[k]);
      const clipped: number[][] = [];
      polygon.forEach((p, i) => {
        const q = polygon[(i + 1) % polygon.length];
        const [dp, dq] = [depth(p), depth(q)];
        if (dp >= 0) clipped.push(p);
        if (dp * dq < 0) clipped.push(p.map((x, c) => x + (dp / (dp - dq)) * (q[c] - x)));
      });
      polygon = clipped;
    }
  }
  return polygon.length > 0;
}

it('agrees with clipping on 20 000 triangles of all sizes', () => {
  const random = seededRandom(4);
  let meetings = 0;
  for (let n = 0; n < 20_000; n++) {
    const centre = [random(), random(), random()] as const;
    const size = 3 ** (4 * random() - 2);
    const middle = centre.map((c) => c + 2 * (random() - 0.5));
    const triangle = [0, 1, 2].map(() => middle.map((m) => m + size * (random() - 0.5)));
    const expected = clipsToSomething(triangle, centre, 0.5);
    meetings += expected ? 1 : 0;
    expect(triangleMeetsBox(triangle.flat(), 0, 1, 2, centre, 0.5)).toBe(expected);
  }
  expect(meetings).toBeGreaterThan(5000);
  expect(meetings).toBeLessThan(15_000);
});

it.each<[string, number[], boolean]>([
  ['a triangle around the whole box', [-9, -9, 0, 9, -9, 0, 0, 9, 0], true],
  ['a triangle within the box', [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1], true],
  ['a plane past a corner', [3, 0, 0, 0, 3, 0, 0, 0, 3], false],
  ['a plane through a corner region', [1.4, 0, 0, 0, 1.4, 0, 0, 0, 1.4], true],
  ['a line through the box', [-2, 0, 0, 2, 0, 0, 2, 0, 0], true],
  ['a line beside an edge', [2, -0.9, 0, -0.9, 2, 0, -0.9, 2, 0], false],
])('knows %s', (_, positions, meets) => {
  expect(triangleMeetsBox(positions, 0, 1, 2, [0, 0, 0], 0.5)).toBe(meets);
});
