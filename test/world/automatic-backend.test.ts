// What `auto` chooses: WebAssembly wherever it runs, and the reference for what it cannot run. `capabilities` tells.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWorld, icosphere, lattice, prepare, surface, UnsupportedBackendError } from '../../src/index.js';
import { buildScene, checkScene, type SceneFile } from '../../src/scenes/index.js';

const ball = prepare(icosphere({ detail: 1 }), surface({ regionSize: 1 }));
const carried = prepare(icosphere({ detail: 1 }), lattice({ resolution: 4, regionSize: 1 }));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('auto', () => {
  it.each([undefined, 'auto'] as const)('(given as %s) is WebAssembly where there is SIMD', async (backend) => {
    const world = await createWorld({ backend, threads: 1 });
    expect(world.capabilities).toEqual({ backend: 'wasm', threads: 1, precision: 'single' });
    const body = world.add(ball);
    world.step();
    expect(body.positions).toBeInstanceOf(Float32Array);
  });

  it('becomes the reference when the first body is a lattice', async () => {
    const world = await createWorld({ gravity: [0, -8, 0] });
    world.step();
    const body = world.add(carried);
    expect(world.capabilities).toEqual({ backend: 'reference', threads: 1, precision: 'double' });
    world.step();
    expect(world.stepCount).toBe(2);
    // One step of free fall under the world's own gravity: −8 m/s² · 5 ms.
    expect(Math.abs(body.momentum()[1] / body.mass + 0.04)).toBeLessThan(1e-12);
    world.add(ball);
    world.step();
    expect(world.capabilities.backend).toBe('reference');
  });

  it('refuses a lattice beside bodies that it already runs on WebAssembly, and says what to do', async () => {
    const world = await createWorld();
    const first = world.add(ball);
    const message =
      "solver: expected surface on the wasm backend, got lattice; worlds with backend: 'reference' take both";
    expect(() => world.add(carried)).toThrow(RangeError);
    expect(() => world.add(carried)).toThrow(message);
    expect(world.bodies).toEqual([first]);
    world.step();
    expect(first.momentum()[1]).toBeLessThan(0);
    // Once it is empty again it may choose anew.
    world.remove(first);
    world.add(carried);
    expect(world.capabilities.backend).toBe('reference');
  });

  it('is the reference where WebAssembly has no SIMD', async () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    const world = await createWorld();
    expect(world.capabilities).toEqual({ backend: 'reference', threads: 1, precision: 'double' });
    await expect(createWorld({ backend: 'wasm' })).rejects.toThrow(UnsupportedBackendError);
  });

  it('is the reference where a page may not compile WebAssembly', async () => {
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new WebAssembly.CompileError('refused by a policy'));
    // Compiled modules are kept; a page under such a policy never had one.
    vi.resetModules();
    const fresh = await import('../../src/index.js');
    expect((await fresh.createWorld()).capabilities.backend).toBe('reference');
    await expect(fresh.createWorld({ backend: 'wasm' })).rejects.toThrow(WebAssembly.CompileError);
    // Kernels that the user brings are meant to work.
    await expect(fresh.createWorld({ kernels: new Uint8Array(8) })).rejects.toThrow('kernels: expected');
  });

  it.each([0, 1.5, -1, Number.NaN])('refuses %d threads by name', async (threads) => {
    await expect(createWorld({ threads })).rejects.toThrow(`threads: expected an integer from 1, got ${threads}`);
  });
});

describe('a named backend', () => {
  it('is what it is, from the start', async () => {
    const world = await createWorld({ backend: 'reference', threads: 4 });
    expect(world.capabilities).toEqual({ backend: 'reference', threads: 1, precision: 'double' });
  });

  it('does not change for a lattice', async () => {
    const world = await createWorld({ backend: 'wasm' });
    expect(() => world.add(carried)).toThrow(RangeError);
    expect(world.capabilities.backend).toBe('wasm');
  });
});

describe('a scene', () => {
  const body = (type: 'surface' | 'lattice'): SceneFile['bodies'][number] => ({
    mesh: { shape: 'box', divisions: 2 },
    solver: { type },
  });
  const scene = (...types: ('surface' | 'lattice')[]) => checkScene({ isochore: 1, bodies: types.map(body) });

  it('runs on WebAssembly, or on the reference when any of its bodies is a lattice', async () => {
    expect((await buildScene(scene('surface'))).world.capabilities.backend).toBe('wasm');
    for (const types of [['lattice'], ['surface', 'lattice']] as const) {
      const { world, bodies } = await buildScene(scene(...types), { backend: 'auto' });
      expect(world.capabilities.backend).toBe('reference');
      expect(bodies.length).toBe(types.length);
    }
  });

  it('with a lattice is refused on WebAssembly by the place of the body', async () => {
    await expect(buildScene(scene('surface', 'lattice'), { backend: 'wasm' })).rejects.toThrow(
      'bodies[1].solver.type: expected "surface" on the backend wasm, got "lattice" (which auto and reference run)',
    );
  });
});
