// Law: in a corner no obstacle is forgotten for another. A ball is shot into a groove of two planes; the volume correction
// pushes its particles out again, against both. A particle that one plane had stopped asked the other no more, and went in by
// 6e-4 of the ball. Tolerance, in sizes: what the correction may carry a particle into an obstacle, 2e-6, and rounding.
// On wasm, whose correction lets particles stop on their way; the reference solves it anew.

import { expect, it } from 'vitest';
import { icosphere, prepare, surface } from '../../src/index.js';
import { advance, worldOn } from '../both-backends.js';

const TOLERANCE = 5e-6;

it('a ball shot into a groove goes into neither of its sides', async () => {
  const world = await worldOn('wasm');
  const steep = Math.hypot(1, 0.7);
  const [across, up] = [1 / steep, 0.7 / steep];
  world.addCollider({ shape: 'plane', normal: [across, up, 0], friction: 0.5 });
  world.addCollider({ shape: 'plane', normal: [-across, up, 0], friction: 0.5 });
  const ball = prepare(icosphere({ detail: 4, radius: 0.5 }), surface({ regionSize: 2 }));
  const body = world.add(ball, { position: [0, 0.55 / up, 0], velocity: [0, -15, 0] });
  let nearest = Number.POSITIVE_INFINITY;
  for (let step = 0; step < 100; step++) {
    await advance(world);
    const { positions } = body;
    for (let k = 0; k < positions.length; k += 3) {
      nearest = Math.min(nearest, up * positions[k + 1] - across * Math.abs(positions[k]));
    }
  }
  expect(nearest).toBeGreaterThan(-TOLERANCE);
  // It was there.
  expect(nearest).toBeLessThan(1e-3);
});
