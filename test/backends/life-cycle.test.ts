// Bodies and worlds that come and go, errors of the user's in the middle, and threads only where they pay.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { box, createWorld, icosphere, type Keyframe, prepare, surface, uvSphere, World } from '../../src/index.js';
import type { PoseFollower } from '../../src/math/follower.js';
import { buildScene, checkScene, runScene } from '../../src/scenes/index.js';
import { BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';
import { backendOf, workersJoin } from '../threaded-world.js';

/** Of 42, 152 and 386 particles; and one that is enough for threads. */
const smalls = [icosphere({ detail: 1 }), box({ divisions: 5 }), box({ divisions: 8 })].map((mesh) =>
  prepare(mesh, surface({ regionSize: 1 })),
);
const large = prepare(uvSphere({ segments: 65 }), surface({ regionSize: 1 }));

const worlds: World[] = [];
const started = { workers: 0, alive: 0 };
const count = (worker: { once(event: 'exit', listener: () => void): void }) => {
  started.workers++;
  started.alive++;
  worker.once('exit', () => started.alive--);
};
beforeEach(() => {
  started.workers = 0;
  process.on('worker', count);
});
afterEach(() => {
  for (const world of worlds.splice(0)) world.dispose();
  process.off('worker', count);
  vi.restoreAllMocks();
});

async function wasmWorld(threads: number): Promise<World> {
  const world = await createWorld({ backend: 'wasm', threads });
  worlds.push(world);
  return world;
}

describe.each([1, 3])('with %i threads', (threads) => {
  it('a thousand bodies come and go in the memory of the first', async () => {
    const world = await wasmWorld(threads);
    // With threads, a body that keeps them all busy, so that their view of the memory matters too.
    if (threads > 1) {
      world.add(large);
      await workersJoin(world);
    }
    const backend = backendOf(world);
    const comeAndGo = (rounds: number) => {
      for (let n = 0; n < rounds; n++) {
        // Apart from each other: for contacts the world takes more memory, as many as it has found.
        const bodies = smalls.map((prepared, k) => world.add(prepared, { position: [5 * (k + 1), 0, 0] }));
        if (n % 20 === 0) world.step();
        // In another order every time: what comes back must join again.
        const first = n % 3;
        for (let k = 0; k < 3; k++) world.remove(bodies[(first + k) % 3]);
      }
      return { used: backend.memoryUsed, heap: backend.memorySize };
    };
    const first = comeAndGo(3);
    expect(comeAndGo(340)).toEqual(first);
    if (threads > 1) expect(backend.threadedSteps).toBe(world.stepCount);
  });

  it('twenty worlds come and go', async () => {
    const states = [];
    for (let n = 0; n < 20; n++) {
      const world = await createWorld({ backend: 'wasm', threads });
      const body = world.add(n % 5 === 0 ? large : smalls[n % 3], { velocity: [1, 2, 3] });
      if (threads > 1 && n % 5 === 0) await workersJoin(world);
      for (let step = 0; step < 3; step++) world.step();
      if (n % 5 === 0) states.push(body.positions.slice());
      world.dispose();
    }
    for (const state of states) expect(state).toEqual(states[0]);
    for (let n = 0; n < 200 && started.alive > 0; n++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(started.alive).toBe(0);
    expect(started.workers).toBe(threads > 1 ? 4 * (threads - 1) : 0);
  });
});

describe('threads', () => {
  it('are not even started in a world with little to do', async () => {
    const world = await wasmWorld(4);
    // 4095 particles at most: one below what is worth waking threads for.
    for (let particles = 0; particles + 386 < 4096; particles += 386) world.add(smalls[2]);
    for (let step = 0; step < 20; step++) world.step();
    expect(world.capabilities.threads).toBe(4);
    expect(backendOf(world).threadedSteps).toBe(0);
    expect(started.workers).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    world.step();
    expect(backendOf(world).threadedSteps).toBe(0);
  });

  it('take part while there is enough to do, and only then', async () => {
    const world = await wasmWorld(3);
    const body = world.add(large);
    await workersJoin(world);
    expect(started.workers).toBe(2);
    world.step();
    expect(backendOf(world).threadedSteps).toBe(1);
    world.remove(body);
    world.add(smalls[0]);
    world.step();
    expect(backendOf(world).threadedSteps).toBe(1);
    world.add(large);
    world.step();
    expect(backendOf(world).threadedSteps).toBe(2);
    expect(started.workers).toBe(2);
  });
});

describe('where workers cannot be had', () => {
  it('runs on the calling thread, and says so', async () => {
    const original = process.getBuiltinModule;
    const refusing = {
      Worker: class {
        constructor() {
          throw new Error('refused by a policy');
        }
      },
    };
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) =>
      name === 'node:worker_threads' ? refusing : original(name)) as typeof process.getBuiltinModule);
    const world = await wasmWorld(3);
    expect(world.capabilities.threads).toBe(3);
    world.add(large);
    expect(world.capabilities.threads).toBe(1);
    world.step();
    expect(backendOf(world).threadedSteps).toBe(0);
    expect(world.bodies[0].momentum()[1]).toBeLessThan(0);
  });
});

