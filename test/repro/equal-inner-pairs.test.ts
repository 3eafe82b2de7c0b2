// All inner pairs of a sphere are as long as each other up to rounding; spreading that rounding over depths 0…1 made the
// weights, and the motion, depend on the unit of length.

import { expect, it } from 'vitest';
import { icosphere, prepare } from '../../src/index.js';

it.each([1, 1000, 1e-3])('gives the pairs of a sphere one depth, in units of %d', (unit) => {
  const sphere = icosphere({ detail: 2 });
  const { depths } = prepare({ ...sphere, positions: sphere.positions.map((x) => unit * x) }).volume.pairs;
  expect(new Set(depths).size).toBe(1);
});
