// Law: the centre of mass falls as a point does. The step is v ← v + Δt·g, x ← x + Δt·v, so after n steps the centre has
// moved by n·Δt·v₀ + Δt²·g·n(n+1)/2, whatever the body does inside.
// Tolerance: 200 additions of relative rounding 1e-16 to coordinates of order 5. In single precision coordinates are
// relative to the body's frame, of order 1: 200 × 1.2e-7 at worst.

import { expect, it } from 'vitest';
import { duck, prepare, surface } from '../../src/index.js';
import { advance, BOTH_BACKENDS, worldOn } from '../both-backends.js';

it.each(BOTH_BACKENDS)(
  'moves the centre of mass of a spinning, wobbling body along the parabola of the scheme, on %s',
  async (backend) => {
    const world = await worldOn(backend, { gravity: [0.5, -9.81, 0.2] });
    const body = world.add(prepare(duck({ vertices: 400 }), surface({ regionSize: 2, stiffness: 0.7, damping: 0.1 })), {
      position: [0, 5, 0],
      velocity: [1, 2, -3],
      spin: [2, 9, -4],
    });
    for (let k = 0; k < body.positions.length; k += 3) body.positions[k] *= 1.3;
    body.changed();
    const start = body.centreOfMass();
    const velocity = body.momentum().map((p) => p / body.mass);
    const n = 200;
    await advance(world, n);
    const dt = world.timeStep;
    const end = body.centreOfMass();
    for (let c = 0; c < 3; c++) {
      const expected = start[c] + n * dt * velocity[c] + ((dt * dt * n * (n + 1)) / 2) * world.gravity[c];
      expect(Math.abs(end[c] - expected)).toBeLessThan({ reference: 1e-11, wasm: 2.5e-5 }[backend]);
    }
  },
);
