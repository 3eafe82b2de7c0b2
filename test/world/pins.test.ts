// Pins: exactly where their motion says at every step, whatever the body, gravity and obstacles do.

import { describe, expect, it } from 'vitest';
import { box, icosphere, prepare, surface, type TriangleMesh, type Vec3, type WorldOptions } from '../../src/index.js';
import { fromAxisAngle, rotate } from '../../src/math/quaternion.js';
import { add, pointAt, scale, subtract } from '../../src/math/vec3.js';
import { BOTH_BACKENDS, type PerBackend, worldOn } from '../both-backends.js';

/** Positions of order 10 through a rotation: a few ε each. In single precision they are shown to 5e-7. */
const EXACTLY: PerBackend = { reference: 1e-12, wasm: 1e-6 };

const bar = prepare(box({ size: [4, 1, 1], divisions: [8, 2, 2] }), surface({ regionSize: 2 }));
const select = (mesh: TriangleMesh, test: (p: Vec3) => boolean): number[] =>
  Array.from({ length: mesh.positions.length / 3 }, (_, i) => i).filter((i) => test(pointAt(mesh.positions, i)));
const leftEnd = select(bar.mesh, (p) => p[0] < -1.99);
const rightEnd = select(bar.mesh, (p) => p[0] > 1.99);

