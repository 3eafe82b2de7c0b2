// The same bits whatever the threads and whatever was forgotten on the way, in a dozen random worlds; `npm run soak` has five
// hundred, some of them beside a busy process.

import { expect, it } from 'vitest';
import { runRandomWorld } from './random-world.js';

const WORLDS = 12;
const STEPS = 16;

it.each(Array.from({ length: WORLDS }, (_, n) => n + 1))('random world %d runs to the same bits', async (seed) => {
  const expected = await runRandomWorld(seed, STEPS, { threads: 1 });
  expect(await runRandomWorld(seed, STEPS, { threads: 2 + (seed % 3), forgets: seed })).toEqual(expected);
});
