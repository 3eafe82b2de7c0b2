// Law: a body that hits an obstacle bounces the higher the larger the restitution of either, whatever its stiffness and speed; and
// no restitution makes energy. With none, contact adds nothing to what elasticity gives back.
//
// Tolerances. Heights of the first bounce, in units of the drop h₀ = v²/2g: what the body loses in the impact is at least a
// tenth of its speed in all these settings (0.21 to 0.95), of which a step of 1/3 in restitution gives back a third: by more
// than 2·0.1/3·0.8 = 5 % of h₀ the next bounce is higher. Energy ½Σmv² + mgy is sampled between steps; a step of free flight
// keeps it but for ½·m·g·Δt·v, which is below 0.3 % of ½mv² + mgh here; it never grows beyond that.

import { describe, expect, it } from 'vitest';
import { type Body, box, icosphere, prepare, surface, type Vec3, type World } from '../../src/index.js';
import { add, distance, length, scale } from '../../src/math/vec3.js';
import { advance, BOTH_BACKENDS, type PerBackend, type TestedBackend, worldOn } from '../both-backends.js';

const RESTITUTIONS = [0, 1 / 3, 2 / 3, 1];
const mesh = icosphere({ detail: 2, radius: 0.5 });
const STIFFNESSES = [0.15, 0.5, 1];
const balls = STIFFNESSES.map((stiffness) => prepare(mesh, surface({ regionRadius: 0.3, stiffness })));

const energyOf = ({ velocities, masses, positions }: Body): number =>
  masses.reduce((sum, m, i) => {
    const v2 = velocities[3 * i] ** 2 + velocities[3 * i + 1] ** 2 + velocities[3 * i + 2] ** 2;
    return sum + m * (v2 / 2 + 9.81 * (positions[3 * i + 1] - 0.5));
  }, 0);

/** Height of the first bounce, and the largest share of the energy at the start that there ever is. */
async function bounce(world: World, body: Body): Promise<{ height: number; energy: number }> {
  const start = energyOf(body);
  let [height, energy] = [-Infinity, 0];
  for (let step = 0; step < 600; step++) {
    await advance(world);
    energy = Math.max(energy, energyOf(body) / start);
    const turned = body.momentum()[1] < 0 && height > -Infinity;
    if (body.momentum()[1] > 0) height = Math.max(height, body.centreOfMass()[1] - 0.5);
    if (turned && height > 0) break;
  }
  return { height, energy };
}

async function drop(backend: TestedBackend, kind: number, speed: number, of: { floor?: number; body?: number }) {
  const world = await worldOn(backend);
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], restitution: of.floor ?? 0 });
  const body = world.add(balls[kind], { position: [0, 0.51, 0], velocity: [0, -speed, 0], restitution: of.body ?? 0 });
  return { world, body };
}

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const settings = STIFFNESSES.flatMap((stiffness, kind) => [3, 10].map((speed) => ({ stiffness, kind, speed })));
  it.each(settings)('bounces rise with restitution: stiffness $stiffness, $speed m/s', async ({ kind, speed }) => {
    const full = speed ** 2 / (2 * 9.81);
    let last = -Infinity;
    for (const floor of RESTITUTIONS) {
      const { world, body } = await drop(backend, kind, speed, { floor });
      const { height, energy } = await bounce(world, body);
      expect(height).toBeGreaterThan(last + 0.05 * full);
      expect(height).toBeLessThan(full);
      expect(energy).toBeLessThan(1.003);
      last = height;
    }
    // All of the speed comes back, but for the flutter of the surface and what the body needs to lift itself.
    expect(last).toBeGreaterThan(0.7 * full);
  });

  it("the body's counts like the obstacle's", async () => {
    const heights: number[] = [];
    for (const of of [{ floor: 0.6 }, { body: 0.6 }, { floor: 0.6, body: 0.3 }]) {
      const { world, body } = await drop(backend, 2, 5, of);
      heights.push((await bounce(world, body)).height);
    }
    expect(heights[1]).toBe(heights[0]);
    expect(heights[2]).toBe(heights[0]);
  });

  /** Momentum in single precision: 1e-4 of what went through, as for free bodies. */
  const KEPT: PerBackend = { reference: 1e-10, wasm: 1e-4 };
  it('what it gives, the obstacle gets; a wall turns a thrown block, and it comes to rest', async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], restitution: 0.5 });
    const wall = world.addCollider({ shape: 'box', size: [0.4, 8, 8], position: [3, 4, 0], restitution: 0.9 });
    const block = prepare(box({ size: [0.6, 0.4, 0.5], divisions: [4, 3, 4] }), surface({ regionRadius: 0.2 }));
    const body = world.add(block, { position: [0, 2, 0], velocity: [8, 1, 0], spin: [0, 1, 3], restitution: 0.2 });
    const start = body.momentum();
    let given: Vec3 = [0, 0, 0];
    let back = 0;
    let free = 0;
    for (let step = 0; step < 2400; step++) {
      await advance(world);
      for (const { impulse } of world.colliders) given = add(given, impulse);
      back = Math.min(back, body.momentum()[0] / body.mass);
      if (world.contactEvents().some(({ phase }) => phase !== 'end')) continue;
      // In flight what is shown is what the solver holds.
      free++;
      const expected = add(add(start, scale(given, -1)), [0, -9.81 * body.mass * world.time, 0]);
      expect(distance(body.momentum(), expected)).toBeLessThan(KEPT[backend] * (length(start) + length(given)));
    }
    expect(free).toBeGreaterThan(50);
    expect(wall.position).toEqual([3, 4, 0]);
    // Nine tenths of what the wall took.
    expect(back).toBeLessThan(-5);
    // It rolls over its edges for some seconds; then what is left is a tremble.
    expect(length(body.momentum()) / body.mass).toBeLessThan(0.1);
  });

  it('is relative to an obstacle that moves', async () => {
    const speeds: number[] = [];
    for (const speed of [0, 4]) {
      const world = await worldOn(backend, { gravity: [0, 0, 0] });
      const floor = { shape: 'box', size: [4, 1, 4], restitution: 0.8 } as const;
      world.addCollider({
        ...floor,
        motion: [
          { time: 0, position: [0, -0.5, 0] },
          { time: 1, position: [0, speed - 0.5, 0] },
        ],
      });
      const body = world.add(balls[1], { position: [0, 0.53, 0], velocity: [0, speed - 6, 0] });
      await advance(world, 100);
      speeds.push(body.momentum()[1] / body.mass - speed);
    }
    // The same impact seen from elsewhere: rounding, and that of contact (see both-backends).
    expect(Math.abs(speeds[1] - speeds[0])).toBeLessThan(0.02 * speeds[0]);
    expect(speeds[0]).toBeGreaterThan(4.5);
  });
});
