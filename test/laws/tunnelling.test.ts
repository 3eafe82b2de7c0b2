// Law: what is in front stays in front. At 10, 50 and 100 m/s a ball goes 0.05, 0.25 and 0.5 m in a step of 5 ms, up to
// 25 times the 2 cm of a wall, and is half a metre thick itself.
//
// Against walls every vertex is looked at after every step: none may be beyond the surface that it came to
// by more than rounding. Single precision resolves 1.2e-7 at 1 to 2 m. Against bodies, which give way, the
// centres must keep their order, and once things have calmed nothing may be left inside: 1 % of the ball.

import { describe, expect, it } from 'vitest';
import { box, type ColliderOptions, icosphere, prepare, surface, type TriangleMesh } from '../../src/index.js';
import { advance, BOTH_BACKENDS, worldOn } from '../both-backends.js';

const SPEEDS = [10, 50, 100];
const TIME_STEP = 0.005;
const WALL_AT = 2;
const WALL = 0.02;
const ROUNDING = 1e-6;

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));
const plate = (thickness: number) =>
  prepare(box({ size: [thickness, 2, 2], divisions: [1, 10, 10] }), surface({ regionSize: 3 }));

/** A square of 10 m at x = 0 that faces −x: a mesh with a border. */
function sheet(): TriangleMesh {
  const positions = [0, -5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5];
  return { positions: Float64Array.from(positions), triangles: Uint32Array.of(0, 2, 1, 0, 3, 2) };
}

/** Name, shape, and how far its surface lies before its middle. */
const WALLS: readonly (readonly [string, ColliderOptions, number])[] = [
  ['a box of 2 cm', { shape: 'box', size: [WALL, 10, 10] }, WALL / 2],
  ['a closed mesh of 2 cm', { shape: 'mesh', mesh: box({ size: [WALL, 10, 10], divisions: [1, 4, 4] }) }, WALL / 2],
  ['an open sheet', { shape: 'mesh', mesh: sheet() }, 0],
];

/** How much further away, and how far beside the middle, a ball starts: when in its step and with which vertices it meets. */
const MEETINGS = [
  [0, 0],
  [0, 0.1],
  [0.1, 0.05],
  [0.23, 0.1],
  [0.35, 0],
] as const;

describe.each(BOTH_BACKENDS)('on %s, a ball', (backend) => {
  describe.each(SPEEDS)('at %d m/s', (speed) => {
    /** Until it is there, and a fifth of a second more. */
    const steps = Math.ceil(WALL_AT / (speed * TIME_STEP)) + 40;

    it.each(WALLS)('does not pass %s', async (_, shape, before) => {
      // Head on, and at 45° with a spin.
      for (const slant of [0, 1]) {
        const world = await worldOn(backend, { gravity: [0, 0, 0], timeStep: TIME_STEP });
        world.addCollider({ ...shape, position: [WALL_AT, 0, 0] });
        const body = world.add(ball, { velocity: [speed, 0, slant * speed], spin: [0, 0, 5 * slant] });
        let furthest = -Infinity;
        for (let step = 0; step < steps; step++) {
          await advance(world);
          // Beyond the rim there is nothing to pass.
          if (Math.abs(body.centreOfMass()[2]) > 3.5) break;
          for (let k = 0; k < body.positions.length; k += 3) furthest = Math.max(furthest, body.positions[k]);
        }
        expect(furthest).toBeLessThan(WALL_AT - before + ROUNDING);
        // It was there: a sheet keeps particles off by a thousandth of its size.
        expect(furthest).toBeGreaterThan(WALL_AT - before - 0.02);
        expect(body.momentum()[0]).toBeLessThan(0);
        world.dispose();
      }
    });

    it.each([
      // Off centre, two balls turn about each other soon.
      ['another ball', ball, MEETINGS.slice(0, 2)],
      ['a soft plate of 10 cm', plate(0.1), MEETINGS],
      // It has a sixth of the ball's mass, and its two sides are nearer to each other than its vertices.
      ['a soft plate of 2 cm', plate(WALL), MEETINGS],
    ] as const)('does not pass %s', async (_, other, meetings) => {
      for (const [from, offset] of meetings) {
        const world = await worldOn(backend, { gravity: [0, 0, 0], timeStep: TIME_STEP });
        const body = world.add(ball, { position: [-WALL_AT - from, offset, 0.05], velocity: [speed, 0, 0] });
        const target = world.add(other);
        for (let step = 0; step < steps + 40; step++) {
          await advance(world);
          expect(body.centreOfMass()[0]).toBeLessThan(target.centreOfMass()[0]);
        }
        expect(target.momentum()[0]).toBeGreaterThan(0);
        expect(Math.max(world.penetration(body), world.penetration(target))).toBeLessThan(0.01);
        world.dispose();
      }
    });
  });
});
