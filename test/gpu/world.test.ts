// A world on the GPU as its user sees it: handles, settings, snapshots, what is refused, what happens when the device is lost; and what a
// step costs.

import { describe, expect } from 'vitest';
import { CHUNK } from '../../src/backends/webgpu/layout.js';
import { STEP_PLAN, VOLUME_ROUNDS } from '../../src/backends/webgpu/step-plan.js';
import type { GpuCounters, WebGpuBackend } from '../../src/backends/webgpu/webgpu-backend.js';
import { createWorld, lattice, prepare, surface, type World } from '../../src/index.js';
import { box, icosphere } from '../../src/mesh/index.js';
import { partsOf } from '../../src/world/world-parts.js';
import { gpuTests, gpuWorld, requestDevice, testDevice } from './gpu-world.js';

const gpuIt = gpuTests(15);

// One chunk each: software adapters take a millisecond for every chunk and dispatch.
const ball = prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionSize: 2 }));

async function advance(world: World, steps: number): Promise<void> {
  for (let n = 0; n < steps; n++) {
    world.step();
    await world.sync();
  }
}

const backendOf = (world: World): WebGpuBackend => partsOf(world).backend as WebGpuBackend;
const countersOf = (world: World): GpuCounters => backendOf(world).counters;

/**
 * Milliseconds of all stages of the last step, by timestamps. A stage of a small body takes some 50 µs on a software adapter, less than
 * timestamps are rounded to in places: it may come out as nothing, all of a step together may not.
 */
function spentOnGpu({ profile }: World): number {
  const stages = [profile.predict, profile.match, profile.damp, profile.contact, profile.conserve];
  for (const time of stages) expect(Number.isFinite(time) && time >= 0).toBe(true);
  return stages.reduce((sum, time) => sum + time, 0);
}

const meanHeight = ({ positions }: { readonly positions: ArrayLike<number> }): number => {
  let sum = 0;
  for (let k = 1; k < positions.length; k += 3) sum += positions[k];
  return (3 * sum) / positions.length;
};

describe('a step', () => {
  gpuIt('is enqueued: positions are those of the last sync', async () => {
    const world = await gpuWorld();
    const body = world.add(ball);
    const before = Float64Array.from(body.positions);
    for (let n = 0; n < 4; n++) world.step();
    expect(Array.from(body.positions)).toEqual(Array.from(before));
    await world.sync();
    // Free fall by steps: g Δt² (1 + 2 + 3 + 4).
    expect(Math.abs(meanHeight(body) + 9.81 * 0.005 ** 2 * 10)).toBeLessThan(1e-6);
    expect(world.time).toBe(0.02);
    world.dispose();
  });

  gpuIt(
    // With 30 000 particles in test/soak/gpu-scenes.
    'takes as many dispatches for one body of many particles as for many bodies of few, and makes no buffers',
    async () => {
      const large = prepare(icosphere({ detail: 3 }), surface({ regionSize: 1 }));
      const small = prepare(icosphere({ detail: 1, radius: 0.1 }), surface({ regionSize: 1 }));
      const one = await gpuWorld();
      one.add(large);
      const many = await gpuWorld();
      for (let n = 0; n < 6; n++) many.add(small, { position: [n, 0, 0] });
      const counts: number[] = [];
      for (const world of [one, many]) {
        await advance(world, 1);
        const first = countersOf(world);
        // The ring of staging buffers fills with the first syncs.
        await advance(world, 3);
        const ringed = countersOf(world);
        await advance(world, 2);
        const last = countersOf(world);
        expect(spentOnGpu(world)).toBeGreaterThan(0);
        expect(last.dispatches).toBe(STEP_PLAN.length);
        expect(ringed.buffersMade - first.buffersMade).toBeLessThanOrEqual(2);
        expect(last.buffersMade).toBe(ringed.buffersMade);
        counts.push(last.dispatches);
        // The cost model of docs/webgpu.md, with all rounds, of padded particles.
        const slots = world.bodies.reduce((sum, body) => sum + CHUNK * Math.ceil(body.particleCount / CHUNK), 0);
        const share = last.boundBytes / slots / (8400 + (VOLUME_ROUNDS - 1) * 480);
        expect(Math.max(share, 1 / share)).toBeLessThan(1.5);
        world.dispose();
      }
      expect(counts[0]).toBe(counts[1]);
    },
  );

  gpuIt('sends what changed and nothing more', async () => {
    const world = await gpuWorld();
    world.add(ball);
    await advance(world, 2);
    const { bytesSent } = countersOf(world);
    await advance(world, 1);
    // The step, one body and no obstacle: a few hundred bytes, however many particles there are.
    expect(countersOf(world).bytesSent - bytesSent).toBeLessThan(512);
    world.dispose();
  });
});

