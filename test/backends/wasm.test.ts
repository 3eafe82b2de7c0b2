// The WebAssembly backend against the reference, contacts and volume at every step, and its memory.

import { afterEach, describe, expect, it } from 'vitest';
import { WasmMemory } from '../../src/backends/wasm/memory.js';
import type { World } from '../../src/index.js';
import { buildScene, checkScene, findScene } from '../../src/scenes/index.js';
import { VOLUME_TOLERANCE } from '../both-backends.js';

const worlds: World[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.dispose();
});

async function scene(name: string, backend: 'wasm' | 'reference', threads = 1) {
  const built = await buildScene(checkScene(findScene(name)?.make()), { backend, threads });
  worlds.push(built.world);
  return built;
}

describe.each(['squeeze', 'twist', 'stairs'])('%s', (name) => {
  it('stays within a thousandth of the body of the reference after 50 steps', async () => {
    const { world, bodies } = await scene(name, 'wasm');
    const { world: reference, bodies: expected } = await scene(name, 'reference');
    for (let step = 0; step < 50; step++) {
      world.step();
      reference.step();
    }
    expect(world.capabilities).toEqual({ backend: 'wasm', threads: 1, precision: 'single' });
    for (const [index, body] of bodies.entries()) {
      const other = expected[index].positions;
      const worst = Float64Array.from(body.positions).reduce((most, x, k) => Math.max(most, Math.abs(x - other[k])), 0);
      expect(worst / body.prepared.volume.size, body.name).toBeLessThan(1e-3);
    }
  });

  it('keeps volumes at every step, and contacts resolved', async () => {
    const { world, bodies } = await scene(name, 'wasm');
    for (let step = 0; step < 200; step++) {
      world.step();
      for (const body of bodies) {
        if (!body.settings.volume) continue;
        expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(VOLUME_TOLERANCE.wasm);
        expect(world.penetration(body)).toBeLessThan(1e-3 * body.prepared.volume.size);
      }
    }
  });
});

describe('memory', () => {
  it('hands out zeroed blocks that do not overlap, and joins what comes back', () => {
    const memory = new WasmMemory(new WebAssembly.Memory({ initial: 1 }));
    const blocks = [100, 1, 70000, 64, 3000].map((bytes) => ({ bytes, address: memory.allocate(bytes) }));
    for (const { address, bytes } of blocks) {
      expect(memory.bytes(address, bytes).every((byte) => byte === 0)).toBe(true);
      memory.bytes(address, bytes).fill(address % 251 || 1);
    }
    for (const { address, bytes } of blocks) {
      expect(memory.bytes(address, bytes).every((byte) => byte === (address % 251 || 1))).toBe(true);
    }
    for (const { address } of blocks) memory.release(address);
    expect(memory.used).toBe(0);
    expect(memory.allocate(100)).toBe(blocks[0].address);
  });
});
