// A ball thrown at a wall of 2 cm left vertices behind it: contact swept them, but the volume correction carried them
// across, and where it set them down there was no wall.

import { expect, it } from 'vitest';
import { icosphere, prepare } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

it.each(BOTH_BACKENDS)('leaves no vertex behind a thin wall, at up to 100 m/s (%s)', async (backend) => {
  const prepared = prepare(icosphere({ detail: 3, radius: 0.5 }));
  for (const speed of [20, 50, 100]) {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    world.addCollider({ shape: 'box', size: [0.02, 10, 10], position: [2, 0, 0] });
    const body = world.add(prepared, { velocity: [speed, 0, 0] });
    for (let step = 0; step < 120; step++) {
      world.step();
      for (let k = 0; k < body.positions.length; k += 3) {
        if (!(body.positions[k] < 2)) throw new Error(`${speed} m/s: vertex ${k / 3} at ${body.positions[k]}`);
      }
    }
    expect(body.centreOfMass()[0]).toBeLessThan(1.5);
    world.dispose();
  }
});