gpuIt('with a latency of one frame shows the state of the sync before', async () => {
  const world = await gpuWorld();
  const body = world.add(ball);
  const fallen = (steps: number) => (-9.81 * 0.005 ** 2 * steps * (steps + 1)) / 2;
  for (let n = 0; n < 6; n++) {
    world.step();
    await world.sync({ latency: 1 });
    expect(Math.abs(meanHeight(body) - fallen(n))).toBeLessThan(1e-6);
  }
  const { buffersMade } = countersOf(world);
  world.step();
  await world.sync({ latency: 1 });
  expect(countersOf(world).buffersMade).toBe(buffersMade);
  await world.sync();
  expect(Math.abs(meanHeight(body) - fallen(7))).toBeLessThan(1e-6);
  world.dispose();
});

describe('handles', () => {
  gpuIt('pins hold their vertices, and let go', async () => {
    const world = await gpuWorld();
    const body = world.add(ball);
    const pin = body.pin([0, 1, 2], [{ time: 0 }, { time: 0.05, position: [0, 0.1, 0] }]);
    const before = Float64Array.from(body.positions);
    await advance(world, 10);
    for (let k = 0; k < 9; k++) {
      expect(Math.abs(body.positions[k] - before[k] - (k % 3 === 1 ? 0.1 : 0))).toBeLessThan(1e-6);
    }
    body.unpin(pin);
    const pinned = body.positions[1];
    await advance(world, 10);
    expect(Math.abs(body.positions[1] - pinned)).toBeGreaterThan(1e-3);
    world.dispose();
  });

  gpuIt('a grip pulls the body after it', async () => {
    const world = await gpuWorld({ gravity: [0, 0, 0] });
    const body = world.add(ball);
    const grip = body.grab([0, 0.5, 0]);
    grip.moveTo([0, 1, 0]);
    await advance(world, 40);
    expect(meanHeight(body)).toBeGreaterThan(0.1);
    world.dispose();
  });

  gpuIt('impulses, velocities and positions that are written count', async () => {
    const world = await gpuWorld({ gravity: [0, 0, 0] });
    const body = world.add(ball);
    await advance(world, 1);
    body.applyImpulse([0, body.mass, 0]);
    await advance(world, 10);
    world.step();
    // While a step is under way.
    body.applyImpulse([0, body.mass, 0]);
    await world.sync();
    await advance(world, 9);
    // Δv = 1 m/s for 0.1 s, and once more for 0.045 s.
    expect(Math.abs(meanHeight(body) - 0.145)).toBeLessThan(1e-4);
    world.dispose();
  });

  gpuIt('moving obstacles push, and feel what they push', async () => {
    const world = await gpuWorld({ gravity: [0, 0, 0] });
    const body = world.add(ball);
    const plate = world.addCollider({
      ...{ shape: 'box', size: [2, 0.2, 2] },
      motion: [
        { time: 0, position: [0, -0.65, 0] },
        { time: 0.2, position: [0, -0.25, 0] },
      ],
    });
    let events = 0;
    let impulse = 0;
    for (let n = 0; n < 40; n++) {
      await advance(world, 1);
      events += world.contactEvents().length;
      impulse += plate.impulse[1];
      expect(world.penetration(body)).toBeLessThan(1e-3);
    }
    expect(meanHeight(body)).toBeGreaterThan(0.2);
    expect(events).toBeGreaterThan(0);
    // What the body got, the plate lost.
    expect(impulse).toBeLessThan(0);
    world.dispose();
  });

  gpuIt('a body hangs on another by an attachment', async () => {
    const world = await gpuWorld();
    const upper = world.add(ball, { position: [0, 1.03, 0] });
    const lower = world.add(ball);
    upper.pin(Array.from({ length: upper.positions.length / 3 }, (_, n) => n));
    const top = lower.select({ box: [[-0.3, 0.4, -0.3] as const, [0.3, 1, 0.3] as const] });
    world.attach(lower, top, upper);
    await advance(world, 40);
    // Free fall would be 0.2 m.
    expect(meanHeight(lower)).toBeGreaterThan(-0.1);
    world.dispose();
  });

  gpuIt('settings and snapshots: going back gives the same state again', async () => {
    const world = await gpuWorld();
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -0.52 });
    const body = world.add(ball);
    await advance(world, 12);
    body.set({ stiffness: 0.4 });
    const snapshot = world.snapshot();
    await advance(world, 10);
    const later = Float64Array.from(body.positions);
    world.restore(snapshot);
    await advance(world, 10);
    // The same device, the same order of sums: but for what is rounded to single precision on the way, the same numbers.
    for (let k = 0; k < later.length; k++) expect(Math.abs(body.positions[k] - later[k])).toBeLessThan(1e-5);
    world.dispose();
  });
});

/** Calls back, with buffers that were made meanwhile and not destroyed. */
async function watchBuffers(run: (live: ReadonlySet<GPUBuffer>) => Promise<void>): Promise<void> {
  const device = await testDevice();
  const { createBuffer } = device;
  const live = new Set<GPUBuffer>();
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer.call(device, descriptor);
    const { destroy } = buffer;
    live.add(buffer);
    buffer.destroy = () => {
      live.delete(buffer);
      return destroy.call(buffer);
    };
    return buffer;
  };
  try {
    await run(live);
  } finally {
    device.createBuffer = createBuffer;
  }
}

