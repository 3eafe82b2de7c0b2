// A body pinned at all but one vertex: the momentum-free direction of a single particle is rounding, and a correction along
// it threw the particle to 10¹³ m. A pinned body's correction has no momentum to keep, and reaches the volume.

import { expect, it } from 'vitest';
import { icosphere, prepare, surface } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

it.each(BOTH_BACKENDS)('keeps a body pinned at all but one vertex in place, on %s', async (backend) => {
  const world = await worldOn(backend, { gravity: [0, 0, 0] });
  const body = world.add(prepare(icosphere({ detail: 2 }), surface({ regionSize: 2 })));
  body.pin(Array.from({ length: body.particleCount - 1 }, (_, i) => i + 1));
  for (let k = 0; k < 3; k++) body.positions[k] *= 1.2;
  body.changed();
  for (let step = 0; step < 100; step++) world.step();
  expect(Math.max(...body.positions.map(Math.abs))).toBeLessThan(1.3);
  // One particle makes up all the volume: its rounding is not averaged.
  expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan({ reference: 1e-9, wasm: 1e-6 }[backend]);
});
