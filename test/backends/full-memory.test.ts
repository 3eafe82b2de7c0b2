// What there is no room for in the kernels' memory is refused in one line, and nothing of it stays behind.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { WasmMemory } from '../../src/backends/wasm/memory.js';
import { inlinedModule } from '../../src/backends/wasm/modules.js';
import { WasmBackend } from '../../src/backends/wasm/wasm-backend.js';
import { box, createWorld, icosphere, prepare, surface } from '../../src/index.js';
import { buildScene, checkScene } from '../../src/scenes/index.js';
import { Pipeline } from '../../src/world/pipeline.js';
import { backendOf } from '../threaded-world.js';

/** 64 KiB each: 8 MiB in all, twice what a world begins with. */
const PAGES = 128;
const prepared = prepare(icosphere({ detail: 3 }), surface({ regionSize: 1 }));
/** 4058 particles, for whose rest data alone there is no room beside a few others. */
const large = prepare(box({ divisions: 26 }), surface({ regionSize: 1 }));
const REFUSED = /^memory: expected room for a body of \d+ particles, got \d+ MB of 8 in use and no more to be had$/;

const input = { gravity: [0, -9.81, 0] as const, time: 0, timeStep: 0.005, colliders: [], joints: [] };

async function smallBackend(): Promise<WasmBackend> {
  const memory = new WebAssembly.Memory({ initial: 64, maximum: PAGES });
  return new WasmBackend(await inlinedModule(false), new WasmMemory(memory), 1);
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a body for which there is no room', () => {
  it.each([
    ['a copy', prepared],
    ['one of another kind', large],
  ])('is refused in one line, and takes nothing: %s', async (_, refused) => {
    const backend = await smallBackend();
    const bodies = [backend.add(prepared, 1000)];
    const each = backend.memoryUsed;
    const attempt = () => {
      for (let n = 0; n < 100; n++) bodies.push(backend.add(prepared, 1000));
    };
    expect(attempt).toThrow(REFUSED);
    const full = backend.memoryUsed;
    for (let n = 0; n < 50; n++) expect(() => backend.add(refused, 1000)).toThrow(REFUSED);
    expect(backend.memoryUsed).toBe(full);
    // What others give back is there for the next.
    for (const body of bodies.splice(1)) backend.remove(body);
    expect(backend.memoryUsed).toBe(each);
    backend.add(prepared, 1000);
    new Pipeline(backend).step(input);
  });
});

describe('on a machine with less memory', () => {
  const limit = () => {
    const { Memory } = WebAssembly;
    vi.spyOn(WebAssembly, 'Memory').mockImplementation(function limited(descriptor) {
      return new Memory({ ...descriptor, maximum: PAGES });
    });
  };

  it('a scene is refused with the place of the body', async () => {
    limit();
    const bodies = Array.from({ length: 8 }, (_, n) => ({
      mesh: { shape: 'box' as const, divisions: 20 },
      position: [2 * n, 0, 0] as [number, number, number],
    }));
    const refused = buildScene(checkScene({ isochore: 1, bodies }), { backend: 'wasm', threads: 1 });
    await expect(refused).rejects.toThrow(/^bodies\[\d\]: memory: expected room for a body of 2402 particles, got/);
  });

  it('contact that finds no room is refused by the step, and goes on when there is some', async () => {
    limit();
    const world = await createWorld({ backend: 'wasm', threads: 1 });
    const first = world.add(prepared);
    const others = [];
    expect(() => {
      for (let n = 1; n < 100; n++) others.push(world.add(prepared, { position: [0.02 * n, 0, 0] }));
    }).toThrow(REFUSED);
    const full = backendOf(world).memoryUsed;
    expect(() => world.step()).toThrow(/^memory: expected room for contact between \d+ bodies, got/);
    expect(backendOf(world).memoryUsed).toBeLessThanOrEqual(full + 1e5);
    for (const body of world.bodies.slice(3)) world.remove(body);
    world.step();
    expect(first.positions.every(Number.isFinite)).toBe(true);
  });
});
