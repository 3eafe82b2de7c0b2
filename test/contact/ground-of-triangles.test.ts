// Obstacles that take more than a formula: a ball dropped on or into them lies where the shape says, and nothing of it is
// inside.

import { describe, expect, it } from 'vitest';
import { box, type ColliderOptions, icosphere, prepare, surface } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const RADIUS = 0.3;
const ball = prepare(icosphere({ detail: 2, radius: RADIUS }), surface({ regionSize: 2 }));

/** A step and its slope, 4 m wide, 0 or 0.5 m high. */
const heights = Array.from({ length: 9 }, () => Array.from({ length: 9 }, (_, x) => (x < 4 ? 0.5 : 0)));

const GROUNDS: readonly (readonly [string, ColliderOptions, readonly [number, number, number], number])[] = [
  ['a closed mesh', { shape: 'mesh', mesh: box({ size: [4, 1, 4], divisions: 3 }) }, [0.1, 1, 0.2], 0.5],
  ['the high side of a heightfield', { shape: 'heightfield', heights, size: [4, 4] }, [-1.3, 1, 0.1], 0.5],
  ['the low side of a heightfield', { shape: 'heightfield', heights, size: [4, 4] }, [1.3, 0.6, 0.1], 0],
  ['the bottom of a glass', { shape: 'glass', radius: 0.6, height: 1.5, wall: 0.1 }, [0.05, 1, 0], 0.1],
];

describe.each(BOTH_BACKENDS)('on %s, a ball that falls', (backend) => {
  it.each(GROUNDS)('on %s lies there', async (_, collider, position, ground) => {
    const world = await worldOn(backend);
    world.addCollider(collider);
    const body = world.add(ball, { position });
    let deepest = 0;
    for (let step = 0; step < 400; step++) {
      world.step();
      deepest = Math.max(deepest, world.penetration(body));
    }
    // The volume step may carry a particle a millionth of the body into an obstacle.
    expect(deepest).toBeLessThan(1e-5 * RADIUS);
    let lowest = Infinity;
    for (let k = 1; k < body.positions.length; k += 3) lowest = Math.min(lowest, body.positions[k]);
    // As deep as gravity pulls in a step, and no higher than that above.
    expect(Math.abs(lowest - ground)).toBeLessThan(1e-3);
    expect(body.centreOfMass()[1]).toBeGreaterThan(ground + 0.5 * RADIUS);
    world.dispose();
  });
});
