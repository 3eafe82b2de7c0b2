// Contact of single particles with obstacles: outside at the end, Coulomb's law, pushed and dragged by what moves.

import { describe, expect, it } from 'vitest';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import {
  deepestPenetration,
  liftOff,
  markPenetrating,
  resolveObstacles,
  stopApproaching,
} from '../../src/contact/obstacles/obstacle-contact.js';
import { createParticleContacts } from '../../src/contact/particle-contacts.js';
import { fromAxisAngle } from '../../src/math/quaternion.js';
import { seededRandom } from '../../src/math/random.js';
import { dot, length, type Vec3 } from '../../src/math/vec3.js';
import { OBSTACLE_SHAPES } from './obstacle-shapes.js';
import { SingleParticle } from './single-particle.js';

const DEGREE = Math.PI / 180;
/** A floor inclined by an angle about z, falling towards +x. */
const incline = (angle: number, friction: number): Obstacle =>
  new Obstacle({ shape: 'plane', normal: [Math.sin(angle), Math.cos(angle), 0], friction });

describe.each(OBSTACLE_SHAPES.map((shape) => [shape.shape, shape] as const))('particles against a %s', (_, shape) => {
  it.each([0, 0.5, 5])('end outside and do not approach, friction %d', (friction) => {
    const collider = new Obstacle({ ...shape, friction });
    const random = seededRandom(91);
    let touched = 0;
    for (let n = 0; n < 500; n++) {
      const any = (size: number): Vec3 => [size * (random() - 0.5), size * (random() - 0.5), size * (random() - 0.5)];
      const particle = new SingleParticle(any(n % 3 === 0 ? 1 : 2), any(n % 2 === 0 ? 4 : 200));
      particle.step([collider]);
      expect(deepestPenetration([collider], particle.position)).toBeLessThan(1e-12);
      if (!particle.touching) continue;
      touched++;
      const normal: Vec3 = [...particle.contacts.normals] as unknown as Vec3;
      expect(Math.abs(length(normal) - 1)).toBeLessThan(1e-12);
      expect(dot([...particle.velocity] as unknown as Vec3, normal)).toBeGreaterThan(-1e-12 * 200);
    }
    expect(touched).toBeGreaterThan(40);
  });

  it('leave those alone that do not touch, and those that are pinned', () => {
    const collider = new Obstacle(shape);
    const random = seededRandom(92);
    const count = 300;
    const starts = Float64Array.from({ length: 3 * count }, () => 2 * random() - 1);
    const velocities = starts.map(() => random() - 0.5);
    const positions = starts.map((x, k) => x + 0.005 * velocities[k]);
    const pinned = Uint8Array.from({ length: count }, (_, i) => i % 2);
    const [before, speeds] = [positions.slice(), velocities.slice()];
    const contacts = createParticleContacts(count);
    resolveObstacles([collider], positions, starts, velocities, pinned, 0.005, contacts);
    let [moved, deep] = [0, 0];
    for (let i = 0; i < count; i++) {
      const row = [3 * i, 3 * i + 3] as const;
      const same = before.subarray(...row).every((x, c) => x === positions[row[0] + c]);
      const depth = deepestPenetration([collider], before.slice(...row));
      if (contacts.colliding[i] !== 0) moved++;
      if (pinned[i] !== 0 && depth > 0) deep++;
      if (pinned[i] === 0 && depth > 0) continue;
      expect(same).toBe(true);
      expect(contacts.colliding[i]).toBe(0);
      expect(velocities.slice(...row)).toEqual(speeds.slice(...row));
    }
    expect(moved).toBeGreaterThan(5);
    expect(deep).toBeGreaterThan(5);
  });
});

