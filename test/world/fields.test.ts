// Fields: what accelerates particles by place, velocity and time acts on all of a body's mass, of every solver, on both backends; wind
// takes bodies along as its law says; runs are the same again from a snapshot and for any number of threads.

import { describe, expect, it } from 'vitest';
import {
  createWorld,
  type FieldFunction,
  icosphere,
  lattice,
  octree,
  prepare,
  surface,
  type Vec3,
  type WindOptions,
  wind,
} from '../../src/index.js';
import { buildScene, checkScene } from '../../src/scenes/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';
import { toy } from './toy-solver.js';

const mesh = icosphere({ detail: 2, radius: 0.5 });
const SOLVERS = {
  surface: prepare(mesh, surface({ regionSize: 2 })),
  lattice: prepare(mesh, lattice({ resolution: 6 })),
  octree: prepare(mesh, octree({ cells: 3, levels: 1 })),
  toy: prepare(mesh, toy()),
};
const CASES = BOTH_BACKENDS.flatMap((backend) =>
  Object.entries(SOLVERS).map(([name, rest]) => [name, backend, rest] as const),
);
/** Relative rounding of sums in a backend's precision. */
const ROUNDING = { reference: 1e-10, wasm: 1e-5 } as const;
const away = (a: Vec3, b: Vec3): number => Math.max(...a.map((x, c) => Math.abs(x - b[c])));

describe.each(CASES)('%s on %s', (_name, backend, rest) => {
  it('gains the momentum of its whole mass in an even field', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(rest, { density: 300 });
    world.addField(() => [1, 2, -3]);
    for (let n = 0; n < 20; n++) world.step();
    const [x, y, z] = body.momentum();
    const v: Vec3 = [x / body.mass, y / body.mass, z / body.mass];
    expect(away(v, [0.1, 0.2, -0.3])).toBeLessThan(10 * ROUNDING[backend]);
  });

  it('is taken along by steady wind as fast as drag says, and not once that is gone', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(rest);
    const air = world.addField(wind({ velocity: [3, 0, 1], gusts: 0, drag: 4 }));
    for (let n = 0; n < 20; n++) world.step();
    // v ← v + k·Δt·(U − v), step by step.
    const share = 1 - (1 - 4 * world.timeStep) ** 20;
    const momentum = body.momentum();
    const wanted: Vec3 = [3 * share * body.mass, 0, share * body.mass];
    expect(away(momentum, wanted) / body.mass).toBeLessThan(30 * ROUNDING[backend]);
    world.removeField(air);
    expect(world.fields).toEqual([]);
    for (let n = 0; n < 5; n++) world.step();
    expect(away(body.momentum(), momentum) / body.mass).toBeLessThan(10 * ROUNDING[backend]);
  });
});

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('wakes a body when it begins to act, and lets it sleep where it does not', async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const [near, far] = [0, 5].map((x) => world.add(SOLVERS.surface, { position: [x, 0.49, 0] }));
    const start = 4;
    world.addField(([x], _, time) => (time > start && x < 2 ? [1, 0, 0] : [0, 0, 0]));
    while (world.time < start && !(near.asleep && far.asleep)) world.step();
    expect([near.asleep, far.asleep]).toEqual([true, true]);
    while (world.time < start + 0.1) world.step();
    expect([near.asleep, far.asleep]).toEqual([false, true]);
    expect(near.momentum()[0]).toBeGreaterThan(0);
  });

  it('goes on from a snapshot with the same bits', async () => {
    const world = await worldOn(backend);
    const body = world.add(SOLVERS.octree);
    world.addField(wind({ gusts: 1, gustSize: 0.3, seed: 7 }));
    for (let n = 0; n < 10; n++) world.step();
    const bytes = world.snapshot();
    const run = () => {
      for (let n = 0; n < 10; n++) world.step();
      return Float64Array.from(body.positions);
    };
    const first = run();
    world.restore(bytes);
    expect(run()).toEqual(first);
  });

  it('stops at an acceleration that is none, and names it', async () => {
    const world = await worldOn(backend);
    world.add(SOLVERS.surface);
    world.addField(() => [0, Number.NaN, 0]);
    expect(() => world.step()).toThrow('field: expected an acceleration of 3 finite numbers, got [0, NaN, 0]');
  });
});

