// Five hundred random worlds for longer than test/determinism/random-worlds.test.ts: on one thread, on one that forgets, and on
// two to four threads, every other one beside a process that keeps a processor busy. All run to the same bits.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Neighbour } from '../../bench/neighbour.js';
import { runRandomWorld } from '../determinism/random-world.js';

const WORLDS = 500;
const STEPS = 80;
const HOUR = 3_600_000;

let neighbour: Neighbour;
beforeAll(() => {
  neighbour = new Neighbour();
});
afterAll(() => neighbour.dispose());

const test = async (seed: number) => {
  await neighbour.set(seed % 2 === 0);
  const expected = await runRandomWorld(seed, STEPS, { threads: 1 });
  expect(await runRandomWorld(seed, STEPS, { threads: 1, forgets: seed })).toEqual(expected);
  const threads = 2 + (seed % 3);
  expect(await runRandomWorld(seed, STEPS, { threads })).toEqual(expected);
  expect(await runRandomWorld(seed, STEPS, { threads, forgets: seed + 1 })).toEqual(expected);
};
it.each(Array.from({ length: WORLDS }, (_, n) => 2001 + n))('random world %d runs to the same bits', test, HOUR);