describe('Coulomb friction on an incline', () => {
  const gravity: Vec3 = [0, -9.81, 0];

  it.each([10, 30, 45])('holds a particle at rest where μ > tan %i°', (degrees) => {
    const angle = degrees * DEGREE;
    const particle = new SingleParticle([0, 0, 0], [0, 0, 0]);
    const floor = incline(angle, Math.tan(angle) * 1.01);
    for (let step = 0; step < 400; step++) particle.step([floor], gravity);
    // Every step its weight is taken anew, to rounding; it does not creep.
    expect(length([...particle.position] as unknown as Vec3)).toBeLessThan(1e-12);
    expect(particle.touching).toBe(true);
  });

  it.each([
    [10, 0],
    [30, 0.3],
    [45, 0.9],
  ])('lets it slide at g(sin − μ cos) on %i° with μ = %d', (degrees, friction) => {
    const angle = degrees * DEGREE;
    const particle = new SingleParticle([0, 0, 0], [0, 0, 0]);
    const floor = incline(angle, friction);
    const steps = 200;
    for (let step = 0; step < steps; step++) particle.step([floor], gravity);
    const pull = 9.81 * (Math.sin(angle) - friction * Math.cos(angle));
    const time = steps * particle.timeStep;
    const downhill: Vec3 = [Math.cos(angle), -Math.sin(angle), 0];
    // The scheme is v ← v + Δt·a, x ← x + Δt·v: exact in v, x = a·Δt²·n(n+1)/2.
    expect(Math.abs(dot([...particle.velocity] as unknown as Vec3, downhill) - pull * time)).toBeLessThan(1e-11);
    const way = (pull * particle.timeStep ** 2 * steps * (steps + 1)) / 2;
    expect(Math.abs(dot([...particle.position] as unknown as Vec3, downhill) - way)).toBeLessThan(1e-11);
  });

  it('brakes a sliding particle at μg until it rests, and never turns it back', () => {
    const particle = new SingleParticle([0, 0, 0], [1, 0, 0]);
    const floor = incline(0, 0.4);
    let last = 1;
    for (let step = 0; step < 100; step++) {
      particle.step([floor], gravity);
      const expected = Math.max(0, 1 - 0.4 * 9.81 * particle.time);
      expect(Math.abs(particle.velocity[0] - expected)).toBeLessThan(1e-12);
      expect(particle.velocity[0]).toBeLessThanOrEqual(last);
      last = particle.velocity[0];
    }
    expect(last).toBe(0);
  });
});

describe('moving obstacles', () => {
  const lid = (velocity: Vec3, friction: number): Obstacle =>
    new Obstacle({
      shape: 'box',
      size: [10, 1, 10],
      friction,
      motion: [
        { time: 0, position: [0, -0.5, 0] },
        { time: 10, position: [10 * velocity[0], -0.5 + 10 * velocity[1], 10 * velocity[2]] },
      ],
    });

  it('drag what lies on them along, with enough friction', () => {
    const particle = new SingleParticle([0, 0, 0], [0, 0, 0]);
    const plate = lid([0.6, 0, -0.2], 3);
    for (let step = 0; step < 100; step++) particle.step([plate], [0, -9.81, 0]);
    // μg·t = 0.6 m/s is reached within 0.03 s; then it moves with the plate, which came 0.3 m and −0.1 m.
    expect(Math.abs(particle.velocity[0] - 0.6)).toBeLessThan(1e-11);
    expect(Math.abs(particle.velocity[2] + 0.2)).toBeLessThan(1e-11);
    expect(particle.position[0]).toBeGreaterThan(0.28);
    expect(particle.position[0]).toBeLessThan(0.3);
  });

  it('speed it up by μg at most, and not at all without friction', () => {
    for (const friction of [0, 0.1]) {
      const particle = new SingleParticle([0, 0, 0], [0, 0, 0]);
      const plate = lid([5, 0, 0], friction);
      for (let step = 0; step < 100; step++) particle.step([plate], [0, -9.81, 0]);
      expect(Math.abs(particle.velocity[0] - friction * 9.81 * 0.5)).toBeLessThan(1e-11);
    }
  });

  it('push what is in their way and give it their velocity', () => {
    const particle = new SingleParticle([0.3, 0.05, 0.1], [0, 0, 0]);
    const plate = lid([0, 2, 0], 0);
    for (let step = 0; step < 40; step++) {
      particle.step([plate]);
      expect(particle.position[1]).toBeGreaterThan(2 * particle.time - 1e-12);
    }
    expect(Math.abs(particle.velocity[1] - 2)).toBeLessThan(1e-11);
    expect(Math.abs(particle.position[1] - 0.4)).toBeLessThan(1e-12);
  });

  it('do not hold what they leave', () => {
    const particle = new SingleParticle([0, 0, 0], [0, 0, 0]);
    const plate = lid([0, -1, 0], 1);
    for (let step = 0; step < 20; step++) particle.step([plate]);
    expect([...particle.position]).toEqual([0, 0, 0]);
  });

  it('throw by their spin: the velocity of the surface is ω×r', () => {
    // A disc that turns about y at 2 rad/s; a particle at radius 0.5 is dragged to 1 m/s along the circle.
    const omega = 2;
    const disc = new Obstacle({
      shape: 'cylinder',
      radius: 3,
      height: 1,
      friction: 50,
      motion: Array.from({ length: 20 }, (_, n) => ({
        time: 0.2 * n,
        position: [0, -0.5, 0] as Vec3,
        rotation: fromAxisAngle([0, 1, 0], 0.2 * n * omega),
      })),
    });
    const particle = new SingleParticle([0.5, 0, 0], [0, 0, 0]);
    particle.step([disc], [0, -9.81, 0]);
    const { surfaceVelocities } = particle.contacts;
    // The chord of a turn of 0.01 rad: shorter than the arc by 4e-6, turned by half the angle.
    expect(Math.abs(Math.sqrt(surfaceVelocities[0] ** 2 + surfaceVelocities[2] ** 2) - omega * 0.5)).toBeLessThan(1e-4);
    expect(particle.velocity[2]).toBeLessThan(-0.99);
  });
});

