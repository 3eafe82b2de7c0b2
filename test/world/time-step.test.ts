// Long steps are taken in parts of at most 5 ms: a step of n parts is n steps, to the bit where nothing moves by the clock.

import { describe, expect, it } from 'vitest';
import { type Body, icosphere, prepare, surface, type WorldOptions } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2, stiffness: 0.7 }));

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const createWorld = (options: WorldOptions = {}) => worldOn(backend, options);

  async function drop(timeStep: number, steps: number): Promise<{ body: Body; contacts: number }> {
    const world = await createWorld({ timeStep });
    world.addCollider({ shape: 'plane', normal: [0.1, 1, 0], friction: 0.4 });
    const body = world.add(ball, { position: [0, 0.7, 0], velocity: [0.5, -4, 0], spin: [3, 2, 1] });
    body.pin([5]);
    let contacts = 0;
    for (let step = 0; step < steps; step++) {
      world.step();
      contacts += body.contactCount;
    }
    expect(world.stepCount).toBe(steps);
    return { body, contacts };
  }

  const worstDifference = (a: Body, b: Body): number =>
    Float64Array.from(a.positions).reduce((worst, x, k) => Math.max(worst, Math.abs(x - b.positions[k])), 0);

  describe('a step', () => {
    it.each([
      [0.01, 0.005, 2],
      [0.02, 0.005, 4],
      [0.008, 0.004, 2],
    ])('of %d s is %d s again and again, %i times', async (long, short, parts) => {
      const [coarse, fine] = [await drop(long, 30), await drop(short, 30 * parts)];
      expect(coarse.body.positions).toEqual(fine.body.positions);
      expect(coarse.body.velocities).toEqual(fine.body.velocities);
      expect(coarse.body.contactCount).toBe(fine.body.contactCount);
      expect(coarse.contacts).toBeGreaterThan(0);
    });

    it('that is a little longer than 5 ms by rounding is one part', async () => {
      // 0.1 + 0.2 − 0.295 = 0.00500000000000006: a difference of 1e-14, which an impact multiplies by 1e6 or so; two parts
      // are another simulation.
      const exact = await drop(0.005, 40);
      const rounded = await drop(0.1 + 0.2 - 0.295, 40);
      const halved = await drop(0.005 * (1 + 1e-6), 40);
      expect(worstDifference(rounded.body, exact.body)).toBeLessThan(1e-6);
      expect(worstDifference(halved.body, exact.body)).toBeGreaterThan(1e-5);
    });

    it('shows moving obstacles where they are at its end, in parts on the way', async () => {
      // A plate that rises 1 m in 0.1 s carries a ball; with 20 ms steps it must do so as with 5 ms steps.
      const ride = async (timeStep: number) => {
        const world = await createWorld({ timeStep });
        world.addCollider({
          shape: 'box',
          size: [5, 0.2, 5],
          motion: [
            { time: 0, position: [0, -0.1, 0] },
            { time: 0.1, position: [0, 0.9, 0] },
          ],
        });
        const body = world.add(ball, { position: [0, 0.5, 0] });
        for (let step = 0; step < Math.round(0.1 / timeStep); step++) world.step();
        return { world, body };
      };
      const [coarse, fine] = [await ride(0.02), await ride(0.005)];
      // Times of parts differ by rounding, 1e-17 s at 10 m/s; contact multiplies it.
      expect(worstDifference(coarse.body, fine.body)).toBeLessThan(1e-9);
      expect(coarse.world.penetration(coarse.body)).toBeLessThan(1e-5);
    });
  });
});
