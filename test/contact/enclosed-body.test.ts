// A body that is put inside an obstacle, wholly or for the greater part, leaves it as a whole: its shape, its volume and its momentum stay.

import { describe, expect, it } from 'vitest';
import { type ColliderOptions, icosphere, prepare, surface } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';
import { edgeStrainRms } from '../edge-strain.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.2 }), surface({ regionRadius: 0.1 }));
const TURNED = [0.2, 0.3, 0.1, 0.9] as const;

/** Obstacles about the origin, and the least way out for a ball of 0.2 m at [0.1, 0.05, −0.05] [m], rounded up. */
const OBSTACLES: readonly (readonly [string, ColliderOptions, number])[] = [
  ['a box', { shape: 'box', size: [1, 1, 1] }, 0.65],
  ['a turned box', { shape: 'box', size: [1.2, 0.9, 1.4], rotation: TURNED }, 0.75],
  ['a sphere', { shape: 'sphere', radius: 0.8 }, 1],
  ['a capsule', { shape: 'capsule', radius: 0.5, height: 2, rotation: TURNED }, 0.8],
  ['a cylinder', { shape: 'cylinder', radius: 0.7, height: 0.8 }, 0.7],
  ['a mesh', { shape: 'mesh', mesh: icosphere({ detail: 2, radius: 0.8 }) }, 1],
  ['the ground', { shape: 'plane', normal: [0, 1, 0], offset: 0.5 }, 0.75],
];

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it.each(OBSTACLES)('out of %s, by a short way', async (_, options, farthest) => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    world.addCollider(options);
    const body = world.add(ball, { position: [0.1, 0.05, -0.05], velocity: [0, 0.1, 0] });
    world.step();
    expect(world.penetration(body)).toBeLessThan(1e-6);
    // It went as a whole: distances within it are as they were, but for the touch of a few vertices.
    const [a, b] = [ball.mesh.positions, body.positions];
    const between = (p: ArrayLike<number>, i: number, j: number) =>
      Math.hypot(p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]);
    for (let i = 1; i < 160; i += 7) expect(Math.abs(between(a, 0, i) - between(b, 0, i))).toBeLessThan(0.01);
    const [x, y, z] = body.centreOfMass();
    expect(Math.hypot(x - 0.1, y - 0.05, z + 0.05)).toBeLessThan(farthest);
    for (let step = 0; step < 100; step++) world.step();
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-5);
    // Nothing threw it: it is no faster than it came.
    expect(Math.hypot(...body.momentum()) / body.mass).toBeLessThan(0.11);
  });

  // Vertex by vertex a ball was wrapped around a sphere from a share of two thirds on, around a box from three quarters; one of half comes out by contact.
  it.each([
    ['a box', { shape: 'box', size: [0.5, 0.5, 0.5] }],
    ['a sphere', { shape: 'sphere', radius: 0.3 }],
    ['a capsule', { shape: 'capsule', radius: 0.25, height: 1 }],
  ] as const)('out of %s that it looks out of, however far', async (_, options) => {
    const looking = prepare(icosphere({ detail: 3, radius: 0.2 }), surface());
    for (const x of [0.05, 0.1, 0.15, 0.2, 0.25]) {
      const world = await worldOn(backend, { gravity: [0, 0, 0] });
      world.addCollider(options);
      const body = world.add(looking, { position: [x, 0.01, 0.005] });
      for (let step = 0; step < 150; step++) world.step();
      expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-4);
      expect(world.penetration(body)).toBeLessThan(1e-4);
      expect(edgeStrainRms(body)).toBeLessThan(0.02);
      world.dispose();
    }
  });

  it('when an obstacle is put over it, and not into the next one', async () => {
    const world = await worldOn(backend, { gravity: [0, -9.81, 0] });
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const block = world.addCollider({ shape: 'box', size: [2, 0.6, 2], position: [0, 9, 0] });
    const body = world.add(ball, { position: [0, 0.2, 0] });
    for (let step = 0; step < 20; step++) world.step();
    // Down would be shorter, but there is the floor.
    block.rest = { position: [0, 0.25, 0], rotation: [0, 0, 0, 1] };
    for (let step = 0; step < 200; step++) world.step();
    expect(world.penetration(body)).toBeLessThan(1e-5);
    expect(body.centreOfMass()[1]).toBeGreaterThan(0.6);
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-4);
  });
});