describe.each([...BOTH_BACKENDS, 'wasm with threads'] as const)('an error of the user’s on %s', (where) => {
  const threads = where === 'wasm with threads' ? 3 : 1;
  const backend: TestedBackend = where === 'reference' ? 'reference' : 'wasm';
  const fault = new Error('of my own');
  const still: Keyframe[] = [{ time: 0, position: [0, 0, 0] }];
  const broken: Keyframe[] = [
    {
      time: 0,
      get position(): never {
        throw fault;
      },
    },
  ];

  async function fallingWorld() {
    const world = await createWorld({ backend, threads });
    worlds.push(world);
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -0.9, motion: still });
    const bodies = (threads > 1 ? [large, smalls[0]] : smalls).map((prepared, n) => {
      return world.add(prepared, { position: [4 * n, 0, 0], spin: [1, 2, 3] });
    });
    const pin = bodies[1].pin([0, 1], still);
    if (threads > 1) await workersJoin(world);
    for (let step = 0; step < 10; step++) world.step();
    return { world, floor, pin, bodies };
  }

  it('in a motion that a step asks for leaves the world as it was, and going', async () => {
    const disturbed = await fallingWorld();
    const undisturbed = await fallingWorld();
    for (const thing of [disturbed.floor, disturbed.pin]) {
      // Keyframes are copied: those that cannot be read are refused at once.
      expect(() => {
        thing.motion = broken;
      }).toThrow(fault);
      const { obstacle, pinned } = thing as unknown as Record<
        'obstacle' | 'pinned',
        { follower: PoseFollower } | undefined
      >;
      const { follower } = (obstacle ?? pinned) as { follower: PoseFollower };
      const poseAt = vi.spyOn(follower, 'poseAt').mockImplementation(() => {
        throw fault;
      });
      expect(() => disturbed.world.step()).toThrow(fault);
      expect(() => disturbed.world.advance(0.02)).toThrow(fault);
      poseAt.mockRestore();
    }
    expect(disturbed.world.stepCount).toBe(10);
    for (let step = 0; step < 10; step++) {
      disturbed.world.step();
      undisturbed.world.step();
    }
    disturbed.bodies.forEach((body, n) => {
      expect(body.positions).toEqual(undisturbed.bodies[n].positions);
      expect(body.velocities).toEqual(undisturbed.bodies[n].velocities);
    });
    if (threads > 1) expect(backendOf(disturbed.world).threadedSteps).toBe(20);
  });
});

describe('an error of the user’s', () => {
  const scene = checkScene({ isochore: 1, steps: 10, bodies: [{ mesh: { shape: 'box', divisions: 2 } }] });

  it('in onStep ends the run and its world', async () => {
    const dispose = vi.spyOn(World.prototype, 'dispose');
    const onStep = (done: number) => {
      if (done === 3) throw new Error('of my own');
    };
    await expect(runScene(scene, { onStep })).rejects.toThrow('of my own');
    expect(dispose).toHaveBeenCalledTimes(1);
  });

  it('in loadMesh leaves no world behind', async () => {
    const dispose = vi.spyOn(World.prototype, 'dispose');
    const loadMesh = async () => {
      throw new Error('of my own');
    };
    const withFile = checkScene({ isochore: 1, bodies: [{ mesh: 'a.obj' }] });
    await expect(buildScene(withFile, { loadMesh })).rejects.toThrow('of my own');
    expect(dispose).toHaveBeenCalledTimes(1);
  });

  it.each(BOTH_BACKENDS)('in the options of a body leaves nothing behind on %s', async (backend) => {
    const world = await worldOn(backend);
    const kept = world.add(smalls[0]);
    const used = backend === 'wasm' ? backendOf(world).memoryUsed : 0;
    const position = [0, Number.NaN, 0] as const;
    expect(() => world.add(smalls[1], { position })).toThrow('position');
    expect(() => world.add(smalls[1], { spin: [0, 0, Number.NaN] })).toThrow('spin');
    expect(world.bodies).toEqual([kept]);
    if (backend === 'wasm') expect(backendOf(world).memoryUsed).toBe(used);
    world.step();
  });
});

describe.each(BOTH_BACKENDS)('a body that was removed on %s', (backend) => {
  it('keeps its last state, and writing to it changes nobody else', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const gone = world.add(smalls[1], { velocity: [1, 0, 0] });
    world.step();
    const last = gone.positions.slice();
    world.remove(gone);
    const next = world.add(smalls[1]);
    world.step();
    expect(gone.positions).toEqual(last);
    for (const change of [() => gone.applyImpulse([1e6, 0, 0]), () => gone.deform('random'), () => gone.pin([0])]) {
      expect(change).toThrow('it was removed from its world');
    }
    gone.positions.fill(7);
    world.step();
    // At rest: rounding of positions over 5 ms.
    expect(Math.max(...next.velocities.map(Math.abs))).toBeLessThan({ reference: 1e-11, wasm: 1e-3 }[backend]);
    expect(Math.abs(next.volume() / next.restVolume - 1)).toBeLessThan(1e-6);
  });
});
