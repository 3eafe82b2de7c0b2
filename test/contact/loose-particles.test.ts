// Contact as a whole step has it, on both backends: a body without stiffness, damping and volume is a cloud of particles,
// each of which meets the obstacles by itself. Laws and closed forms are those of the single particles of the other files.

import { describe, expect, it } from 'vitest';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import {
  type Body,
  type ColliderOptions,
  icosphere,
  prepare,
  surface,
  type Vec3,
  type World,
} from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { BOTH_BACKENDS, type PerBackend, worldOn } from '../both-backends.js';
import { OBSTACLE_SHAPES } from './obstacle-shapes.js';

const cloud = prepare(icosphere({ detail: 3 }), surface({ regionSize: 1, stiffness: 0, damping: 0, volume: false }));
/** Of positions of order 1 or 2, after a step. */
const ROUNDINGS: PerBackend = { reference: 1e-12, wasm: 1e-6 };

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  const ROUNDING = ROUNDINGS[backend];

  /** Particles where and how fast they are told to be. */
  async function scatter(
    colliders: readonly ColliderOptions[],
    put: (i: number) => { position: Vec3; velocity: Vec3 },
    gravity: Vec3 = [0, 0, 0],
  ): Promise<{ world: World; body: Body }> {
    const world = await worldOn(backend, { gravity });
    for (const collider of colliders) world.addCollider(collider);
    const body = world.add(cloud);
    for (let i = 0; i < body.particleCount; i++) {
      const { position, velocity } = put(i);
      body.positions.set(position, 3 * i);
      body.velocities.set(velocity, 3 * i);
    }
    body.changed();
    return { world, body };
  }

  describe.each(OBSTACLE_SHAPES.map((shape) => [shape.shape, shape] as const))('a %s', (_, shape) => {
    it('puts resting particles on its surface, the nearest way, and leaves those outside alone', async () => {
      const random = seededRandom(94);
      const { world, body } = await scatter([shape], () => ({
        position: [2 * random() - 1, 2 * random() - 1, 2 * random() - 1],
        velocity: [0, 0, 0],
      }));
      const before = body.positions.slice();
      world.step();
      const { shape: own, position, rotation } = world.colliders[0];
      const obstacle = new Obstacle({ ...own, position, rotation });
      let inside = 0;
      for (let i = 0; i < body.particleCount; i++) {
        const [x, y, z] = before.subarray(3 * i, 3 * i + 3);
        const out = { distance: 0, nx: 0, ny: 0, nz: 0 };
        obstacle.measure(x, y, z, out);
        const depth = Math.min(0, out.distance);
        if (depth < 0) inside++;
        [x - depth * out.nx, y - depth * out.ny, z - depth * out.nz].forEach((expected, c) => {
          expect(Math.abs(body.positions[3 * i + c] - expected)).toBeLessThan(ROUNDING);
        });
      }
      expect(inside).toBeGreaterThan(10);
      expect(body.contactCount).toBe(inside);
    });

    it.each([0, 0.5, 5])('lets none in at up to 170 m/s, friction %d', async (friction) => {
      const random = seededRandom(95);
      const any = (size: number): Vec3 => [size * (random() - 0.5), size * (random() - 0.5), size * (random() - 0.5)];
      const { world, body } = await scatter([{ ...shape, friction }], (i) => ({
        position: any(i % 3 === 0 ? 1 : 2),
        velocity: any(i % 2 === 0 ? 4 : 200),
      }));
      world.step();
      expect(body.contactCount).toBeGreaterThan(50);
      // Ways of up to a metre: what is left of them is rounded as they are.
      expect(world.penetration(body)).toBeLessThan(4 * ROUNDING);
      expect(body.positions.every(Number.isFinite)).toBe(true);
    });
  });

  /** A floor inclined by an angle about z, falling towards +x, with the particles lying on it. */
  const incline = (degrees: number, friction: number, speed = 0) => {
    const angle = (degrees * Math.PI) / 180;
    const downhill: Vec3 = [Math.cos(angle), -Math.sin(angle), 0];
    const random = seededRandom(96);
    const floor: ColliderOptions = { shape: 'plane', normal: [Math.sin(angle), Math.cos(angle), 0], friction };
    const put = () => {
      const along = random() - 0.5;
      return {
        position: [along * downhill[0], along * downhill[1], random() - 0.5] as Vec3,
        velocity: [speed * downhill[0], speed * downhill[1], 0] as Vec3,
      };
    };
    return { angle, downhill, floor, put };
  };
  const gravity: Vec3 = [0, -9.81, 0];

  it.each([10, 30, 45])('friction above tan %i° holds particles on an incline', async (degrees) => {
    const { floor, put } = incline(degrees, Math.tan((degrees * Math.PI) / 180) * 1.01);
    const { world, body } = await scatter([floor], put, gravity);
    const before = body.positions.slice();
    for (let step = 0; step < 200; step++) world.step();
    body.positions.forEach((x, k) => {
      // Every step their weight is taken anew, to a rounding of position each: they do not creep.
      expect(Math.abs(x - before[k])).toBeLessThan({ reference: 1e-12, wasm: 2e-5 }[backend]);
    });
  });

  it.each([
    [10, 0],
    [30, 0.3],
    [45, 0.9],
  ])('they slide at g(sin − μ cos) on %i° with μ = %d', async (degrees, friction) => {
    const { angle, downhill, floor, put } = incline(degrees, friction);
    const { world, body } = await scatter([floor], put, gravity);
    const before = body.positions.slice();
    const steps = 100;
    for (let step = 0; step < steps; step++) world.step();
    const pull = 9.81 * (Math.sin(angle) - friction * Math.cos(angle));
    // The scheme is v ← v + Δt·a, x ← x + Δt·v: x = a·Δt²·n(n+1)/2, up to 0.8 m.
    const way = (pull * world.timeStep ** 2 * steps * (steps + 1)) / 2;
    body.positions.forEach((x, k) => {
      const expected = before[k] + way * downhill[k % 3];
      expect(Math.abs(x - expected)).toBeLessThan({ reference: 1e-10, wasm: 1e-4 }[backend]);
    });
  });

  it('friction brakes them at μg until they rest, and never turns them back', async () => {
    const { floor, put } = incline(0, 0.4, 1);
    const { world, body } = await scatter([floor], put, gravity);
    let last = 1;
    for (let step = 0; step < 80; step++) {
      world.step();
      const expected = Math.max(0, 1 - 0.4 * 9.81 * world.time);
      // Shown are ways over time: 6e-8 m over 5 ms and more, as rounding decides who is on the floor and who above it.
      expect(Math.abs(body.velocities[0] - expected)).toBeLessThan({ reference: 1e-11, wasm: 1e-3 }[backend]);
      expect(body.velocities[0]).toBeLessThan(last + { reference: 1e-12, wasm: 1e-3 }[backend]);
      last = body.velocities[0];
    }
    expect(Math.abs(last)).toBeLessThan({ reference: 1e-12, wasm: 1e-4 }[backend]);
  });

  it.each([0.5, 2, 5, 15, 30, 60, 90])(
    'a plate of 2 cm lets none pass that meets it at 100 m/s and %d°',
    async (degrees) => {
      const angle = (degrees * Math.PI) / 180;
      const random = seededRandom(97);
      const plate: ColliderOptions = { shape: 'box', size: [4, 0.02, 4] };
      const { world, body } = await scatter([plate], (i) => {
        const side = i % 2 === 0 ? 1 : -1;
        const height = 0.0101 + 0.5 * Math.sin(angle) * random();
        return {
          position: [random() - 1, side * height, random() - 0.5],
          velocity: [100 * Math.cos(angle), -100 * side * Math.sin(angle), 0],
        };
      });
      const touched = new Set<number>();
      for (let step = 0; step < 3; step++) {
        world.step();
        for (let i = 0; i < body.particleCount; i++) {
          // Beside the plate there is nothing to pass.
          if (Math.abs(body.positions[3 * i]) > 2) continue;
          const height = (i % 2 === 0 ? 1 : -1) * body.positions[3 * i + 1];
          if (!(height > 0.01 - 4 * ROUNDING)) throw new Error(`particle ${i} is at ${height}`);
          if (height < 0.0101) touched.add(i);
        }
      }
      expect(touched.size).toBeGreaterThan(100);
    },
  );

  it.each([2, 100])('a plate that comes at %d m/s takes them with it', async (speed) => {
    const time = 0.05;
    const plate: ColliderOptions = {
      shape: 'box',
      size: [8, 0.02, 8],
      friction: 0,
      motion: [
        { time: 0, position: [0, -0.02, 0] },
        { time, position: [0, -0.02 + speed * time, 0] },
      ],
    };
    const random = seededRandom(98);
    const { world, body } = await scatter([plate], () => ({
      position: [random() - 0.5, 0.5 * Math.min(1, speed * time) * random(), random() - 0.5],
      velocity: [0, 0, 0],
    }));
    for (let step = 0; step < 10; step++) world.step();
    for (let k = 1; k < body.positions.length; k += 3) {
      // The upper face is at −0.01 + v·t.
      const face = -0.01 + speed * time;
      expect(Math.abs(body.positions[k] - face)).toBeLessThan({ reference: 1e-9, wasm: 1e-5 }[backend]);
      expect(Math.abs(body.velocities[k] / speed - 1)).toBeLessThan({ reference: 1e-9, wasm: 1e-4 }[backend]);
    }
  });

  it.each([60, 75, 90, 120])('a corner of %i° holds them outside both planes', async (degrees) => {
    const half = (degrees * Math.PI) / 360;
    const planes = [-1, 1].map(
      (side): ColliderOptions => ({ shape: 'plane', normal: [side * Math.cos(half), Math.sin(half), 0], friction: 0 }),
    );
    const random = seededRandom(99);
    const { world, body } = await scatter(planes, () => ({
      position: [0.1 * (random() - 0.5), 0.2 + random(), random() - 0.5],
      velocity: [40 * (random() - 0.5), -100 * random(), 0],
    }));
    for (let step = 0; step < 20; step++) world.step();
    // Each pass shrinks the depth by cos² of the corner's angle: twelve passes leave 4⁻¹² of half a metre at 60°.
    expect(world.penetration(body)).toBeLessThan(Math.max(1e-6, 4 * ROUNDING));
  });
});
