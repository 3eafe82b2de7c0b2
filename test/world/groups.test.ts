// Collision groups: two things touch only where each touches a group of the other.

import { describe, expect, it } from 'vitest';
import { icosphere, prepare, surface, type World } from '../../src/index.js';
import { buildScene, parseScene } from '../../src/scenes/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));
const run = (world: World, steps: number) => {
  for (let n = 0; n < steps; n++) world.step();
};

describe.each(BOTH_BACKENDS)('groups on %s', (backend) => {
  // Groups and masks of the ball and the floor; whether they touch by the rule (a.mask & b.group) && (b.mask & a.group).
  it.each([
    [{}, {}, true],
    [{ group: 2 }, { collidesWith: 1 }, false],
    [{ group: 2 }, { collidesWith: 3 }, true],
    [{ collidesWith: 0 }, {}, false],
    [{ collidesWith: 4 }, { group: 4 }, true],
    [{ group: 2, collidesWith: 4 }, { group: 4, collidesWith: 1 }, false],
    [{ group: 0x80000000, collidesWith: 0x40000000 }, { group: 0x40000000, collidesWith: 0x80000000 }, true],
  ])('a ball with %o and a floor with %o touch: %s', async (ofBall, ofFloor, touch) => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, ...ofFloor });
    const body = world.add(ball, { position: [0, 0.55, 0], ...ofBall });
    run(world, 200);
    // A second of free fall is 4.9 m.
    if (touch) expect(body.centreOfMass()[1]).toBeGreaterThan(0.3);
    else expect(body.centreOfMass()[1]).toBeLessThan(-4);
    expect(body.contactCount > 0).toBe(touch);
    // What does not touch does not penetrate either.
    expect(world.penetration(body)).toBeLessThan(1e-5);
  });

  it('may change while the world runs', async () => {
    const world = await worldOn(backend);
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const [first, second] = [0, 3].map((x) => world.add(ball, { position: [x, 0.5, 0] }));
    run(world, 100);
    first.collidesWith = 0;
    run(world, 100);
    expect(first.centreOfMass()[1]).toBeLessThan(0);
    expect(second.centreOfMass()[1]).toBeGreaterThan(0.3);
    floor.group = 0;
    run(world, 100);
    expect(second.centreOfMass()[1]).toBeLessThan(0.2);
  });

  it('take bits with a sign, as ~ gives them', async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, group: 2 });
    const passes = world.add(ball, { position: [0, 1, 0], collidesWith: ~2 });
    const lies = world.add(ball, { position: [5, 1, 0], collidesWith: ~4 });
    run(world, 200);
    expect(passes.centreOfMass()[1]).toBeLessThan(-3);
    expect(lies.centreOfMass()[1]).toBeGreaterThan(0.1);
  });

  it.each([-(2 ** 31) - 1, 1.5, 2 ** 32, Number.NaN])('refuse %d', async (group) => {
    const world = await worldOn(backend);
    const message = `expected bits, an integer from 0 to 4294967295, got ${group}`;
    expect(() => world.add(ball, { group })).toThrow(`group: ${message}`);
    expect(world.bodies.length).toBe(0);
    expect(() => world.addCollider({ shape: 'sphere', radius: 1, collidesWith: group })).toThrow(
      `collidesWith: ${message}`,
    );
  });
});

it.each(BOTH_BACKENDS)('lets bodies of different groups pass through each other on %s', async (backend) => {
  const meet = async (collidesWith: number) => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const [a, b] = [
      world.add(ball, { position: [-1, 0, 0], velocity: [2, 0, 0] }),
      world.add(ball, { position: [1, 0, 0], velocity: [-2, 0, 0], group: 2, collidesWith }),
    ];
    run(world, 200);
    return a.centreOfMass()[0] - b.centreOfMass()[0];
  };
  // 4 m/s for a second less the 2 m between them; or back from where they met.
  expect(Math.abs((await meet(2)) - 2)).toBeLessThan(1e-5);
  expect(await meet(3)).toBeLessThan(-1);
});

it('come from scene files', async () => {
  const scene = parseScene(
    JSON.stringify({
      isochore: 1,
      bodies: [{ mesh: { shape: 'icosphere', detail: 1 }, group: 6, collidesWith: 1 }],
      colliders: [{ shape: 'plane', group: 2 }],
    }),
  );
  const { world } = await buildScene(scene);
  expect([world.bodies[0].group, world.bodies[0].collidesWith]).toEqual([6, 1]);
  expect([world.colliders[0].group, world.colliders[0].collidesWith]).toEqual([2, 0xffffffff]);
});
