// The bits do not depend on the number of threads, nor on what else runs in the process.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { box, createWorld, prepare, surface, type World } from '../../src/index.js';
import { buildScene } from '../../src/scenes/index.js';
import { backendOf, hashOf, workersJoin } from '../threaded-world.js';
import { GOLDEN, goldenScene } from './golden-hashes.js';

// Four threads at a barrier wait for the last of them: where other processes keep the processors busy, steps take seconds.
vi.setConfig({ testTimeout: 300_000 });

const worlds: World[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.dispose();
});

/** A world in which all threads are there from the first step on. */
async function open(name: string, threads: number): Promise<World> {
  const { world } = await buildScene(goldenScene(name), { backend: 'wasm', threads });
  worlds.push(world);
  expect(world.capabilities).toEqual({ backend: 'wasm', threads, precision: 'single' });
  if (threads > 1) await workersJoin(world);
  return world;
}

/** Every step was threaded, or none. */
const expectThreads = (world: World): void => {
  expect(backendOf(world).threadedSteps).toBe(world.capabilities.threads > 1 ? world.stepCount : 0);
};

describe.each(['large and small', 'squeeze'])('%s', (name) => {
  const { steps, wasm } = GOLDEN[name];

  it.each([1, 2, 4])('runs to the recorded bits with %i threads', async (threads) => {
    const world = await open(name, threads);
    for (let step = 0; step < steps; step++) world.step();
    expectThreads(world);
    expect(hashOf(world)).toBe(wasm);
  });
});

it('large bodies run to the same bits, shared by all threads or taken whole', async () => {
  const prepared = prepare(box({ divisions: 20 }), surface({ regionSize: 2 }));
  const hashes: string[] = [];
  // Five of them are enough for each of two threads to take some whole; four threads work on each together.
  for (const threads of [1, 2, 4]) {
    const world = await createWorld({ backend: 'wasm', threads });
    worlds.push(world);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    for (let n = 0; n < 5; n++) world.add(prepared, { position: [0.1 * n, 0.5 + 0.9 * n, 0], velocity: [0, -5, 0] });
    if (threads > 1) await workersJoin(world);
    for (let step = 0; step < 20; step++) world.step();
    expectThreads(world);
    hashes.push(hashOf(world));
  }
  expect(hashes).toEqual([hashes[0], hashes[0], hashes[0]]);
});

it('worlds that step in turns, with other numbers of threads, do not see each other', async () => {
  const names = ['large and small', 'squeeze', 'large and small'];
  const together = [await open(names[0], 2), await open(names[1], 4), await open(names[2], 1)];
  for (let step = 0; step < 40; step++) for (const world of together) world.step();
  together.forEach((world, n) => {
    expectThreads(world);
    expect(hashOf(world)).toBe(GOLDEN[names[n]].wasm);
  });
});

it('workers that join while the world runs change nothing', async () => {
  const { steps, wasm } = GOLDEN['large and small'];
  const { world } = await buildScene(goldenScene('large and small'), { backend: 'wasm', threads: 3 });
  worlds.push(world);
  for (let step = 0; step < 10; step++) world.step();
  await workersJoin(world);
  for (let step = 10; step < steps; step++) world.step();
  expect(backendOf(world).threadedSteps).toBeGreaterThanOrEqual(steps - 10);
  expect(hashOf(world)).toBe(wasm);
});
