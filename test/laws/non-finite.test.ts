// Law: a body that is no longer finite does not take others along. What touches it, holds it or lies on it stays finite.

import { describe, expect, it } from 'vitest';
import { type Body, icosphere, prepare, surface, type World } from '../../src/index.js';
import { stateOf } from '../../src/world/world-parts.js';
import { advance, BOTH_BACKENDS, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));

const staysFinite = ({ positions, velocities }: Body): boolean =>
  positions.every(Number.isFinite) && velocities.every(Number.isFinite);

/** As if a step had brought it there: from users such numbers are refused. */
const takeOver = (world: World, body: Body): void => stateOf(world, body).load();

/** How a body is spoilt. */
const SPOILS: readonly (readonly [string, (body: Body) => void])[] = [
  ['one velocity is NaN', ({ velocities }) => velocities.fill(Number.NaN, 40, 41)],
  ['all velocities are NaN', ({ velocities }) => velocities.fill(Number.NaN)],
  ['one velocity is infinite', ({ velocities }) => velocities.fill(Infinity, 100, 101)],
  ['one position is NaN', ({ positions }) => positions.fill(Number.NaN, 7, 8)],
  ['all positions are NaN', ({ positions }) => positions.fill(Number.NaN)],
];

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  /** A pile: the middle one is spoilt, with or without pins and contact with itself. */
  const spoil = async (change: (body: Body) => void, held: boolean): Promise<{ world: World; others: Body[] }> => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const bodies = [
      [0, 0.48, 0],
      [0.97, 0.48, 0],
      [0.5, 1.3, 0],
      [0.5, 0.9, 0.8],
    ].map((position) => world.add(ball, { position: position as [number, number, number], selfContact: held }));
    if (held) bodies[1].pin([0, 1, 2]);
    await advance(world, 10);
    change(bodies[1]);
    takeOver(world, bodies[1]);
    await advance(world, 40);
    return { world, others: [bodies[0], bodies[2], bodies[3]] };
  };

  it.each(SPOILS)('%s, joined to another', async (_, change) => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const [first, second] = [world.add(ball), world.add(ball, { position: [1.1, 0, 0] })];
    world.attach(second, [0, 1, 2], first);
    await advance(world);
    change(second);
    takeOver(world, second);
    await advance(world, 5);
    expect(staysFinite(first)).toBe(true);
    world.dispose();
  });

  it.each(SPOILS)('%s', async (_, change) => {
    for (const held of [false, true]) {
      const { world, others } = await spoil(change, held);
      for (const body of others) {
        expect(staysFinite(body)).toBe(true);
        // They go on falling on the floor and on each other.
        expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(1e-3);
        expect(body.centreOfMass()[1]).toBeGreaterThan(0.2);
        expect(body.centreOfMass()[1]).toBeLessThan(2);
      }
      world.dispose();
    }
  });
});
