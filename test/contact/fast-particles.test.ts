// Fast particles and fast, thin obstacles: 100 m/s is half a metre in a step of 5 ms, 25 times a plate of 2 cm.

import { describe, expect, it } from 'vitest';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import { fromAxisAngle } from '../../src/math/quaternion.js';
import { seededRandom } from '../../src/math/random.js';
import type { Vec3 } from '../../src/math/vec3.js';
import { SingleParticle } from './single-particle.js';

const PLATE = { shape: 'box', size: [4, 0.02, 4] as Vec3 } as const;

describe('a particle at 100 m/s', () => {
  it.each([15, 30, 60, 90])('does not pass a plate of 2 cm that it meets at %i°', (degrees) => {
    const plate = new Obstacle(PLATE);
    const [across, down] = [Math.cos((degrees * Math.PI) / 180), -Math.sin((degrees * Math.PI) / 180)];
    const random = seededRandom(101);
    for (let n = 0; n < 200; n++) {
      const from: Vec3 = [random() - 1, 0.01 + 0.5 * random(), random() - 0.5];
      for (const side of [1, -1]) {
        const particle = new SingleParticle([from[0], side * from[1], from[2]], [100 * across, side * 100 * down, 0]);
        for (let step = 0; step < 3; step++) {
          particle.step([plate]);
          // Beside the plate there is nothing to pass.
          if (Math.abs(particle.position[0]) > 2) break;
          expect(side * particle.position[1]).toBeGreaterThan(0.01 - 1e-9);
        }
      }
    }
  });

  it.each([
    ['sphere', new Obstacle({ shape: 'sphere', radius: 0.02 })],
    ['capsule', new Obstacle({ shape: 'capsule', radius: 0.02, height: 1 })],
    [
      'cylinder',
      new Obstacle({ shape: 'cylinder', radius: 1, height: 0.02, rotation: fromAxisAngle([0, 0, 1], Math.PI / 2) }),
    ],
  ])('does not pass a %s of 2 to 4 cm head on', (_, collider) => {
    for (const start of [-0.45, -0.3, -0.1, -0.05]) {
      const particle = new SingleParticle([start, 0, 0], [100, 0, 0]);
      particle.step([collider]);
      expect(particle.touching).toBe(true);
      expect(particle.position[0]).toBeLessThan(0);
      expect(Math.abs(particle.velocity[0])).toBeLessThan(1e-9);
    }
  });

  it('passes beside', () => {
    const particle = new SingleParticle([-0.25, 0.03, 0], [100, 0, 0]);
    particle.step([new Obstacle({ shape: 'sphere', radius: 0.02 })]);
    expect(particle.touching).toBe(false);
    expect(particle.position[0]).toBe(0.25);
  });

  it('leaves a plate that it lies on', () => {
    const particle = new SingleParticle([0, 0.01, 0], [0, 100, 0]);
    particle.step([new Obstacle(PLATE)]);
    expect(Math.abs(particle.position[1] - 0.51)).toBeLessThan(1e-15);
  });

  it('comes out on the side where it is, if it starts a little inside and moves along', () => {
    const particle = new SingleParticle([0, 0.006, 0], [10, 0.1, 0]);
    particle.step([new Obstacle({ ...PLATE, friction: 0 })]);
    expect(Math.abs(particle.position[1] - 0.01)).toBeLessThan(1e-12);
    expect(Math.abs(particle.position[0] - 0.05)).toBeLessThan(1e-12);
  });
});

describe('a plate at 100 m/s', () => {
  it('sweeps up resting particles and takes them with it', () => {
    const plate = new Obstacle({
      ...PLATE,
      motion: [
        { time: 0, position: [0, -0.3, 0] },
        { time: 0.05, position: [0, 4.7, 0] },
      ],
    });
    for (const height of [-0.25, 0, 0.19, 0.4]) {
      const particle = new SingleParticle([0.2, height, 0.1], [0, 0, 0]);
      for (let step = 0; step < 10; step++) particle.step([plate]);
      // At 0.05 s the plate's upper face is at 4.71 m.
      expect(Math.abs(particle.position[1] - 4.71)).toBeLessThan(1e-9);
      expect(Math.abs(particle.velocity[1] - 100)).toBeLessThan(1e-9);
    }
  });

  it('does so while it turns: none is left behind a paddle of 40 rad/s', () => {
    // The tip, 2 m out, moves at 80 m/s: 0.4 m in a step. After a sixth of a turn every particle that was in front of the
    // paddle is still in front.
    const turn = (angle: number) => fromAxisAngle([0, 0, 1], angle);
    const omega = 40;
    const end = 0.026;
    const motion = Array.from({ length: 14 }, (_, n) => ({ time: 0.002 * n, rotation: turn(0.002 * n * omega) }));
    const random = seededRandom(102);
    for (let n = 0; n < 300; n++) {
      const paddle = new Obstacle({ ...PLATE, friction: 0, motion });
      const [radius, ahead] = [0.2 + 1.5 * random(), 0.02 + 0.9 * random()];
      const angle = Math.asin(Math.min(1, 0.012 / radius)) + ahead;
      const particle = new SingleParticle(
        [radius * Math.cos(angle), radius * Math.sin(angle), 0.5 * random()],
        [0, 0, 0],
        0.002,
      );
      while (particle.time < end - 1e-9) {
        particle.step([paddle]);
        const [c, s] = [Math.cos(-omega * particle.time), Math.sin(-omega * particle.time)];
        const [x, y] = [
          c * particle.position[0] - s * particle.position[1],
          s * particle.position[0] + c * particle.position[1],
        ];
        if (Math.abs(x) > 2) break; // thrown off the tip
        expect(y).toBeGreaterThan(0.01 - 1e-9);
      }
    }
  });
});
