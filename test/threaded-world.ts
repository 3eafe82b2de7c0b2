// Worlds whose other threads are known to take part, for tests about threads.

import type { WasmBackend } from '../src/backends/wasm/wasm-backend.js';
import type { World } from '../src/index.js';
import { StateHash } from '../src/math/hash.js';
import { partsOf } from '../src/world/world-parts.js';

/** A world's backend, to ask what users need not know. */
export const backendOf = (world: World): WasmBackend => partsOf(world).backend as WasmBackend;

/**
 * Waits until the workers of a world have joined: they do so in the background, and until then there is one thread. From then on
 * all threads take part in every step, however long it takes.
 */
export async function workersJoin(world: World): Promise<void> {
  backendOf(world).choice.usesAll = true;
  const start = performance.now();
  while (!backendOf(world).workersReady) {
    if (performance.now() - start > 50_000) throw new Error('no workers joined within 50 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Of all positions. */
export function hashOf(world: World): string {
  const hash = new StateHash();
  for (const body of world.bodies) hash.update(body.positions);
  return hash.digest();
}
