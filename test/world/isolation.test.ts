// Nothing is shared that should not be: worlds beside each other, bodies beside each other, copies of one body.

import { describe, expect, it } from 'vitest';
import { box, icosphere, prepare, surface, torus, type World, type WorldOptions } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));
const brick = prepare(box({ size: [1, 0.5, 0.5], divisions: [4, 2, 2] }), surface({ regionSize: 1, stiffness: 0.5 }));
const ring = prepare(torus({ majorRadius: 0.5, minorRadius: 0.2, majorSegments: 16, minorSegments: 8 }));

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const createWorld = (options: WorldOptions = {}) => worldOn(backend, options);

  /** A world in which something happens: a fall, a spin, a pin, a moving plate. */
  async function busyWorld(timeStep: number, order: readonly (typeof ball)[]): Promise<World> {
    const world = await createWorld({ timeStep, gravity: [0, -9.81, 1] });
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0.4 });
    world.addCollider({
      shape: 'box',
      size: [20, 0.1, 2],
      motion: [
        { time: 0, position: [0, 1.3, 0] },
        { time: 0.4, position: [0, 0.7, 0] },
      ],
    });
    order.forEach((prepared, n) => {
      const body = world.add(prepared, { position: [3 * n, 0.6, 0], spin: [n, 2, -1], velocity: [0, -1, 0] });
      if (n === 1) body.pin([0, 1, 2], [{ time: 0 }, { time: 0.3, position: [0, 0.2, 0] }]);
    });
    return world;
  }

  const statesOf = (world: World) => world.bodies.flatMap((body) => [body.positions.slice(), body.velocities.slice()]);

  describe('worlds', () => {
    it('do not see each other: steps taken in turns are the steps taken alone, to the bit', async () => {
      const make = () => [busyWorld(0.005, [ball, brick]), busyWorld(0.003, [ring, brick, ball])] as const;
      const alone = await Promise.all(make());
      for (const world of alone) for (let step = 0; step < 60; step++) world.step();
      const together = await Promise.all(make());
      for (let step = 0; step < 60; step++) for (const world of together) world.step();
      together.forEach((world, n) => {
        expect(statesOf(world)).toEqual(statesOf(alone[n]));
      });
    });

    it('repeat themselves to the bit', async () => {
      const [a, b] = [await busyWorld(0.005, [ball, brick]), await busyWorld(0.005, [ball, brick])];
      for (let step = 0; step < 80; step++) a.step();
      for (let step = 0; step < 80; step++) b.step();
      expect(statesOf(a)).toEqual(statesOf(b));
      expect(a.bodies.some((body) => body.contactCount > 0)).toBe(true);
    });
  });

  describe('copies of a body', () => {
    it('share what was prepared and move alike, to the bit, whoever is further away', async () => {
      const options = { position: [0, 0.55, 0], velocity: [1, -3, 0], spin: [1, 2, 3] } as const;
      const copies = [];
      for (const others of [0, 1, 2]) {
        const world = await createWorld();
        world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
        for (let n = 0; n < others; n++) world.add(ball, { ...options, position: [20 * (n + 1), 0.55, 0] });
        copies.push(world.add(ball, options));
        for (let step = 0; step < 100; step++) world.step();
        for (const body of world.bodies) expect(body.positions.every(Number.isFinite)).toBe(true);
      }
      expect(new Set(copies.map((copy) => copy.positions.buffer)).size).toBe(3);
      for (const copy of copies) {
        expect(copy.prepared).toBe(ball);
        expect(copy.positions).toEqual(copies[0].positions);
        expect(copy.velocities).toEqual(copies[0].velocities);
      }
    });

    it('leave what was prepared as it was', async () => {
      const copyOf = (prepared: typeof ball) =>
        structuredClone([prepared.mesh, prepared.surface, prepared.volume, prepared.solver.settings]);
      const before = copyOf(brick);
      const world = await busyWorld(0.005, [ball, brick]);
      world.bodies[1].deform('random');
      for (let step = 0; step < 50; step++) world.step();
      expect(copyOf(brick)).toEqual(before);
    });

    it('do not depend on the order in which they were added, unless they touch', async () => {
      const worlds = [await createWorld(), await createWorld()];
      const [a, b] = [
        [ball, brick],
        [brick, ball],
      ].map((order, w) => {
        worlds[w].addCollider({ shape: 'plane', normal: [0, 1, 0] });
        // Apart, so that they do not touch.
        return order.map((prepared) =>
          worlds[w].add(prepared, { position: [prepared === ball ? 0 : 8, 0.6, 0], spin: [1, 1, 0] }),
        );
      });
      for (const world of worlds) for (let step = 0; step < 60; step++) world.step();
      expect(a[0].positions).toEqual(b[1].positions);
      expect(a[1].positions).toEqual(b[0].positions);
    });
  });
});
