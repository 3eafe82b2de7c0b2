// Steps that find more contacts than there is room for: the same pairs are left out whatever the threads, and nothing that lies
// outside of the room counts.

import { expect, it } from 'vitest';
import type { ContactRoom } from '../../src/backends/wasm/contact-room.js';
import * as layout from '../../src/backends/wasm/layout.js';
import type { WasmMemory } from '../../src/backends/wasm/memory.js';
import { createWorld, icosphere, prepare, surface, type World } from '../../src/index.js';
import { backendOf, hashOf, workersJoin } from '../threaded-world.js';

const STEPS = 3;
const prepared = prepare(icosphere({ detail: 3 }), surface({ regionSize: 2 }));

interface Inside {
  readonly room: ContactRoom;
  readonly memory: WasmMemory;
  readonly world: number;
}
const insideOf = (world: World) => backendOf(world) as unknown as Inside;

/** Fills what is free of the kernels' memory with numbers that lead far outside of it where they are taken for addresses. */
function litter(world: World): void {
  const { memory } = insideOf(world);
  const { free } = memory as unknown as { free: { address: number; bytes: number }[] };
  for (const { address, bytes } of free) memory.bytes(address, bytes).fill(0x7f);
}

/** Contacts that the last step found, and those that there is room for. */
function contacts(world: World): { found: number; room: number } {
  const { room, memory, world: record } = insideOf(world);
  const found = memory.integer(record + layout.WORLD_CONTACT_COUNT);
  return { found, room: (room.capture() as { contacts: number }).contacts };
}

/**
 * Balls that lie deep in each other at the end of the list of pairs: they are looked at first. After a step a crowd of others is
 * put before them, all in each other, with more contacts than a world of so many particles has room for at first.
 */
async function run(threads: number, littered: boolean) {
  const world = await createWorld({ backend: 'wasm', threads });
  for (let n = 0; n < 4; n++) world.add(prepared, { position: [10 + 0.4 * n, 0.1 * n, 0] });
  world.step();
  for (let n = 0; n < 12; n++) world.add(prepared, { position: [0.13 * n, 0.03 * (n % 3), 0.05 * (n % 2)] });
  if (threads > 1) await workersJoin(world);
  const hashes: string[] = [];
  const found: { found: number; room: number }[] = [];
  for (let step = 0; step < STEPS; step++) {
    if (littered) litter(world);
    world.step();
    found.push(contacts(world));
    hashes.push(hashOf(world));
  }
  world.dispose();
  return { hashes, found };
}

it('leaves out the same contacts on any number of threads, and reads nothing outside of its room', async () => {
  const expected = await run(1, false);
  expect(expected.found[0].found).toBeGreaterThan(expected.found[0].room);
  expect(expected.found[1].found).toBeLessThanOrEqual(expected.found[1].room);
  expect(await run(1, true)).toEqual(expected);
  for (const threads of [2, 3, 4]) expect(await run(threads, true)).toEqual(expected);
});
