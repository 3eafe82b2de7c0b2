// A body that sleeps is hit by what moves as one that is awake is, however fast: also by what is past it at the end of a step.

import { describe, expect, it } from 'vitest';
import { icosphere, prepare, surface } from '../../src/index.js';
import { BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.03 }), surface({ regionRadius: 0.06, stiffness: 1 }));

/** Speed of a ball that lay on the floor after a bat of 2 cm went past [m/s]. */
async function hit(backend: TestedBackend, speed: number, phase: number): Promise<number> {
  const world = await worldOn(backend);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const bat = world.addCollider({ shape: 'box', size: [0.02, 0.3, 0.3], position: [-9, 0.15, 0] });
  const body = world.add(ball, { position: [0, 0.03, 0] });
  for (let step = 0; step < 3000 && !body.asleep; step++) world.step();
  expect(body.asleep).toBe(true);
  // At the end of one step it is before the ball, by a share of its way, and at the end of the next beyond it.
  const way = speed * world.timeStep;
  let x = -(4 + phase) * way;
  bat.rest = { position: [x, 0.15, 0], rotation: [0, 0, 0, 1] };
  for (let step = 0; step < 9; step++) {
    x += way;
    bat.moveTo([x, 0.15, 0]);
    world.step();
  }
  expect(body.asleep).toBe(false);
  return body.momentum()[0] / body.mass;
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it.each([
    [45, 0.5],
    [70, 0.5],
    [100, 0.5],
    [100, 0.1],
  ])('a bat at %d m/s, %d of its way before it', async (speed, phase) => {
    // One that is awake gets 0.4 to 0.6 of it.
    expect(await hit(backend, speed, phase)).toBeGreaterThan(0.2 * speed);
  });

  it('one that turns past it, and none that stays away', async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const bat = world.addCollider({ shape: 'box', size: [2, 0.02, 0.02], position: [0, 0.05, 1] });
    const body = world.add(ball, { position: [0.5, 0.03, 0.3] });
    const other = world.add(ball, { position: [-0.9, 0.03, -3] });
    for (let step = 0; step < 3000 && !(body.asleep && other.asleep); step++) world.step();
    expect([body.asleep, other.asleep]).toEqual([true, true]);
    // A quarter turn about y, and on by 2 m: at its end it is a metre and more from the first, past which it went.
    bat.moveTo([0, 0.05, -2], [0, Math.SQRT1_2, 0, Math.SQRT1_2]);
    world.step();
    expect([body.asleep, other.asleep]).toEqual([false, true]);
  });
});
