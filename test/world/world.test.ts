// A world's keeping of bodies and obstacles, its clock and its end.

import { describe, expect, it } from 'vitest';
import {
  createWorld,
  icosphere,
  prepare,
  STAGES,
  surface,
  UnsupportedBackendError,
  type WorldOptions,
} from '../../src/index.js';
import { BOTH_BACKENDS, type PerBackend, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionSize: 1 }));

/** Of numbers of order 1. */
const ROUNDINGS: PerBackend = { reference: 1e-12, wasm: 1e-6 };

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const ROUNDING = ROUNDINGS[backend];

  describe('a world', () => {
    it('counts its steps and time', async () => {
      const world = await worldOn(backend, { timeStep: 0.004 });
      expect([world.stepCount, world.time, world.timeStep]).toEqual([0, 0, 0.004]);
      for (let step = 0; step < 10; step++) world.step();
      expect(world.stepCount).toBe(10);
      expect(Math.abs(world.time - 0.04)).toBeLessThan(1e-16);
    });

    it('falls by its gravity, which may change', async () => {
      const world = await worldOn(backend, { gravity: [0, -10, 0] });
      const body = world.add(ball);
      world.step();
      expect(Math.abs(body.momentum()[1] / body.mass + 0.05)).toBeLessThan(ROUNDING);
      world.gravity = [20, 0, 0];
      world.step();
      const [x, y] = body.momentum().map((p) => p / body.mass);
      expect(Math.abs(x - 0.1)).toBeLessThan(ROUNDING);
      expect(Math.abs(y + 0.05)).toBeLessThan(ROUNDING);
    });

    it('measures how deep a body is in its obstacles', async () => {
      const world = await worldOn(backend);
      const body = world.add(ball, { position: [0, 2, 0] });
      expect(world.penetration(body)).toBe(0);
      const deepest = 0.7 - Math.min(...body.positions.filter((_, k) => k % 3 === 1));
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0.7 });
      expect(Math.abs(world.penetration(body) - Math.max(0, deepest))).toBeLessThan(ROUNDING);
      world.addCollider({ shape: 'sphere', radius: 1, position: [0, 2, 0] });
      expect(Math.abs(world.penetration(body) - 0.5)).toBeLessThan(ROUNDING);
    });
  });

  describe('adding and removing', () => {
    it('lists bodies and obstacles in the order they came', async () => {
      const world = await worldOn(backend);
      const [a, b] = [world.add(ball, { name: 'a' }), world.add(ball)];
      const [floor, wall] = [
        world.addCollider({ shape: 'plane', normal: [0, 1, 0], name: 'floor' }),
        world.addCollider({ shape: 'box', size: [1, 1, 1] }),
      ];
      expect(world.bodies).toEqual([a, b]);
      expect(world.colliders).toEqual([floor, wall]);
      expect([a.name, b.name, floor.name, wall.name]).toEqual(['a', 'body', 'floor', 'box']);
    });

    it('stops a removed body where it is and leaves the others as if it had never been there', async () => {
      const [world, alone] = [await worldOn(backend), await worldOn(backend)];
      const [gone, stays] = [world.add(ball, { position: [5, 0, 0] }), world.add(ball, { spin: [1, 2, 3] })];
      const reference = alone.add(ball, { spin: [1, 2, 3] });
      for (let step = 0; step < 10; step++) {
        world.step();
        alone.step();
      }
      world.remove(gone);
      const last = gone.positions.slice();
      for (let step = 0; step < 10; step++) {
        world.step();
        alone.step();
      }
      expect(world.bodies).toEqual([stays]);
      expect(gone.positions).toEqual(last);
      expect(stays.positions).toEqual(reference.positions);
      // Once more, and what was never there.
      world.remove(gone);
      world.remove(reference);
      expect(world.bodies).toEqual([stays]);
      alone.step();
      expect(alone.bodies).toEqual([reference]);
    });

    it('lets a body fall once its floor is removed', async () => {
      const world = await worldOn(backend);
      const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0 });
      const body = world.add(ball, { position: [0, 0.5, 0] });
      for (let step = 0; step < 100; step++) world.step();
      expect(body.centreOfMass()[1]).toBeGreaterThan(0.3);
      expect(body.contactCount).toBeGreaterThan(0);
      world.remove(floor);
      const [before, speed] = [body.centreOfMass()[1], body.momentum()[1] / body.mass];
      for (let step = 0; step < 100; step++) world.step();
      expect(body.contactCount).toBe(0);
      // What pressed on the floor may come back as a little speed; the fall of 0.5 s takes 1.23 m.
      expect(body.centreOfMass()[1]).toBeLessThan(before + 0.5 * (speed + 0.5) - 1.2);
    });

    it('takes bodies and obstacles while it runs: an obstacle is where its motion says', async () => {
      const world = await worldOn(backend);
      for (let step = 0; step < 100; step++) world.step();
      const plate = world.addCollider({
        shape: 'box',
        size: [1, 1, 1],
        motion: [
          { time: 0, position: [0, 0, 0] },
          { time: 1, position: [8, 0, 0] },
        ],
      });
      expect(plate.position).toEqual([4, 0, 0]);
      const body = world.add(ball, { position: [0, 9, 0] });
      world.step();
      expect(body.momentum()[1]).toBeLessThan(0);
    });
  });

  describe('a disposed world', () => {
    it('is empty, and using it is an error', async () => {
      const world = await worldOn(backend);
      world.add(ball);
      world.addCollider({ shape: 'sphere', radius: 1 });
      world.dispose();
      expect([...world.bodies, ...world.colliders]).toEqual([]);
      const uses: (() => unknown)[] = [
        () => world.step(),
        () => world.advance(0.01),
        () => world.add(ball),
        () => world.addCollider({ shape: 'sphere', radius: 1 }),
      ];
      for (const use of uses) expect(use).toThrow('the world has been disposed of');
    });

    it('can be disposed of again', async () => {
      const world = await worldOn(backend);
      world.dispose();
      expect(() => world.dispose()).not.toThrow();
    });
  });

  describe('the profile', () => {
    it('has every stage and what the host does, measured, and they add up to the total', async () => {
      const world = await worldOn(backend, { timeStep: 0.02 });
      expect(world.profile.total).toBe(0);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
      world.add(ball, { position: [0, 0.4, 0] });
      world.step();
      expect(Object.keys(world.profile).sort()).toEqual(['total', 'host', ...STAGES].sort());
      const sum = STAGES.reduce((total, stage) => total + world.profile[stage], world.profile.host);
      expect(Math.abs(sum - world.profile.total)).toBeLessThan(1e-9);
      expect(world.profile.total).toBeGreaterThan(0);
      for (const part of ['host', ...STAGES] as const) expect(world.profile[part]).toBeGreaterThanOrEqual(0);
    });
  });
});

describe('a world is refused, by name,', () => {
  // In parts of 5 ms a step of 1e9 s would never end.
  it.each([0, -0.01, Number.NaN, Infinity, 1e9, 0.11, 1e-6])('for a step of %d s', async (timeStep) => {
    await expect(createWorld({ timeStep })).rejects.toThrow(
      new RangeError(`timeStep: expected a number from 0.00001 to 0.1, got ${timeStep}`),
    );
  });

  it.each(['webgpu', 'abacus'])('for the backend %s', async (backend) => {
    const options = { backend } as WorldOptions;
    await expect(createWorld(options)).rejects.toThrow(UnsupportedBackendError);
    await expect(createWorld(options)).rejects.toThrow(backend);
  });
});
