// Elapsed time to fixed steps: counts, the carried rest, interpolation, and no spiral of death.

import { describe, expect, it } from 'vitest';
import { icosphere, prepare, surface, type WorldOptions } from '../../src/index.js';
import { BOTH_BACKENDS, type PerBackend, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 0 }), surface({ regionSize: 1 }));

/** A few roundings of positions of order 1, or 100 where a body was moved there. */
const ROUNDING: PerBackend = { reference: 1e-12, wasm: 1e-6 };

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const createWorld = (options: WorldOptions = {}) => worldOn(backend, options);

  describe('advance', () => {
    it('takes 200 steps of 5 ms in 60 frames of 1/60 s, three or four at a time', async () => {
      const world = await createWorld();
      const counts = Array.from({ length: 60 }, () => world.advance(1 / 60));
      expect(counts.every((n) => n === 3 || n === 4)).toBe(true);
      expect(counts.reduce((sum, n) => sum + n, 0)).toBe(200);
      expect(world.stepCount).toBe(200);
      expect(Math.abs(world.time - 1)).toBeLessThan(1e-12);
    });

    it.each([1 / 30, 1 / 144, 0.005, 0.001, 0.0123])('loses no time in frames of %d s', async (frame) => {
      const world = await createWorld();
      let [elapsed, steps] = [0, 0];
      while (elapsed < 1) {
        steps += world.advance(frame);
        elapsed += frame;
        // Never more than a step behind, never ahead, to the rounding of a thousand sums.
        expect(world.time).toBeGreaterThan(elapsed - world.timeStep - 1e-9);
        expect(world.time).toBeLessThan(elapsed + 1e-9);
      }
      expect(world.stepCount).toBe(steps);
    });

    it('carries over what does not fill a step', async () => {
      const world = await createWorld({ timeStep: 0.004 });
      expect([0.003, 0.0005, 0, 0.001, 0.007, 0.0005].map((elapsed) => world.advance(elapsed))).toEqual([
        0, 0, 0, 1, 1, 1,
      ]);
    });

    it('catches up a quarter of a second at most, and forgets the rest', async () => {
      const world = await createWorld();
      expect(world.advance(10)).toBe(50);
      expect(world.advance(0)).toBe(0);
      expect(world.advance(0.005)).toBe(1);
      expect(world.advance(Infinity)).toBe(50);
    });

    it('catches up two of the longest steps', async () => {
      const world = await createWorld({ timeStep: 0.1 });
      expect([0.05, 0.05, 0.1, 10].map((elapsed) => world.advance(elapsed))).toEqual([0, 1, 1, 2]);
    });

    it('takes the time of a first picture, which may lie before the clock was read, for none', async () => {
      const world = await createWorld({ backend });
      expect(world.advance(-0.003)).toBe(0);
      expect(world.advance(world.timeStep)).toBe(1);
    });

    it.each([-1, Number.NaN])('refuses %d s', async (elapsed) => {
      const world = await createWorld();
      expect(() => world.advance(elapsed)).toThrow(RangeError);
      expect(() => world.advance(elapsed)).toThrow('elapsed: expected a number from 0');
      expect(world.stepCount).toBe(0);
    });
  });

  describe('interpolated positions', () => {
    it('lie between the last two steps, by the share of a step that is carried over', async () => {
      const world = await createWorld({ gravity: [0, 0, 0], timeStep: 0.004 });
      const body = world.add(ball, { velocity: [2, 0, -1] });
      expect(Float32Array.from(body.interpolated)).toEqual(Float32Array.from(body.positions));
      let elapsed = 0;
      for (const frame of [0.001, 0.004, 0.0095, 0.002, 0.0042]) {
        world.advance(frame);
        elapsed += frame;
        // Shown a step late: before the first step nothing moves, then x₀ + v·(t − Δt).
        const time = Math.max(0, elapsed - world.timeStep);
        const shown = world.stepCount === 0 ? 0 : time;
        body.interpolated.forEach((x, k) => {
          expect(Math.abs(x - ball.mesh.positions[k] - [2, 0, -1][k % 3] * shown)).toBeLessThan(ROUNDING[backend]);
        });
      }
    });

    it('jump with a body that is placed anew', async () => {
      const world = await createWorld({ gravity: [0, 0, 0] });
      const body = world.add(ball, { velocity: [1, 0, 0] });
      world.advance(0.012);
      for (let k = 0; k < body.positions.length; k += 3) body.positions[k] += 100;
      body.changed();
      expect(body.interpolated).toEqual(Float64Array.from(body.positions));
      world.advance(0);
      expect(body.interpolated).toEqual(Float64Array.from(body.positions));
    });
  });
});