const far = (a: Vec3, b: Vec3) => Math.max(...a.map((x, c) => Math.abs(x - b[c])));
const centreOf = (points: readonly Vec3[]): Vec3 => scale(points.reduce(add, [0, 0, 0]), 1 / points.length);

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const createWorld = (options: WorldOptions = {}) => worldOn(backend, options);
  const EXACT = EXACTLY[backend];

  describe('pins', () => {
    it('hold vertices where they are and let the rest hang', async () => {
      const world = await createWorld();
      const body = world.add(bar, { position: [0, 5, 0] });
      const before = body.positions.slice();
      body.pin(leftEnd);
      for (let step = 0; step < 100; step++) {
        world.step();
        for (const v of leftEnd) expect(far(pointAt(body.positions, v), pointAt(before, v))).toBeLessThan(EXACT);
      }
      for (const v of leftEnd) expect(far(pointAt(body.velocities, v), [0, 0, 0])).toBeLessThan(EXACT);
      for (const v of rightEnd) expect(body.positions[3 * v + 1]).toBeLessThan(before[3 * v + 1] - 0.01);
    });

    it('follow a motion that displaces and turns the set about its own centre', async () => {
      const world = await createWorld();
      const body = world.add(bar, {
        position: [3, 5, -2],
        rotation: fromAxisAngle([0, 1, 0], 0.4),
        velocity: [0, 3, 0],
      });
      const start = rightEnd.map((v) => pointAt(body.positions, v));
      const centre = centreOf(start);
      const [way, angle] = [[0.4, -0.2, 0.6] as Vec3, 2.1];
      body.pin(rightEnd, [
        { time: 0 },
        { time: 0.1, position: scale(way, 0.5), rotation: fromAxisAngle([1, 0, 0], angle / 2) },
        { time: 0.2, position: way, rotation: fromAxisAngle([1, 0, 0], angle) },
      ]);
      let last = start;
      for (let step = 0; step < 60; step++) {
        world.step();
        const share = Math.min(1, world.time / 0.2);
        const turn = fromAxisAngle([1, 0, 0], angle * share);
        const expected = start.map((p) => add(add(centre, scale(way, share)), rotate(turn, subtract(p, centre))));
        rightEnd.forEach((v, n) => {
          expect(far(pointAt(body.positions, v), expected[n])).toBeLessThan(EXACT);
          // With the velocity that took them there: an error over 5 ms.
          const velocity = scale(subtract(expected[n], last[n]), 1 / world.timeStep);
          expect(far(pointAt(body.velocities, v), velocity)).toBeLessThan(EXACT / 0.001);
        });
        last = expected;
      }
    });

    it('are exact in every part of a long step, and through obstacles', async () => {
      const world = await createWorld({ timeStep: 0.02 });
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0.2 });
      const body = world.add(bar, { position: [0, 1, 0] });
      const start = leftEnd.map((v) => pointAt(body.positions, v));
      body.pin(leftEnd, [{ time: 0 }, { time: 0.4, position: [0, -2, 0] }]);
      for (let step = 0; step < 20; step++) {
        world.step();
        leftEnd.forEach((v, n) => {
          const expected = add(start[n], [0, (-2 * world.time) / 0.4, 0]);
          expect(far(pointAt(body.positions, v), expected)).toBeLessThan(EXACT);
        });
      }
      expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan({ reference: 1e-9, wasm: 1e-6 }[backend]);
    });

    it('let go where they are, with the velocity they had', async () => {
      const world = await createWorld({ gravity: [0, 0, 0] });
      const ball = prepare(icosphere({ detail: 1 }), surface({ regionSize: 1 }));
      const body = world.add(ball);
      const all = Array.from({ length: body.particleCount }, (_, i) => i);
      const pin = body.pin(all, [{ time: 0 }, { time: 1, position: [0, 3, 0] }]);
      for (let step = 0; step < 20; step++) world.step();
      body.unpin(pin);
      for (let step = 0; step < 20; step++) world.step();
      // All pinned at 3 m/s: a rigid motion, which nothing changes afterwards.
      body.positions.forEach((x, k) => {
        expect(Math.abs(x - ball.mesh.positions[k] - (k % 3 === 1 ? 0.6 : 0))).toBeLessThan(10 * EXACT);
      });
      body.unpin(pin);
      world.step();
    });

    it('may be several; the latest decides about a vertex of both', async () => {
      const world = await createWorld();
      const body = world.add(bar);
      body.pin(leftEnd);
      const second = body.pin([leftEnd[0]], [{ time: 0, position: [0, 0.1, 0] }]);
      const start = pointAt(bar.mesh.positions, leftEnd[0]);
      world.step();
      expect(far(pointAt(body.positions, leftEnd[0]), add(start, [0, 0.1, 0]))).toBeLessThan(EXACT);
      expect(far(pointAt(body.positions, leftEnd[1]), pointAt(bar.mesh.positions, leftEnd[1]))).toBeLessThan(EXACT);
      body.unpin(second);
      world.step();
      expect(far(pointAt(body.positions, leftEnd[0]), start)).toBeLessThan(EXACT);
    });

    it('take a new motion while the world runs', async () => {
      const world = await createWorld();
      const body = world.add(bar);
      const pin = body.pin(leftEnd);
      world.step();
      pin.motion = [{ time: 0, position: [1, 0, 0] }];
      world.step();
      for (const v of leftEnd) {
        expect(far(pointAt(body.positions, v), add(pointAt(bar.mesh.positions, v), [1, 0, 0]))).toBeLessThan(EXACT);
      }
    });

    it('are led by hand, evenly over the substeps, and stay where they were led', async () => {
      const world = await createWorld({ timeStep: 0.02 });
      const body = world.add(bar, { position: [0, 3, 0] });
      const pin = body.pin(
        body.select({
          box: [
            [1.99, -1, -1],
            [3, 1, 1],
          ],
        }),
      );
      expect(Array.from(pin.vertices)).toEqual(rightEnd);
      const start = rightEnd.map((v) => pointAt(body.positions, v));
      const centre = centreOf(start);
      let moved = 0;
      for (let step = 1; step <= 40; step++) {
        const turn = fromAxisAngle([1, 0, 0], 0.05 * Math.min(step, 30));
        moved = 0.01 * Math.min(step, 30);
        if (step <= 30) pin.moveTo(add(centre, [moved, 2 * moved, 0]), turn);
        world.step();
        rightEnd.forEach((v, n) => {
          const expected = add(add(centre, [moved, 2 * moved, 0]), rotate(turn, subtract(start[n], centre)));
          expect(far(pointAt(body.positions, v), expected)).toBeLessThan(EXACT);
        });
        // Evenly: the velocity in the last of the step's four parts is that of the whole step; turning adds 0.5 m × 2.5 rad/s.
        const velocity = scale(
          rightEnd.map((v) => pointAt(body.velocities, v)).reduce(add, [0, 0, 0]),
          1 / rightEnd.length,
        );
        if (step <= 30) expect(far(velocity, [0.5, 1, 0])).toBeLessThan(EXACT / 0.001);
        else expect(far(velocity, [0, 0, 0])).toBeLessThan(EXACT / 0.001);
      }
      expect(() => pin.moveTo([0, Number.NaN, 0])).toThrow('position: expected 3 finite numbers');
    });

    it('take the vertices in a ball as well', async () => {
      const body = (await createWorld()).add(bar, { position: [7, 0, 0] });
      const chosen = body.select({ sphere: { centre: [2, 0.5, 0.5], radius: 0.6 } });
      expect(chosen).toEqual(select(bar.mesh, (p) => Math.hypot(p[0] - 2, p[1] - 0.5, p[2] - 0.5) <= 0.6));
      expect(chosen.length).toBeGreaterThan(3);
      expect(() => body.select({ sphere: { centre: [0, 0, 0], radius: 0 } })).toThrow(
        'sphere.radius: expected a positive',
      );
    });

    it.each([
      [[], 'pin: expected at least one vertex, got none'],
      [[0, 1000], 'pin: expected vertices from 0 to'],
    ])('refuse %o by name', async (vertices, message) => {
      const body = (await createWorld()).add(bar);
      expect(() => body.pin(vertices)).toThrow(RangeError);
      expect(() => body.pin(vertices)).toThrow(message);
    });
  });
});
