// The WebAssembly backend against the reference, and its own promises: volume and momentum in single precision, the same
// bits for any number of threads, no leaks.

import { afterEach, describe, expect, it } from 'vitest';
import { WasmMemory } from '../../src/backends/wasm/memory.js';
import { createWorld, duck, icosphere, prepare, surface, uvSphere, type World } from '../../src/index.js';
import { StateHash } from '../../src/math/hash.js';
import { length, subtract } from '../../src/math/vec3.js';
import { buildScene, checkScene, findScene } from '../../src/scenes/index.js';

const worlds: World[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.dispose();
});

async function scene(name: string, backend: 'wasm' | 'reference', threads = 1) {
  const built = await buildScene(checkScene(findScene(name)?.make()), { backend, threads });
  worlds.push(built.world);
  return built;
}

const hashOf = (world: World) => {
  const hash = new StateHash();
  for (const body of world.bodies) hash.update(body.positions).update(body.velocities);
  return hash.digest();
};

/** Workers join in the background; until then steps run on one thread. */
const workersJoin = () => new Promise((resolve) => setTimeout(resolve, 300));

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

  it('keeps volumes to 0.002 % at every step, and contacts resolved', async () => {
    const { world, bodies } = await scene(name, 'wasm');
    for (let step = 0; step < 200; step++) {
      world.step();
      for (const body of bodies) {
        if (!body.settings.volume) continue;
        expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(2e-5);
        expect(world.penetration(body)).toBeLessThan(1e-3 * body.prepared.volume.size);
      }
    }
  });
});

it('recovers every start state', async () => {
  const { world, bodies } = await scene('recover', 'wasm');
  for (let step = 0; step < 600; step++) world.step();
  // Volume in single precision: rounding of the positions, 1e-7 each, averaged over the surface.
  for (const body of bodies) expect(Math.abs(body.volume() / body.restVolume - 1), body.name).toBeLessThan(2e-5);
});

it('keeps the momentum of a spinning body to 1e-4 over 1000 steps', async () => {
  const world = await createWorld({ gravity: [0, 0, 0], backend: 'wasm', threads: 1 });
  worlds.push(world);
  const body = world.add(prepare(icosphere({ detail: 3 }), surface({ regionSize: 2, damping: 0 })), {
    velocity: [1, 2, -0.5],
    spin: [3, 5, -2],
  });
  const [p, l] = [body.momentum(), body.angularMomentum()];
  for (let step = 0; step < 1000; step++) world.step();
  expect(length(subtract(body.momentum(), p)) / length(p)).toBeLessThan(1e-4);
  expect(length(subtract(body.angularMomentum(), l)) / length(l)).toBeLessThan(1e-4);
});

it('gives the same bits with 1, 2 and 4 threads, for small and for large bodies', async () => {
  const small = prepare(duck({ vertices: 900 }), surface({ regionSize: 2 }));
  const large = prepare(uvSphere({ segments: 60 }), surface({ regionSize: 3 }));
  const hashes = [];
  for (const threads of [1, 2, 4]) {
    const world = await createWorld({ backend: 'wasm', threads });
    worlds.push(world);
    expect(world.capabilities.threads).toBe(threads);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    for (let n = 0; n < 3; n++) world.add(small, { position: [2 * n, 0.3, 0], velocity: [0, -2, 0], spin: [n, 1, 2] });
    world.add(large, { position: [0, 1.05, 4], velocity: [1, -4, 0] });
    await workersJoin();
    for (let step = 0; step < 60; step++) world.step();
    hashes.push(hashOf(world));
  }
  expect(hashes[1]).toBe(hashes[0]);
  expect(hashes[2]).toBe(hashes[0]);
});

it('behaves far from the origin as at the origin', async () => {
  const prepared = prepare(duck({ vertices: 500 }), surface({ regionSize: 2 }));
  const heights = [];
  for (const offset of [0, 1e4]) {
    const world = await createWorld({ backend: 'wasm', threads: 1 });
    worlds.push(world);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset });
    const body = world.add(prepared, { position: [offset, offset + 0.1, offset], velocity: [0, -2, 0] });
    for (let step = 0; step < 100; step++) world.step();
    heights.push(body.centreOfMass()[1] - offset);
    expect(Math.abs(world.penetration(body))).toBeLessThan(2e-3); // positions of 1e4 m are shown to 1e-3 m
  }
  expect(Math.abs(heights[1] - heights[0])).toBeLessThan(5e-3);
});

it('takes and gives back memory: a thousand bodies come and go in the same place', async () => {
  const world = await createWorld({ backend: 'wasm', threads: 1 });
  worlds.push(world);
  const prepared = prepare(icosphere({ detail: 1 }), surface({ regionSize: 1 }));
  const bytesAfter = (count: number) => {
    for (let n = 0; n < count; n++) {
      const body = world.add(prepared);
      world.step();
      world.remove(body);
    }
    const body = world.add(prepared);
    const { byteLength } = body.positions.buffer;
    world.remove(body);
    return byteLength;
  };
  expect(bytesAfter(1000)).toBe(bytesAfter(1));
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
