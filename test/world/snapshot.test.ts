// Snapshots: a restored world goes on with the same bits, whatever was going on; other bytes are refused by name.

import { beforeAll, describe, expect, it } from 'vitest';
import {
  box,
  type Collider,
  createWorld,
  icosphere,
  lattice,
  prepare,
  surface,
  torus,
  type World,
  type WorldOptions,
} from '../../src/index.js';
import { StateHash } from '../../src/math/hash.js';
import { BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';
import { workersJoin } from '../threaded-world.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.4 }), surface({ regionSize: 2 }));
const cube = prepare(box({ size: [0.8, 0.8, 0.8], divisions: [4, 4, 4] }), surface({ regionSize: 2 }));
const ring = prepare(
  torus({ majorRadius: 0.6, minorRadius: 0.2, majorSegments: 20, minorSegments: 8 }),
  surface({ regionSize: 2, stiffness: 0.6 }),
);
const TOP = {
  box: [
    [-1, 0.25, -1],
    [1, 1, 1],
  ],
} as const;

/** Bodies and colliders, without anything that holds them. */
async function bare(backend: TestedBackend, options: WorldOptions = {}): Promise<World> {
  const world = await worldOn(backend, options);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
  world.addCollider({
    ...{ shape: 'box', size: [3, 0.2, 3], position: [0, 3.5, 0] },
    motion: [
      { time: 0, position: [0, 3.5, 0] },
      { time: 1, position: [0, 1.5, 0] },
    ],
  });
  world.addCollider({ shape: 'sphere', radius: 0.3, position: [-2.5, 0.3, 0], restitution: 0.3 });
  world.add(ball, { position: [0, 0.5, 0], spin: [1, 2, 3] });
  world.add(ball, { position: [0.1, 1.35, 0.05], restitution: 0.2 });
  world.add(ring, { position: [0, 2.2, 0], rotation: [0.5, 0, 0, 0.866], selfContact: true });
  world.add(cube, { position: [3, 0.4, 0] });
  world.add(cube, { position: [5, 2, 0], velocity: [0, 0, 2] });
  world.add(ball, { position: [5, 3.0, 0] });
  return world;
}

/** The same with pins, grips and attachments of all kinds. */
async function busy(backend: TestedBackend, options: WorldOptions = {}): Promise<World> {
  const world = await bare(backend, options);
  const [first, , , , block, hanging] = world.bodies;
  const [, , sphere] = world.colliders;
  first.grab([0.4, 0.5, 0]).moveTo([1, 1, 0.5]);
  block.pin([0, 1, 2]);
  block.pin(block.select(TOP), [{ time: 0 }, { time: 1, position: [0, 0.5, 0], rotation: [0, 0.3, 0, 0.95] }]);
  world.attach(
    hanging,
    hanging.select({
      box: [
        [-1, -1, -1],
        [1, -0.25, 1],
      ],
    }),
    block,
  );
  const tied = world.add(ball, { position: [-2.5, 1.1, 0] });
  world.attach(tied, tied.select(TOP), sphere, { breakForce: 1e6 });
  return world;
}

const bitsOf = (world: World): string => {
  const hash = new StateHash();
  for (const { positions, velocities } of world.bodies) hash.update(positions).update(velocities);
  for (const { impulse, torque } of world.colliders) hash.update(Float64Array.of(...impulse, ...torque));
  for (const { phase, point, normal, impulse } of world.contactEvents())
    hash.update(Float64Array.of(phase.length, ...point, ...normal, ...impulse));
  for (const { force } of world.attachments) hash.update(Float64Array.of(...force));
  return hash.digest();
};

/** The bits of each of the next steps; a collider is led by hand meanwhile. */
const run = (world: World, steps: number): string[] =>
  Array.from({ length: steps }, () => {
    world.colliders[2].moveTo([-2.5 + 0.3 * world.time, 0.3, 0]);
    world.step();
    return bitsOf(world);
  });

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  describe('in the middle of everything', () => {
    let world: World;
    let bytes: Uint8Array;
    let before: string;
    let after: string[];
    beforeAll(async () => {
      world = await busy(backend);
      run(world, 80);
      bytes = world.snapshot();
      before = bitsOf(world);
      after = run(world, 80);
    });

    it('goes on with the same bits, again and again', () => {
      for (let again = 0; again < 2; again++) {
        world.restore(bytes);
        expect(world.stepCount).toBe(80);
        expect(bitsOf(world)).toBe(before);
        expect(run(world, 80)).toEqual(after);
      }
    });

    it('goes on in a world that was built anew, with nothing but bodies and colliders', async () => {
      const fresh = await bare(backend);
      fresh.add(ball, { position: [9, 9, 9] });
      fresh.restore(bytes);
      expect(fresh.bodies[0].grips.length).toBe(1);
      expect(fresh.bodies[4].pins.map(({ vertices }) => vertices.length)).toEqual(
        world.bodies[4].pins.map(({ vertices }) => vertices.length),
      );
      expect(fresh.attachments.length).toBe(2);
      expect(run(fresh, 80)).toEqual(after);
      // And its own snapshot is the same again.
      const [one, other] = [world.snapshot(), fresh.snapshot()];
      expect(one.length).toBe(other.length);
    });
  });

  it('holds what sleeps', async () => {
    const build = async () => {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
      world.addCollider({ shape: 'sphere', radius: 0.2, position: [9, 9, 9] });
      world.addCollider({ shape: 'sphere', radius: 0.2, position: [-9, 9, 9] });
      world.add(cube, { position: [0, 0.4, 0] });
      world.add(ball, { position: [0, 8, 0] });
      return world;
    };
    const world = await build();
    for (let step = 0; step < 220; step++) world.step();
    expect(world.bodies.map(({ asleep }) => asleep)).toEqual([true, false]);
    const bytes = world.snapshot();
    const steps = (of: World) =>
      Array.from({ length: 150 }, () => {
        of.step();
        return bitsOf(of);
      });
    const after = steps(world);
    const fresh = await build();
    fresh.restore(bytes);
    expect(fresh.bodies.map(({ asleep }) => asleep)).toEqual([true, false]);
    expect(steps(fresh)).toEqual(after);
  });

  it('is taken back where something that touched another was removed since the step', async () => {
    const world = await bare(backend);
    for (let n = 0; n < 30; n++) world.step();
    const [first] = world.bodies;
    expect(world.contactEvents().some(({ body, other }) => body === first || other === first)).toBe(true);
    world.remove(first);
    world.remove(world.colliders[0]);
    const snapshot = world.snapshot();
    world.step();
    const once = bitsOf(world);
    world.restore(snapshot);
    world.step();
    expect(bitsOf(world)).toBe(once);
  });

  it('brings back settings, gravity, time between steps, and what was let go', async () => {
    const world = await busy(backend, { timeStep: 0.01 });
    world.advance(0.123);
    const grip = world.bodies[0].grips[0];
    const bytes = world.snapshot();
    const shown = world.bodies[1].interpolated.slice();
    const settings = { ...world.bodies[1].settings };
    const after = [world.advance(0.0333), bitsOf(world)];
    grip.moveTo([7, 7, 7]);
    world.gravity = [1, 2, 3];
    world.bodies[1].settings = { ...settings, stiffness: 0.1 };
    world.bodies[1].friction = 2;
    world.colliders[0].friction = 0;
    for (const attachment of world.attachments) attachment.detach();
    world.bodies[2].grab([0, 2, 0]);
    world.advance(0.05);
    world.restore(bytes);
    expect(world.gravity).toEqual([0, -9.81, 0]);
    expect(world.bodies[1].settings).toEqual(settings);
    expect([world.bodies[1].friction, world.colliders[0].friction]).toEqual([0.5, 0.5]);
    expect(world.attachments.length).toBe(2);
    expect(world.bodies[0].grips).toEqual([grip]);
    expect(grip.target).toEqual([1, 1, 0.5]);
    expect(world.bodies[2].grips).toEqual([]);
    expect(world.bodies[1].interpolated).toEqual(shown);
    expect([world.advance(0.0333), bitsOf(world)]).toEqual(after);
  });

  it('refuses other bytes, and leaves the world as it is', async () => {
    const world = await busy(backend);
    run(world, 10);
    const bytes = world.snapshot();
    run(world, 5);
    const before = bitsOf(world);
    const refused = (damaged: unknown, message: string) => {
      expect(() => world.restore(damaged as Uint8Array)).toThrow(RangeError);
      expect(() => world.restore(damaged as Uint8Array)).toThrow(message);
      expect(bitsOf(world)).toBe(before);
      expect(world.stepCount).toBe(15);
    };
    refused(new Uint8Array(0), 'snapshot: expected the bytes of world.snapshot(), got 0 other bytes');
    refused(
      new TextEncoder().encode('{"isochore": 1, "bodies": []}'),
      'snapshot: expected the bytes of world.snapshot()',
    );
    refused('isochore', 'snapshot: expected the bytes of world.snapshot(), got string');
    for (const length of [8, 20, 32, 40, 1000, bytes.length - 8, bytes.length - 1]) {
      refused(bytes.slice(0, length), `got ${length}`);
    }
    for (const at of [17, 33, 500, bytes.length >> 1, bytes.length - 9]) {
      const changed = bytes.slice();
      changed[at] ^= 4;
      refused(changed, 'snapshot: expected undamaged bytes, got some that were changed');
    }
    const older = bytes.slice();
    older[8] = 1;
    refused(older, 'snapshot: expected version 3, got version 1');
    // Where it can be restored, it still can.
    world.restore(bytes);
    expect(world.stepCount).toBe(10);
  });

  it('refuses snapshots of other worlds by what is different', async () => {
    const world = await bare(backend);
    const refused = async (change: (other: World) => void, message: string, options: WorldOptions = {}) => {
      const other = await bare(backend, options);
      change(other);
      expect(() => world.restore(other.snapshot())).toThrow(message);
    };
    await refused((other) => other.add(ball), 'snapshot: expected 6 bodies, got 7');
    await refused((other) => other.remove(other.colliders[2]), 'snapshot: expected 3 colliders, got 2');
    await refused(() => {}, 'snapshot: expected steps of 0.005 s, got 0.001 s', { timeStep: 0.001 });
    await refused((other) => {
      other.remove(other.bodies[5]);
      other.add(cube);
    }, "snapshot: expected this world's bodies[5], got another");
    await refused((other) => {
      other.remove(other.colliders[2]);
      other.addCollider({ shape: 'sphere', radius: 0.31 });
    }, "snapshot: expected this world's colliders[2], got another");
    const elsewhere = await bare(backend === 'wasm' ? 'reference' : 'wasm');
    expect(() => world.restore(elsewhere.snapshot())).toThrow(
      `snapshot: expected one of the backend ${backend}, got one of`,
    );
  });
});

