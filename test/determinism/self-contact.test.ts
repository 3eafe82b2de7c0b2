// The bits of bodies that touch themselves depend neither on what was found before, nor on who found it: a world that is taken
// from a snapshot in every step has forgotten all that is not its state, and threads take pairs as they come.

import { expect, it } from 'vitest';
import { createWorld, creature, prepare, surface } from '../../src/index.js';
import { hashOf, workersJoin } from '../threaded-world.js';

const STEPS = 30;
const prepared = prepare(creature({ vertices: 300 }), surface({ regionSize: 2, stiffness: 0.5 }));

/** The hash after every step of creatures that are thrown into a glass on top of each other: enough for threads. */
async function run(threads: number, forgets: boolean): Promise<string[]> {
  const world = await createWorld({ backend: 'wasm', threads });
  world.addCollider({ shape: 'glass', radius: 0.7, height: 4, wall: 0.1 });
  for (let n = 0; n < 16; n++) {
    const position = [0.3 * (n % 2) - 0.15, 0.2 + 0.15 * n, 0.3 * ((n >> 1) % 2) - 0.15] as const;
    world.add(prepared, { position, velocity: [0, -10, 0], spin: [n, 1, 0], selfContact: true });
  }
  if (threads > 1) await workersJoin(world);
  const hashes: string[] = [];
  for (let step = 0; step < STEPS; step++) {
    if (forgets) world.restore(world.snapshot());
    world.step();
    hashes.push(hashOf(world));
  }
  world.dispose();
  return hashes;
}

it('forgetting what is no state, and other threads, change nothing', async () => {
  const expected = await run(1, false);
  expect(await run(1, true)).toEqual(expected);
  expect(await run(3, false)).toEqual(expected);
});
