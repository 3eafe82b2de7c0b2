// Bodies that touch each other: momentum is exchanged and not made, nothing passes through, what lies still goes to sleep.

import { describe, expect, it } from 'vitest';
import { box, icosphere, prepare, surface, type World } from '../../src/index.js';
import { advance, BOTH_BACKENDS, type PerBackend, VOLUME_TOLERANCE, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));
const brick = prepare(box({ size: [1, 0.5, 1], divisions: 4 }), surface({ regionSize: 3 }));

/**
 * Change of the sum of momenta, relative to one of them. Shown velocities of bodies in contact are how they moved; contact
 * and volume keep sums to rounding, over a few hundred steps. In single precision velocities that positions made have a
 * resolution of 1e-5 sizes per second, with random signs over the particles.
 */
const MOMENTUM_TOLERANCE: PerBackend = { reference: 1e-9, wasm: 1e-5 };

/** A hundredth of a body: what the eye takes for touching. */
const DEPTH = 0.01;

const total = (world: World): number[] =>
  [0, 1, 2].map((c) => world.bodies.reduce((sum, body) => sum + body.momentum()[c], 0));

describe.each(BOTH_BACKENDS)('on %s, two balls that meet head-on', (backend) => {
  it.each([1, 5, 20])(
    'at %d m/s keep their momentum, come apart again and never pass through each other',
    async (speed) => {
      const world = await worldOn(backend, { gravity: [0, 0, 0] });
      const left = world.add(ball, { position: [-0.7, 0, 0], velocity: [speed, 0, 0] });
      const right = world.add(ball, { position: [0.7, 0.2, 0], velocity: [-0.5 * speed, 0, 0] });
      const before = total(world);
      let deepest = 0;
      for (let step = 0; step < Math.ceil(400 / Math.sqrt(speed)); step++) {
        await advance(world);
        deepest = Math.max(deepest, world.penetration(left), world.penetration(right));
        expect(left.centreOfMass()[0]).toBeLessThan(right.centreOfMass()[0]);
      }
      const after = total(world);
      const scale = Math.abs(before[0]);
      after.forEach((p, c) => {
        expect(Math.abs(p - before[c]) / scale).toBeLessThan(MOMENTUM_TOLERANCE[backend]);
      });
      expect(deepest).toBeLessThan(DEPTH);
      // They have met, and go apart.
      expect(left.momentum()[0]).toBeLessThan(right.momentum()[0]);
      world.dispose();
    },
  );
});

describe.each(BOTH_BACKENDS)('on %s, two bricks, one on the other', (backend) => {
  it('come to rest, go to sleep, and wake when pushed', async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const low = world.add(brick, { position: [0, 0.26, 0] });
    const high = world.add(brick, { position: [0.1, 0.78, 0] });
    for (let step = 0; step < 1000 && !(low.asleep && high.asleep); step++) await advance(world);
    expect([low.asleep, high.asleep]).toEqual([true, true]);
    expect(world.penetration(high)).toBeLessThan(DEPTH);
    expect(high.centreOfMass()[1]).toBeGreaterThan(low.centreOfMass()[1] + 0.4);
    for (const body of [low, high]) {
      expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(VOLUME_TOLERANCE[backend]);
    }
    high.applyImpulse([0, 200, 0]);
    await advance(world);
    expect(high.asleep).toBe(false);
    world.dispose();
  });
});
