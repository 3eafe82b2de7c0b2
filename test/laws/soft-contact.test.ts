// Bodies that touch each other: momentum is exchanged and not made, nothing passes through, what lies still goes to sleep.
// On the reference backend, the only one on which bodies touch.

import { describe, expect, it } from 'vitest';
import { box, createWorld, icosphere, prepare, surface, type World } from '../../src/index.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));
const brick = prepare(box({ size: [1, 0.5, 1], divisions: 4 }), surface({ regionSize: 3 }));

/** A hundredth of a body: what the eye takes for touching. */
const DEPTH = 0.01;

const total = (world: World): number[] =>
  [0, 1, 2].map((c) => world.bodies.reduce((sum, body) => sum + body.momentum()[c], 0));

describe('two balls that meet head-on', () => {
  it.each([1, 5, 20])(
    'at %d m/s keep their momentum, come apart again and never pass through each other',
    async (speed) => {
      const world = await createWorld({ backend: 'reference', gravity: [0, 0, 0] });
      const left = world.add(ball, { position: [-0.7, 0, 0], velocity: [speed, 0, 0] });
      const right = world.add(ball, { position: [0.7, 0.2, 0], velocity: [-0.5 * speed, 0, 0] });
      const before = total(world);
      let deepest = 0;
      for (let step = 0; step < Math.ceil(400 / Math.sqrt(speed)); step++) {
        world.step();
        deepest = Math.max(deepest, world.penetration(left), world.penetration(right));
        expect(left.centreOfMass()[0]).toBeLessThan(right.centreOfMass()[0]);
      }
      const after = total(world);
      // Shown velocities of bodies in contact are how they moved; contact and volume keep sums to rounding, over few hundred
      // steps of a mass of half a tonne.
      const scale = Math.abs(before[0]);
      after.forEach((p, c) => {
        expect(Math.abs(p - before[c]) / scale).toBeLessThan(1e-9);
      });
      expect(deepest).toBeLessThan(DEPTH);
      // They have met, and go apart.
      expect(left.momentum()[0]).toBeLessThan(right.momentum()[0]);
      world.dispose();
    },
  );
});

describe('two bricks, one on the other', () => {
  it('come to rest, go to sleep, and wake when pushed', async () => {
    const world = await createWorld({ backend: 'reference' });
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const low = world.add(brick, { position: [0, 0.26, 0] });
    const high = world.add(brick, { position: [0.1, 0.78, 0] });
    for (let step = 0; step < 1000 && !(low.asleep && high.asleep); step++) world.step();
    expect([low.asleep, high.asleep]).toEqual([true, true]);
    expect(world.penetration(high)).toBeLessThan(DEPTH);
    expect(high.centreOfMass()[1]).toBeGreaterThan(low.centreOfMass()[1] + 0.4);
    for (const body of [low, high]) expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-9);
    high.applyImpulse([0, 200, 0]);
    world.step();
    expect(high.asleep).toBe(false);
    world.dispose();
  });
});

describe('on WebAssembly', () => {
  it.each([
    ['friction', { friction: 0.2 }],
    ['restitution', { restitution: 0.5 }],
    ['selfContact', { selfContact: true }],
  ])('%s of a body is refused by name, as bodies do not touch there', async (name, options) => {
    const world = await createWorld({ backend: 'wasm', threads: 1 });
    expect(() => world.add(ball, options)).toThrow(`${name}: bodies do not touch each other on the wasm backend`);
    world.dispose();
  });
});
