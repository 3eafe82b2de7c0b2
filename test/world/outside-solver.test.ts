// A solver of somebody else's lives in a world like those of the library: contact, volume, pins, grips, joints, sleep, snapshots,
// scene files; and mass that lies inside is counted and reached by all that acts on a body.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { icosphere, prepare, surface, type Vec3, type World } from '../../src/index.js';
import { buildScene, checkScene, SceneError } from '../../src/scenes/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';
import { toy } from './toy-solver.js';

const mesh = icosphere({ detail: 2, radius: 0.5 });
const soft = prepare(mesh, toy());
const ball = prepare(mesh, surface({ regionSize: 2 }));
const run = (world: World, steps: number): void => {
  for (let n = 0; n < steps; n++) world.step();
};
/** Relative rounding of sums in a backend's precision. */
const ROUNDING = { reference: 1e-10, wasm: 1e-5 } as const;
const away = (a: Vec3, b: Vec3): number => Math.max(...a.map((x, c) => Math.abs(x - b[c])));

it('is defined in less than a hundred lines, by public names', () => {
  const text = readFileSync(fileURLToPath(new URL('./toy-solver.ts', import.meta.url)), 'utf8');
  expect(text.split('\n').length).toBeLessThan(100);
  expect([...text.matchAll(/from '([^']+)'/g)].map(([, path]) => path)).toEqual(['../../src/index.js']);
});

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('falls on a floor and lies under a body of another solver, with its volume', async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const lower = world.add(soft, { position: [0, 0.6, 0] });
    const upper = world.add(ball, { position: [0.05, 1.7, 0] });
    let error = 0;
    for (let n = 0; n < 150; n++) {
      world.step();
      for (const body of [lower, upper]) error = Math.max(error, Math.abs(body.volume() / body.restVolume - 1));
    }
    expect(error).toBeLessThan(backend === 'wasm' ? 2e-5 : 1e-9);
    expect(world.contactEvents().length + lower.contactCount).toBeGreaterThan(0);
    expect(world.penetration(lower)).toBeLessThan(1e-3);
    expect(world.penetration(upper)).toBeLessThan(1e-3);
  });

  it('has the mass of all of it, and falls as a point does', async () => {
    const world = await worldOn(backend);
    const body = world.add(soft, { density: 500, velocity: [1, 0, 0] });
    const shell = body.masses.reduce((sum, m) => sum + m, 0);
    expect(Math.abs(body.mass / (500 * body.restVolume) - 1)).toBeLessThan(1e-12);
    expect(Math.abs(shell / body.mass - 0.6)).toBeLessThan(1e-12);
    run(world, 40);
    const [x, y, z] = body.momentum();
    const fallen = -9.81 * world.time;
    expect(away([x / body.mass, y / body.mass, z / body.mass], [1, fallen, 0])).toBeLessThan(10 * ROUNDING[backend]);
  });

  it('takes impulses on the whole and at a point, and grips, without losing or making any momentum', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const body = world.add(soft, { density: 100 });
    const expectMomentum = (p: Vec3) =>
      expect(away(body.momentum(), p) / body.mass).toBeLessThan(10 * ROUNDING[backend]);
    body.applyImpulse([30, 0, 0]);
    expectMomentum([30, 0, 0]);
    body.applyImpulse([0, 5, 0], [0.5, 0, 0]);
    expectMomentum([30, 5, 0]);
    run(world, 20);
    expectMomentum([30, 5, 0]);
    const before = body.momentum();
    const grip = body.grab([0.5, 0, 0]);
    grip.moveTo([3, 1, 0]);
    world.step();
    const gained = body.momentum().map((p, c) => p - before[c]) as unknown as Vec3;
    expect(away(gained, grip.force.map((f) => f * world.timeStep) as unknown as Vec3) / body.mass).toBeLessThan(
      10 * ROUNDING[backend],
    );
  });

  it('shares momentum with what it is joined to', async () => {
    const world = await worldOn(backend, { gravity: [0, 0, 0] });
    const first = world.add(soft, { velocity: [1, 0, 0] });
    const second = world.add(ball, { position: [1.1, 0, 0] });
    world.attach(first, first.select({ sphere: { centre: [0.5, 0, 0], radius: 0.2 } }), second);
    const sum = () => first.momentum().map((p, c) => p + second.momentum()[c]) as unknown as Vec3;
    const before = sum();
    run(world, 60);
    expect(away(sum(), before) / first.mass).toBeLessThan(100 * ROUNDING[backend]);
    expect(second.momentum()[0]).toBeGreaterThan(0.1 * before[0]);
  });

  it('hangs on pins, sleeps, and goes on from a snapshot with the same bits', async () => {
    const build = async () => {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -1 });
      const hung = world.add(soft);
      hung.pin(
        hung.select({
          box: [
            [-1, 0.4, -1],
            [1, 1, 1],
          ],
        }),
      );
      const lying = world.add(soft, { position: [3, -0.49, 0] });
      return { world, hung, lying };
    };
    const { world, hung, lying } = await build();
    run(world, 30);
    const bytes = world.snapshot();
    run(world, 30);
    const other = await build();
    other.world.restore(bytes);
    run(other.world, 30);
    expect(other.hung.positions).toEqual(hung.positions);
    expect(other.lying.positions).toEqual(lying.positions);
    run(world, 600);
    expect(lying.asleep).toBe(true);
    expect(
      hung.positions[
        3 *
          hung.select({
            box: [
              [-1, 0.4, -1],
              [1, 1, 1],
            ],
          })[0] +
          1
      ],
    ).toBeGreaterThan(0.39);
  });

  it('is named in a scene file, where its solver is given', async () => {
    const file = {
      isochore: 1,
      bodies: [{ mesh: { shape: 'icosphere', detail: 1 }, solver: { type: 'toy', stiffness: 0.3, core: 0.2 } }],
    };
    expect(() => checkScene(file)).toThrow(SceneError);
    const scene = checkScene(file, { solvers: [toy] });
    expect(scene.bodies[0].solver).toMatchObject({ type: 'toy', stiffness: 0.3, damping: 0.1, core: 0.2 });
    const { world, bodies } = await buildScene(scene, { backend, solvers: [toy] });
    run(world, 5);
    expect(bodies[0].settings.core).toBe(0.2);
    expect(() => bodies[0].set({ core: 0.5 } as object)).toThrow('set: the core belongs to the prepared body');
    const wrong = { ...file, bodies: [{ ...file.bodies[0], solver: { type: 'toy', core: 2 } }] };
    expect(() => checkScene(wrong, { solvers: [toy] })).toThrow(
      'bodies[0].solver.core: expected a number from 0 to 0.9, got 2',
    );
  });
});