it('is the same for any number of threads', async () => {
  const runs = await Promise.all(
    [1, 2].map(async (threads) => {
      const world = await createWorld({ backend: 'wasm', threads });
      const bodies = [0, 1, 2].map((x) => world.add(SOLVERS.surface, { position: [1.1 * x, 0, 0] }));
      world.addField(wind({ gusts: 1, gustSize: 0.3 }));
      for (let n = 0; n < 20; n++) world.step();
      const positions = bodies.map((body) => Float32Array.from(body.positions));
      world.dispose();
      return positions;
    }),
  );
  expect(runs[0]).toEqual(runs[1]);
});

it('gusts change the wind by place and time, about its mean, and by their seed', () => {
  const sample = (options: WindOptions, x: number, time: number): number => {
    const sum = new Float64Array(3);
    wind({ velocity: [2, 0, 0], drag: 1, ...options }).write(x, 0.2, 0.7, 0, 0, 0, time, sum);
    return sum[0];
  };
  const values = Array.from({ length: 4000 }, (_, n) => sample({ gusts: 0.5 }, 0.37 * n, 0));
  // Even numbers in −1…1 have a mean of 0; of some 1500 independent gusts of 2·0.5·(1/√3)·0.6 it is within 5 σ = 0.05.
  expect(Math.abs(values.reduce((sum, value) => sum + value, 0) / values.length - 2)).toBeLessThan(0.05);
  expect(Math.max(...values)).toBeLessThanOrEqual(3);
  expect(Math.min(...values)).toBeGreaterThanOrEqual(1);
  // Half a metre further along 0.25 s later: the wind has carried the gust there.
  expect(Math.abs(sample({}, 1.2, 0) - sample({}, 1.7, 0.25))).toBeLessThan(1e-12);
  expect(sample({ seed: 2 }, 1.2, 0)).not.toBe(sample({ seed: 3 }, 1.2, 0));
});

describe('refuses', () => {
  it.each<[string, () => unknown, string]>([
    ['an unknown option', () => wind({ speed: 2 } as never), 'wind: unknown option speed'],
    ['gusts beyond their range', () => wind({ gusts: 3 }), 'gusts: expected a number from 0 to 2, got 3'],
    ['a drag beyond its range', () => wind({ drag: -1 }), 'drag: expected a number from 0 to 100, got -1'],
    ['a broken seed', () => wind({ seed: 0.5 }), 'seed: expected an integer, got 0.5'],
    ['a velocity that is none', () => wind({ velocity: [1, 2] as never }), 'velocity: expected 3 finite numbers'],
  ])('%s', (_what, act, message) => {
    expect(act).toThrow(message);
  });

  it('what is no field', async () => {
    const world = await createWorld({ backend: 'reference' });
    expect(() => world.addField('wind' as unknown as FieldFunction)).toThrow(
      'field: expected wind() or a function (position, velocity, time) => acceleration, got "wind"',
    );
  });
});

it('blows in scenes', async () => {
  const scene = checkScene({
    isochore: 1,
    gravity: [0, 0, 0],
    bodies: [{ mesh: { shape: 'box', divisions: 2 } }],
    fields: [{ type: 'wind', velocity: [0, 0, 4], gusts: 0 }],
  });
  const { world, bodies } = await buildScene(scene, { backend: 'reference' });
  for (let n = 0; n < 10; n++) world.step();
  expect(Math.abs(bodies[0].momentum()[2] / bodies[0].mass - 4 * (1 - 0.995 ** 10))).toBeLessThan(1e-6);
  expect(() => checkScene({ isochore: 1, bodies: [], fields: [{ type: 'wind', gust: 1 }] })).toThrow(
    'fields[0].gust: unknown field, did you mean gusts?',
  );
});
