// Law: what bodies gain from obstacles, obstacles lose. Σ m v of a free body after any number of impacts is what it had, plus
// gravity, minus Σ collider.impulse; and in every step the solver's own momentum, which in contact also holds the pressure
// that the next step's contact takes, changes by gravity and these impulses alone. What rests presses with its weight.
//
// Tolerances: in double precision sums of some 10³ roundings of momenta, relative to the momentum of the fall: 1e-12. In single
// precision every internal stage keeps momentum to 1e-7 of the velocities in it, over some 10² steps 1e-5.

import { describe, expect, it } from 'vitest';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import { createWorld, icosphere, lattice, prepare, surface, type Vec3 } from '../../src/index.js';
import { add, cross, distance, length, scale, subtract } from '../../src/math/vec3.js';
import { advance, BOTH_BACKENDS, type PerBackend, worldOn } from '../both-backends.js';
import { lookInside } from '../inner-state.js';
import { workersJoin } from '../threaded-world.js';

const ROUNDING: PerBackend = { reference: 1e-12, wasm: 1e-5 };
const GRAVITY: Vec3 = [0, -9.81, 0];
const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('a body that bounces about loses what obstacles gain', async () => {
    const world = await worldOn(backend);
    const obstacles = [
      world.addCollider({ shape: 'plane', normal: [0.1, 1, 0], offset: 0, friction: 0.4 }),
      world.addCollider({ shape: 'box', size: [1, 4, 4], position: [1.5, 0, 0] }),
      world.addCollider({
        shape: 'sphere',
        radius: 0.4,
        position: [-1, 0.3, 0],
        motion: [{ time: 0 }, { time: 2, position: [1, 0.3, 0] }],
      }),
    ];
    const body = world.add(ball, { position: [0, 1.2, 0], velocity: [2, -3, 0.5], spin: [1, 2, 3] });
    const start = body.momentum();
    let given: Vec3 = [0, 0, 0];
    let [impacts, free] = [0, 0];
    for (let step = 0; step < 400; step++) {
      await advance(world);
      for (const { impulse } of obstacles) {
        given = add(given, impulse);
        if (length(impulse) > 0) impacts++;
      }
      if (body.contactCount > 0 || impacts === 0) continue;
      free++;
      const expected = subtract(add(start, scale(GRAVITY, body.mass * world.time)), given);
      expect(distance(body.momentum(), expected)).toBeLessThan(ROUNDING[backend] * length(start));
    }
    expect(impacts).toBeGreaterThan(20);
    expect(free).toBeGreaterThan(20);
  });

  it('in contact too, the momentum that the solver holds changes by gravity and impulses alone', async () => {
    const floor = new Obstacle({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const { body, step, inner } = await lookInside(backend, ball, 0.7, [floor]);
    const masses = ball.surface.massShares.map((share) => share * 1000 * ball.volume.volume);
    const momentum = async (): Promise<Vec3> => {
      const sum: [number, number, number] = [0, 0, 0];
      (await inner()).velocities.forEach((v, k) => {
        sum[k % 3] += masses[Math.trunc(k / 3)] * v;
      });
      return sum;
    };
    const mass = masses.reduce((a, b) => a + b, 0);
    for (let n = 0; n < 300; n++) {
      const before = await momentum();
      await step(GRAVITY);
      const got: Vec3 = body.touches.found.at(0)?.impulse ?? [0, 0, 0];
      const expected = add(add(before, scale(GRAVITY, 0.005 * mass)), got);
      // Relative to the momentum of the impact, 2 m/s.
      expect(distance(await momentum(), expected)).toBeLessThan(ROUNDING[backend] * 2 * mass);
    }
  });

  it('what rests presses with its weight, under its centre', async () => {
    const world = await worldOn(backend);
    const floor = world.addCollider({ shape: 'box', size: [10, 1, 10], position: [1, -0.5, 2] });
    const body = world.add(ball, { position: [0, 0.5, 0] });
    await advance(world, 400);
    let [impulse, torque]: [Vec3, Vec3] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    for (let step = 0; step < 200; step++) {
      await advance(world);
      impulse = add(impulse, floor.impulse);
      torque = add(torque, floor.torque);
    }
    // Over a second: a last trembling of 1 cm/s is a thousandth of the 9.81 m/s; asleep it is a mean over a quarter of one.
    const weight = scale(GRAVITY, body.mass);
    expect(distance(impulse, weight)).toBeLessThan(0.01 * length(weight));
    const expected = cross(subtract(body.centreOfMass(), floor.position), weight);
    expect(distance(torque, expected)).toBeLessThan(0.02 * length(expected));
  });

  it('does so in the parts of long steps', async () => {
    const world = await worldOn(backend, { timeStep: 1 / 60 });
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const body = world.add(ball, { position: [0, 0.55, 0], velocity: [1, -3, 0] });
    const start = body.momentum();
    let given: Vec3 = [0, 0, 0];
    let checked = 0;
    for (let step = 0; step < 60; step++) {
      await advance(world);
      given = add(given, floor.impulse);
      if (body.contactCount > 0 || length(given) === 0) continue;
      checked++;
      const expected = subtract(add(start, scale(GRAVITY, body.mass * world.time)), given);
      expect(distance(body.momentum(), expected)).toBeLessThan(ROUNDING[backend] * length(start));
    }
    expect(checked).toBeGreaterThan(5);
  });
});

it('holds for lattices', async () => {
  const world = await worldOn('reference');
  const floor = world.addCollider({ shape: 'plane', normal: [0.2, 1, 0], offset: 0 });
  const body = world.add(prepare(icosphere({ detail: 2, radius: 0.5 }), lattice({ resolution: 5 })), {
    position: [0, 1, 0],
  });
  const start = body.momentum();
  let given: Vec3 = [0, 0, 0];
  let checked = 0;
  for (let step = 0; step < 200; step++) {
    await advance(world);
    given = add(given, floor.impulse);
    if (body.contactCount > 0 || length(given) === 0) continue;
    checked++;
    const expected = subtract(add(start, scale(GRAVITY, body.mass * world.time)), given);
    expect(distance(body.momentum(), expected)).toBeLessThan(1e-11 * body.mass);
  }
  expect(checked).toBeGreaterThan(5);
});

it('has the same bits for any number of threads', async () => {
  const big = prepare(icosphere({ detail: 5, radius: 0.5 }), surface({ regionSize: 2 }));
  const impulses = async (threads: number) => {
    const world = await createWorld({ backend: 'wasm', threads });
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    world.add(big, { position: [0, 0.5, 0], velocity: [0.3, -1, 0], spin: [0, 0, 2] });
    if (threads > 1) await workersJoin(world);
    const found: number[] = [];
    for (let step = 0; step < 10; step++) {
      await advance(world);
      found.push(...world.colliders[0].impulse, ...world.colliders[0].torque);
    }
    world.dispose();
    return found;
  };
  const one = await impulses(1);
  expect(one.filter((x) => x !== 0).length).toBeGreaterThan(10);
  expect(await impulses(2)).toEqual(one);
});