describe('bodies', () => {
  gpuIt('come and go while steps are under way, and leave no buffer behind', () =>
    watchBuffers(async (live) => {
      const world = await gpuWorld();
      const first = world.add(ball);
      const second = world.add(ball, { position: [3, 0, 0] });
      for (let n = 0; n < 3; n++) world.step();
      const third = world.add(ball, { position: [6, 0, 0] });
      world.remove(first);
      world.step();
      await world.sync();
      const fallen = (steps: number) => (-9.81 * 0.005 ** 2 * steps * (steps + 1)) / 2;
      expect(Math.abs(meanHeight(second) - fallen(4))).toBeLessThan(1e-6);
      expect(Math.abs(meanHeight(third) - fallen(1))).toBeLessThan(1e-6);
      // More at once than staging buffers are kept for.
      await Promise.all([1, 2, 3, 4, 5].map(() => backendOf(world).read('positions')));
      const skin = second.gpuSkin();
      expect(live.size).toBeGreaterThan(30);
      skin.dispose();
      world.dispose();
      expect(live.size).toBe(0);
    }),
  );

  gpuIt('of a solver without shaders share the world on the host, which says so', async () => {
    const world = await gpuWorld();
    const soft = world.add(ball);
    world.step();
    expect(() => world.add(prepare(box(), lattice()))).toThrow('await world.sync()');
    await world.sync();
    expect(world.capabilities.onHost).toBeUndefined();
    const hosted = world.add(prepare(box({ size: [0.6, 0.6, 0.6], divisions: 2 }), lattice()), {
      position: [0, 0.9, 0],
    });
    expect(world.capabilities.onHost).toContain('solver without shaders');
    await advance(world, 3);
    world.remove(hosted);
    await advance(world, 1);
    const fallen = (-9.81 * 0.005 ** 2 * 5 * 6) / 2;
    expect(Math.abs(meanHeight(soft) - fallen)).toBeLessThan(1e-5);
    world.dispose();
  });

  gpuIt('of several touch each other and keep out of each other', async () => {
    const world = await gpuWorld();
    world.addCollider({ shape: 'glass', radius: 0.75, height: 3, wall: 0.1 });
    for (let n = 0; n < 2; n++) world.add(ball, { position: [0.05 * n, 0.62 + 1.02 * n, 0], velocity: [0, -1, 0] });
    for (let n = 0; n < 30; n++) {
      await advance(world, 1);
      for (const body of world.bodies) {
        expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(5e-5);
        expect(world.penetration(body)).toBeLessThan(2e-3);
      }
    }
    expect(world.contactEvents().some(({ other }) => other === world.bodies[1])).toBe(true);
    world.dispose();
  });
});

describe('what cannot be', () => {
  gpuIt('is refused in one line', async () => {
    const world = await gpuWorld();
    const body = world.add(ball);
    const shelf = world.addCollider({ shape: 'box', size: [1, 0.1, 1], position: [0, 2, 0] });
    expect(() => world.attach(body, [0], shelf, { breakForce: 3 })).toThrow('attach breakForce: the webgpu backend');
    world.step();
    expect(() => world.snapshot()).toThrow('await world.sync()');
    world.dispose();
    await expect(createWorld({ backend: 'webgpu' })).rejects.toThrow('backend: webgpu needs navigator.gpu');
  });

  gpuIt('a lost device: the world goes on from the last sync, and says so', async () => {
    // One with subgroups, so that all kernels also step in that form.
    const device = await requestDevice('subgroups');
    expect(device).not.toBe(await testDevice());
    const world = await createWorld({ backend: 'webgpu', gpu: device });
    expect(world.capabilities.subgroups).toBe(true);
    const body = world.add(ball);
    await advance(world, 2);
    world.step();
    device.destroy();
    await world.sync();
    expect(world.capabilities.onHost).toContain('the device was lost');
    expect(world.capabilities.onHost).toContain('steps run in WebAssembly, from the last sync on');
    const fallen = (steps: number) => (-9.81 * 0.005 ** 2 * steps * (steps + 1)) / 2;
    expect(Math.abs(meanHeight(body) - fallen(2))).toBeLessThan(1e-6);
    await advance(world, 2);
    expect(Math.abs(meanHeight(body) - fallen(4))).toBeLessThan(1e-6);
    // From there on as a world of WebAssembly that was put there.
    const twin = await createWorld({ backend: 'wasm', threads: 1 });
    const other = twin.add(ball);
    other.positions.set(body.positions);
    other.velocities.set(body.velocities);
    other.changed();
    await advance(world, 10);
    await advance(twin, 10);
    for (let k = 0; k < other.positions.length; k++) {
      expect(Math.abs(body.positions[k] - other.positions[k])).toBeLessThan(1e-6);
    }
    twin.dispose();
    world.dispose();
  });
});
