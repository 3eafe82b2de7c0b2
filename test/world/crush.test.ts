// A body crushed beyond what its free surface can take up: particles in contact then slide along and off their obstacles,
// also while these move.

import { describe, expect, it } from 'vitest';
import { createWorld, prepare, surface, uvSphere } from '../../src/index.js';

const ball = prepare(uvSphere({ segments: 16, radius: 0.5 }), surface({ regionSize: 2 }));

describe('a ball crushed to 22 % of its height', () => {
  it.each([1, 10])('keeps its volume and stays out of a plate that comes down at %d m/s', async (speed) => {
    const world = await createWorld();
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    world.addCollider({
      shape: 'box',
      size: [9, 0.2, 9],
      motion: [
        { time: 0, position: [0, 1.12, 0] },
        { time: 0.8 / speed, position: [0, 0.32, 0] },
      ],
    });
    const body = world.add(ball, { position: [0, 0.5, 0] });
    let [volumeError, penetration] = [0, 0];
    while (world.time < 0.8 / speed + 0.1) {
      world.step();
      volumeError = Math.max(volumeError, Math.abs(body.volume() / body.restVolume - 1));
      penetration = Math.max(penetration, world.penetration(body));
    }
    // The cubic's root, to rounding; contacts to the tolerance of the step, a millionth of the body.
    expect(volumeError).toBeLessThan(1e-11);
    expect(penetration).toBeLessThan(2e-6);
    const heights = body.positions.filter((_, k) => k % 3 === 1);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(0.221);
  });
});
