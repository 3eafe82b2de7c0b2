// Islands sleep as they were when it was told how deep their bodies lie in each other: at the start of the step at whose end they fall asleep.

import { describe, expect, it } from 'vitest';
import { icosphere, prepare, surface } from '../../src/index.js';
import { BOTH_BACKENDS, type TestedBackend, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionRadius: 0.3 }));

/** How far the vertices of a ball move at most in the step in which it falls asleep [m]. It lies on one that is held in another, or alone. */
async function lastMove(backend: TestedBackend, isHeldInAnother: boolean): Promise<number> {
  const world = await worldOn(backend);
  // What holds them does not let them go, however deep in each other.
  for (const y of isHeldInAnother ? [0, -0.1] : [0]) {
    const held = world.add(ball, { position: [0, y, 0] });
    held.pin(Array.from({ length: held.particleCount }, (_, vertex) => vertex));
  }
  const lying = world.add(ball, { position: [0, 1, 0] });
  let move = 0;
  for (let step = 0; step < 2000 && !lying.asleep; step++) {
    const before = Float64Array.from(lying.positions);
    world.step();
    move = before.reduce((most, x, k) => Math.max(most, Math.abs(lying.positions[k] - x)), 0);
  }
  expect(lying.asleep).toBe(true);
  expect(lying.kineticEnergy()).toBe(0);
  world.dispose();
  return move;
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('a ball on one that lies in another goes back by a step when they fall asleep', async () => {
    expect(await lastMove(backend, true)).toBe(0);
  });

  it('one on another alone stays where it came', async () => {
    expect(await lastMove(backend, false)).toBeGreaterThan(0);
  });
});
