// Grips: a body follows its target whatever its size, mass, stiffness and the step, stays outside of obstacles, and flies on
// when it is released.

import { describe, expect, it } from 'vitest';
import { box, icosphere, lattice, prepare, surface, type Vec3, type World } from '../../src/index.js';
import { distance, length, scale, subtract } from '../../src/math/vec3.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const FLOOR = { shape: 'plane', normal: [0, 1, 0], offset: 0 } as const;

/** Seconds in which a body of this size falls through itself, so that bodies of all sizes get alike. */
const fallTime = (size: number) => Math.sqrt(size / 9.81);

function run(world: World, seconds: number, each: () => void = () => {}): void {
  for (let n = Math.ceil(seconds / world.timeStep); n > 0; n--) {
    world.step();
    each();
  }
}

describe.each(BOTH_BACKENDS)('a grip on %s', (backend) => {
  // size [m], density [kg/m³], stiffness, damping, step [s]
  it.each([
    [1, 1000, 0.9, 0.3, 0.005],
    [0.01, 1000, 0.9, 0.3, 0.005],
    [100, 1000, 0.9, 0.3, 0.005],
    [1, 1, 1, 0, 0.005],
    [1, 1e5, 0.01, 0, 0.005],
    [1, 1000, 0.5, 0.3, 1 / 60],
    [1, 1000, 1, 0.3, 0.001],
  ])(
    'draws a body of %d m, %d kg/m³, stiffness %d, damping %d in steps of %d s',
    async (size, density, stiffness, damping, timeStep) => {
      const world = await worldOn(backend, { timeStep });
      world.addCollider(FLOOR);
      const rubber = prepare(
        icosphere({ detail: 2, radius: size / 2 }),
        surface({ regionSize: 2, stiffness, damping }),
      );
      const body = world.add(rubber, { position: [0, size / 2, 0], density });
      run(world, fallTime(size));
      const grip = body.grab([0.1 * size, 0.9 * size, 0]);
      const target: Vec3 = [size, 2 * size, 0];
      grip.moveTo(target);
      let farthest = 0;
      // Bounds are looked at when this time is over: a longer one would only give a body more of it to get there.
      run(world, 5 * fallTime(size), () => {
        farthest = Math.max(farthest, distance(grip.point, target));
      });
      // It starts √(0.9² + 1.1²) = 1.42 sizes away; nothing throws it off, and it hangs by the 4 % it is made for
      // plus what the patch gives way (up to as much again where the body is soft or the step long).
      expect(farthest).toBeLessThan(2 * size);
      expect(distance(grip.point, target)).toBeLessThan(0.09 * size);
      // And at rest but for swinging: a tenth of the speed of a fall through its own size.
      expect(length(scale(body.momentum(), 1 / body.mass))).toBeLessThan(0.3 * Math.sqrt(9.81 * size));
      world.dispose();
    },
  );

  it('does not draw a body through the floor, however far its target is', async () => {
    const world = await worldOn(backend);
    world.addCollider(FLOOR);
    const body = world.add(prepare(icosphere({ detail: 3, radius: 0.5 }), surface({ regionRadius: 0.3 })), {
      position: [0, 1, 0],
    });
    const grip = body.grab([0, 0.5, 0]);
    grip.moveTo([3, -1000, 0]);
    run(world, 1, () => {
      expect(world.penetration(body)).toBeLessThan(1e-5);
    });
    // The promise of volume: 0.002 %.
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(2e-5);
    grip.release();
    expect(grip.held).toBe(false);
    run(world, 2);
    // Free again it is round again: half of its height above the floor, flattened by at most a tenth in its own weight.
    expect(body.centreOfMass()[1]).toBeGreaterThan(0.45);
    expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan(2e-5);
  });

  it('throws: after release the body keeps its velocity', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(prepare(box({ size: [1, 1, 1], divisions: [4, 4, 4] }), surface({ regionSize: 2 })));
    const grip = body.grab([0.5, 0, 0]);
    run(world, 1, () => {
      grip.moveTo([0.5 + 2 * world.time, 0, 0]);
    });
    const thrown = body.momentum();
    // It follows the target's 2 m/s to 2 %: what is left after a second of a decay in 0.14 s (4/a).
    expect(Math.abs(thrown[0] / body.mass - 2)).toBeLessThan(0.04);
    grip.release();
    run(world, 0.5);
    // Free bodies keep their momentum: to rounding, over a hundred steps.
    const tolerance = { reference: 1e-12, wasm: 1e-5 }[backend];
    expect(length(subtract(body.momentum(), thrown))).toBeLessThan(tolerance * length(thrown));
  });

  it('tells its force: the weight of what hangs on it', async () => {
    const world = await worldOn(backend);
    const body = world.add(prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2, damping: 0.5 })));
    const grip = body.grab([0, 0.5, 0], { radius: 0.2 });
    run(world, 8);
    // Hung up at its top it hardly swings: after 8 s the force is its weight to a hundredth.
    const weight = 9.81 * body.mass;
    expect(Math.abs(grip.force[1] - weight)).toBeLessThan(0.01 * weight);
  });

  it('leaves other bodies alone and may be one of several', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const rubber = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));
    const [body, other] = [world.add(rubber), world.add(rubber, { position: [5, 0, 0] })];
    const before = other.positions.slice();
    const grips = [body.grab([0.5, 0, 0]), body.grab([-0.5, 0, 0])];
    grips[0].moveTo([0.8, 0, 0]);
    grips[1].moveTo([-0.8, 0, 0]);
    run(world, 1);
    // Drawn apart it is longer than it was; its centre stays but for what the one that acts first gains.
    expect(grips[0].point[0] - grips[1].point[0]).toBeGreaterThan(1.02);
    expect(length(body.centreOfMass())).toBeLessThan(0.05);
    other.positions.forEach((x, k) => {
      expect(Math.abs(x - before[k])).toBeLessThan(1e-6);
    });
  });

  it('refuses what is no point and no radius', async () => {
    const world = await worldOn(backend);
    const body = world.add(prepare(icosphere({ detail: 1 }), surface({ regionSize: 1 })));
    expect(() => body.grab([0, Number.NaN, 0])).toThrow('point: expected 3 finite numbers');
    expect(() => body.grab([0, 1, 0], { radius: 0 })).toThrow('radius: expected a positive number, got 0');
    const grip = body.grab([0, 1, 0]);
    expect(() => grip.moveTo([0, 1] as unknown as Vec3)).toThrow('point: expected 3 finite numbers');
  });
});

it.each(BOTH_BACKENDS)('wakes a sleeping body and keeps it awake on %s', async (backend) => {
  const world = await worldOn(backend);
  world.addCollider(FLOOR);
  const body = world.add(prepare(box({ size: [1, 1, 1], divisions: [3, 3, 3] }), surface({ regionSize: 2 })), {
    position: [0, 0.5, 0],
  });
  run(world, 3);
  expect(body.asleep).toBe(true);
  const grip = body.grab([0, 1, 0]);
  run(world, 2);
  expect(body.asleep).toBe(false);
  grip.release();
  run(world, 3);
  expect(body.asleep).toBe(true);
});

it('draws bodies on a lattice as well', async () => {
  const world = await worldOn('reference');
  const body = world.add(prepare(icosphere({ detail: 2, radius: 0.5 }), lattice({ resolution: 6 })));
  const grip = body.grab([0, 0.5, 0]);
  grip.moveTo([1, 1, 0]);
  run(world, 3);
  expect(distance(grip.point, [1, 1, 0])).toBeLessThan(0.09);
});
