// A thousand random scenes of 500 steps: what test/laws/random-scenes.test.ts does, for longer.

import { expect, it } from 'vitest';
import { runRandomScene } from '../laws/random-scene.js';
import { tally } from './tally.js';

const SCENES = 1000;
const STEPS = 500;
const HOUR = 3_600_000;

const test = async (seed: number) => {
  const outcome = await runRandomScene(seed, STEPS);
  console.log(JSON.stringify(outcome));
  tally('random scenes', 1);
  expect(outcome.notFinite).toBe(0);
  expect(outcome.deepest).toBeLessThan(1e-3);
  expect(outcome.volumeError).toBeLessThan(1e-3);
  expect(outcome.overlap).toBeLessThan(0.05);
};
it.each(Array.from({ length: SCENES }, (_, n) => 1001 + n))('random scene %d stays sane', test, HOUR);
