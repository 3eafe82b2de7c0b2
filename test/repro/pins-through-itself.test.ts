// Pins that drew two arms of a torus through each other threw it to infinity: of a contact all but one corner of little weight
// was pinned, and that corner had to go 1/w times as far.

import { expect, it } from 'vitest';
import { prepare, torus } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

it.each(BOTH_BACKENDS)('stays finite where pins force a body through itself (%s)', async (backend) => {
  const world = await worldOn(backend, { gravity: [0, 0, 0] });
  const mesh = torus({ majorRadius: 1, minorRadius: 0.15, majorSegments: 48, minorSegments: 8 });
  const body = world.add(prepare(mesh), { selfContact: true, friction: 0.3 });
  for (const side of [1, -1]) {
    const arm = Array.from({ length: body.particleCount }, (_, i) => i).filter((i) => {
      const [x, z] = [mesh.positions[3 * i], mesh.positions[3 * i + 2]];
      return Math.abs(Math.atan2(x, side * z)) < 0.21;
    });
    body.pin(arm, [{ time: 0 }, { time: 1, position: [0, 0, -1.2 * side] }]);
  }
  for (let step = 0; step < 300; step++) {
    world.step();
    // The pins go 1.2 m; nothing is drawn out beyond the torus's size on both sides.
    for (const x of body.positions) if (!(Math.abs(x) < 3)) throw new Error(`step ${step}: a vertex at ${x} m`);
  }
  expect(world.stepCount).toBe(300);
  world.dispose();
});