it('holds lattices, and landscapes and meshes as obstacles', async () => {
  const soft = prepare(icosphere({ detail: 2, radius: 0.5 }), lattice({ resolution: 5 }));
  const build = async (): Promise<World> => {
    const world = await worldOn('reference');
    const obstacles: Collider[] = [
      world.addCollider({
        shape: 'heightfield',
        heights: [
          [0, 0.1],
          [0.2, 0],
        ],
        size: [9, 9],
      }),
      world.addCollider({ shape: 'mesh', mesh: icosphere({ detail: 1, radius: 0.4 }), position: [0.3, 0.3, 0] }),
      world.addCollider({ shape: 'glass', radius: 3, height: 2, wall: 0.1 }),
    ];
    expect(obstacles.length).toBe(3);
    world.add(soft, { position: [0, 1.5, 0], spin: [2, 0, 1] });
    return world;
  };
  const world = await build();
  run(world, 60);
  const bytes = world.snapshot();
  const after = run(world, 60);
  const fresh = await build();
  fresh.restore(bytes);
  expect(run(fresh, 60)).toEqual(after);
});

it('goes on with any number of threads', async () => {
  const large = prepare(icosphere({ detail: 4, radius: 0.5 }), surface({ regionSize: 2 }));
  const build = async (threads: number): Promise<World> => {
    const world = await createWorld({ backend: 'wasm', threads });
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    world.add(large, { position: [0, 0.5, 0], velocity: [0, -2, 0] });
    world.add(large, { position: [0.1, 1.55, 0], spin: [0, 0, 3] });
    if (threads > 1) await workersJoin(world);
    return world;
  };
  const steps = (world: World) =>
    Array.from({ length: 20 }, () => {
      world.step();
      return bitsOf(world);
    });
  const one = await build(1);
  steps(one);
  const bytes = one.snapshot();
  const after = steps(one);
  const two = await build(2);
  two.restore(bytes);
  expect(steps(two)).toEqual(after);
  expect(two.snapshot().length).toBe(one.snapshot().length);
  one.dispose();
  two.dispose();
}, 120_000);
