// What `auto` chooses: WebAssembly wherever it runs, the reference elsewhere. `capabilities` tells.

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

  it('stays what it is for bodies without kernels, which live beside the others', async () => {
    const world = await createWorld({ gravity: [0, -8, 0], threads: 1 });
    const body = world.add(carried);
    world.add(ball, { position: [3, 0, 0] });
    world.step();
    expect(world.capabilities).toEqual({ backend: 'wasm', threads: 1, precision: 'single' });
    // One step of free fall: −8 m/s² · 5 ms, in single precision.
    expect(Math.abs(body.momentum()[1] / body.mass + 0.04)).toBeLessThan(1e-7);
    expect(body.positions).toBeInstanceOf(Float32Array);
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

  it.each([0, 1.5, -1, 17, Number.NaN])('refuses %d threads by name', async (threads) => {
    await expect(createWorld({ threads })).rejects.toThrow(`threads: expected an integer from 1 to 16, got ${threads}`);
  });
});

describe('a named backend', () => {
  it('is what it is, from the start', async () => {
    const world = await createWorld({ backend: 'reference', threads: 4 });
    expect(world.capabilities).toEqual({ backend: 'reference', threads: 1, precision: 'double' });
  });
});

describe('a scene', () => {
  const body = (type: 'surface' | 'lattice'): SceneFile['bodies'][number] => ({
    mesh: { shape: 'box', divisions: 2 },
    solver: { type },
  });
  const scene = (...types: ('surface' | 'lattice')[]) => checkScene({ isochore: 1, bodies: types.map(body) });

  it('runs on WebAssembly, whatever its solvers', async () => {
    for (const types of [['surface'], ['lattice'], ['surface', 'lattice']] as const) {
      const { world, bodies } = await buildScene(scene(...types), { backend: 'auto' });
      expect(world.capabilities.backend).toBe('wasm');
      expect(bodies.length).toBe(types.length);
    }
  });
});
