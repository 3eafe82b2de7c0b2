// A body crushed beyond what its free surface can take up: particles in contact then slide along and off their obstacles,
// also while these move.

import { describe, expect, it } from 'vitest';
import { prepare, surface, uvSphere, type WorldOptions } from '../../src/index.js';
import { BOTH_BACKENDS, VOLUME_TOLERANCE, worldOn } from '../both-backends.js';

const ball = prepare(uvSphere({ segments: 16, radius: 0.5 }), surface({ regionSize: 2 }));

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const createWorld = (options: WorldOptions = {}) => worldOn(backend, options);

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
      // The cubic's root, to rounding; contacts to the tolerance of the step, one or two millionths of the body.
      expect(volumeError).toBeLessThan(VOLUME_TOLERANCE[backend]);
      expect(penetration).toBeLessThan({ reference: 2e-6, wasm: 4e-6 }[backend]);
      const heights = body.positions.filter((_, k) => k % 3 === 1);
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(0.221);
    });
  });
});
