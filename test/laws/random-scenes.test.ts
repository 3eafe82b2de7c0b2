// Law: whatever is thrown together, nothing becomes infinite, falls through the floor or loses its volume for good. A dozen
// random scenes here; `npm run soak` runs a hundred for longer. On wasm only, for their number.
//
// Tolerances. Floor: particles are put onto it, single precision's rounding at the hundred metres that bodies get to is
// 1e-5 m, of the smallest bodies 3e-4 of the size; 1e-3 is below what can be seen. Volume: at those distances a position's
// rounding of 8e-6 m is 2e-4 of the smallest body's size, and the volume's a part of three times that: 1e-3 at the end. In
// the step of an impact that presses a body flat all its particles may be in contact and none left to correct with, so
// that during the run the volume is only asked to be a number. Overlap: bodies started inside each other have a second to part.

import { expect, it } from 'vitest';
import { runRandomScene } from './random-scene.js';

const SCENES = 12;
const STEPS = 200;

it.each(Array.from({ length: SCENES }, (_, n) => n + 1))('random scene %d stays sane', async (seed) => {
  const outcome = await runRandomScene(seed, STEPS);
  expect(outcome.notFinite).toBe(0);
  expect(outcome.deepest).toBeLessThan(1e-3);
  expect(outcome.volumeError).toBeLessThan(1e-3);
  expect(outcome.overlap).toBeLessThan(0.05);
});