describe('a corner', () => {
  const wall = (normal: Vec3) => new Obstacle({ shape: 'plane', normal, friction: 0.5 });

  it.each([
    ['two', [wall([0, 1, 0]), wall([1, 0, 0])]],
    ['three', [wall([0, 1, 0]), wall([1, 0, 0]), wall([0, 0, 1])]],
    ['two at a blunt angle', [wall([0, 1, 0]), wall([1, 1, 0])]],
  ] as const)('of %s planes holds a particle outside all of them', (_, walls) => {
    const random = seededRandom(93);
    for (let n = 0; n < 50; n++) {
      const particle = new SingleParticle(
        [random(), random(), random()],
        [-20 * random(), -20 * random(), -20 * random()],
      );
      for (let step = 0; step < 60; step++) {
        particle.step(walls, [0, -9.81, 0]);
        expect(deepestPenetration(walls, particle.position)).toBeLessThan(1e-12);
      }
    }
  });
});

describe('stopApproaching', () => {
  it('takes the approach of colliding particles only, and does nothing twice', () => {
    const contacts = createParticleContacts(4);
    contacts.colliding.set([1, 1, 0, 1]);
    for (let i = 0; i < 4; i++) contacts.normals.set([0, 1, 0], 3 * i);
    contacts.surfaceVelocities.set([0, 0.5, 0], 9);
    const velocities = Float64Array.of(1, -2, 0, 1, 2, 0, 1, -2, 0, 0, 0.2, 0);
    stopApproaching(contacts, velocities);
    expect([...velocities]).toEqual([1, 0, 0, 1, 2, 0, 1, -2, 0, 0, 0.5, 0]);
    stopApproaching(contacts, velocities);
    expect([...velocities]).toEqual([1, 0, 0, 1, 2, 0, 1, -2, 0, 0, 0.5, 0]);
  });
});

describe('liftOff', () => {
  it('takes what points into the obstacle from displacements of colliding particles, however the obstacle moves', () => {
    const contacts = createParticleContacts(3);
    contacts.colliding.set([1, 1, 0]);
    contacts.normals.set([0, 1, 0, 0.6, 0.8, 0, 0, 1, 0]);
    contacts.surfaceVelocities.fill(-9);
    contacts.frictions.fill(2);
    const displacement = Float64Array.of(1, -2, 3, 1, 2, 0, 1, -2, 3);
    liftOff(contacts, displacement);
    expect([...displacement]).toEqual([1, 0, 3, 1, 2, 0, 1, -2, 3]);
    displacement.set([-2, -1, 4], 3);
    liftOff(contacts, displacement);
    // (−2, −1)·(0.6, 0.8) = −2 along the normal goes; the rest is (−0.8, 0.6).
    [-0.8, 0.6, 4].forEach((d, c) => {
      expect(Math.abs(displacement[3 + c] - d)).toBeLessThan(1e-15);
    });
  });
});

describe('markPenetrating', () => {
  it('marks what is deeper than the tolerance and was not marked before', () => {
    const floor = new Obstacle({ shape: 'plane', normal: [0, 1, 0] });
    const ball = new Obstacle({ shape: 'sphere', radius: 1, position: [5, 0, 0] });
    const points = Float64Array.of(0, 1, 0, 0, -0.05, 0, 0, -0.5, 0, 5, 0.5, 0, 0, -0.5, 0);
    const held = Uint8Array.of(0, 0, 0, 0, 1);
    expect(markPenetrating([floor, ball], points, 0.1, held)).toBe(2);
    expect([...held]).toEqual([0, 0, 1, 1, 1]);
    expect(markPenetrating([floor, ball], points, 0.1, held)).toBe(0);
    expect(deepestPenetration([floor, ball], points)).toBe(0.5);
    expect(deepestPenetration([floor], Float64Array.of(0, 2, 0))).toBe(0);
  });
});
