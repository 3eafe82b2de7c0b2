// An impulse of nothing changed a squeezed body's motion: velocities are shown without what presses against obstacles, and
// were loaded back without it.

import { expect, it } from 'vitest';
import { prepare, uvSphere } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

it.each(BOTH_BACKENDS)(
  'does not change the motion of a body in contact by an impulse of zero, on %s',
  async (backend) => {
    const prepared = prepare(uvSphere({ segments: 12 }));
    const states = [];
    for (const push of [false, true]) {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
      world.addCollider({
        shape: 'box',
        size: [4, 0.2, 4],
        motion: [
          { time: 0, position: [0, 2.12, 0] },
          { time: 0.4, position: [0, 1.3, 0] },
        ],
      });
      const body = world.add(prepared, { position: [0, 1, 0] });
      for (let step = 0; step < 120; step++) {
        if (push) body.applyImpulse([0, 0, 0]);
        world.step();
      }
      states.push(body.positions.slice());
    }
    expect(states[1]).toEqual(states[0]);
  },
);
