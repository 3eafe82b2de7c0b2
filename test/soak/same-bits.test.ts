// Five hundred random worlds, half as long again as those of test/determinism/random-worlds.test.ts: on one thread, on one that forgets, and
// on two to four threads that forget at other times, every other world beside a process that keeps a processor busy. All run to the
// same bits. Worlds are dense from their first step, so that a few steps have all that could differ: contact of bodies with each other and
// themselves, more contacts than there is room for, bodies that come, go and are pushed. Some 1.5 s of one processor each.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Neighbour } from '../../bench/neighbour.js';
import { runRandomWorld } from '../determinism/random-world.js';
import { tally } from './tally.js';

const WORLDS = 500;
const STEPS = 24;

let neighbour: Neighbour;
beforeAll(() => {
  neighbour = new Neighbour();
});
afterAll(() => neighbour.dispose());

it.each(Array.from({ length: WORLDS }, (_, n) => 2001 + n))('random world %d runs to the same bits', async (seed) => {
  await neighbour.set(seed % 2 === 0);
  const expected = await runRandomWorld(seed, STEPS, { threads: 1 });
  expect(await runRandomWorld(seed, STEPS, { threads: 1, forgets: seed })).toEqual(expected);
  expect(await runRandomWorld(seed, STEPS, { threads: 2 + (seed % 3), forgets: seed + 1 })).toEqual(expected);
  tally('random worlds with the same bits', 1);
});
