// Bodies that lie in each other in two places leave each other in both, each on its own way: a bar that is a little too long for the hole of
// the ring in which it lies. Told as one, the two places have no way (their normals cancel), and the bar was lifted out of the ring by its centre.

import { describe, expect, it } from 'vitest';
import { box, prepare, surface, torus } from '../../src/index.js';
import { advance, BOTH_BACKENDS, worldOn } from '../both-backends.js';

/** Half the width of the hole, and half the length of the bar: its ends begin 5 cm deep in the ring [m]. */
const HOLE = 0.35;
const REACH = 0.4;

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('a bar whose ends lie in a ring stays in its plane and gets out of it', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const ring = world.add(
      prepare(
        torus({ majorRadius: HOLE + 0.15, minorRadius: 0.15, majorSegments: 40, minorSegments: 16 }),
        surface({ regionRadius: 0.3 }),
      ),
    );
    const bar = world.add(
      prepare(box({ size: [2 * REACH, 0.2, 0.2], divisions: [16, 4, 4] }), surface({ regionRadius: 0.3 })),
    );
    const deep = world.penetration(bar);
    for (let step = 0; step < 200; step++) await advance(world);
    expect(deep).toBeGreaterThan(0.03);
    // A tenth of its own height, and 1 % of its size.
    expect(Math.abs(bar.centreOfMass()[1] - ring.centreOfMass()[1])).toBeLessThan(0.02);
    expect(Math.max(world.penetration(bar), world.penetration(ring))).toBeLessThan(0.01);
    world.dispose();
  });
});
