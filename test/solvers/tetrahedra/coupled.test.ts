// Bodies of tetrahedra that touch each other: contact is part of their solves, so that every one-ring keeps its volume through it,
// nothing lies in anything, and momentum goes from one to the other.

import { describe, expect, it } from 'vitest';
import { createWorld, icosphere, prepare, tetrahedra, type World } from '../../../src/index.js';
import { hashOf } from '../../threaded-world.js';
import { kuhnBox } from './tetra-bodies.js';

const TIME_STEP = 1 / 240;
/** The solver's tolerance, and what single precision adds to it [%]. */
const WITHIN = 0.1 + 0.005;
const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), tetrahedra({ cells: 3, youngsModulus: 1e5 }));
const block = prepare(kuhnBox(2, 1, 2, 0.4), tetrahedra({ youngsModulus: 1e5, damping: { stiffness: 0.05 } }));

const make = (backend: 'wasm' | 'reference', gravity: [number, number, number] = [0, -9.81, 0]) =>
  createWorld({ backend, threads: 1, timeStep: TIME_STEP, gravity });

const total = ({ bodies }: World, of: 'momentum' | 'angularMomentum') =>
  [0, 1, 2].map((c) => bodies.reduce((sum, body) => sum + body[of]()[c], 0));

const ringError = ({ bodies }: World) => Math.max(...bodies.map((body) => body.figures().maxOneRingErrorPercent));

describe('two balls', () => {
  it.each([
    ['reference', 1],
    ['wasm', 20],
  ] as const)('meet beside their centres on %s at %d m/s', async (backend, speed) => {
    const world = await make(backend, [0, 0, 0]);
    const a = world.add(ball, { position: [-0.55, 0.1, 0], velocity: [speed, 0, 0] });
    const b = world.add(ball, { position: [0.55, -0.1, 0.05], velocity: [-speed / 2, 0, 0], density: 2000 });
    const [linear, angular] = [total(world, 'momentum'), total(world, 'angularMomentum')];
    const energy = a.kineticEnergy() + b.kineticEnergy();
    let [worst, deepest, touched] = [0, 0, 0];
    for (let n = 0; n < 60; n++) {
      world.step();
      worst = Math.max(worst, ringError(world));
      touched = Math.max(touched, a.contactCount);
      if (n % 10 === 9) deepest = Math.max(deepest, world.penetration(a), world.penetration(b));
    }
    expect(worst).toBeLessThan(WITHIN);
    expect(deepest).toBeLessThan(1e-3);
    expect(touched).toBeGreaterThan(0);
    // The heavier one has stopped it.
    expect(a.momentum()[0]).toBeLessThan(0.2 * a.mass * speed);
    expect(a.kineticEnergy() + b.kineticEnergy()).toBeLessThan(energy);
    const [after, turned] = [total(world, 'momentum'), total(world, 'angularMomentum')];
    // Equal and opposite impulses. While bodies touch, velocities are shown by displacements, and the last step's corrections of places show:
    // 1e-3 of what they bring at the impact, 1e-5 where they have come to lie against each other.
    for (let c = 0; c < 3; c++) expect(Math.abs(after[c] - linear[c])).toBeLessThan(5e-5 * a.mass * speed);
    // They act along normals that are the vertices' in between, not the line from point to point, over a gap of a twentieth of an edge.
    for (let c = 0; c < 3; c++) expect(Math.abs(turned[c] - angular[c])).toBeLessThan(0.07 * Math.abs(angular[2]));
    world.dispose();
  });
});

describe('a stack of three blocks', () => {
  const stack = async (backend: 'wasm' | 'reference') => {
    const world = await make(backend);
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    for (let n = 0; n < 3; n++) world.add(block, { position: [0.03 * n, 0.001 + 0.41 * n, 0.02 * n] });
    return { world, floor };
  };

  it('stands: the floor bears all three, with their volumes, and they sleep together', async () => {
    const { world, floor } = await stack('wasm');
    let worst = 0;
    let borne = 0;
    for (let n = 0; n < 360; n++) {
      world.step();
      worst = Math.max(worst, ringError(world));
      if (n >= 240) borne -= floor.impulse[1];
    }
    expect(worst).toBeLessThan(WITHIN);
    const weight = world.bodies.reduce((sum, { mass }) => sum + 9.81 * mass, 0);
    // Of half a second; what is left of the swing is a hundredth of a metre a second.
    expect(Math.abs(borne / (120 * TIME_STEP) / weight - 1)).toBeLessThan(0.01);
    world.bodies.forEach((body, n) => {
      expect(body.asleep).toBe(true);
      // Each is 0.4 high and sags by a fourteenth of it under those above.
      expect(Math.abs(body.centreOfMass()[1] - 0.2 - 0.4 * n)).toBeLessThan(0.04);
    });
    world.dispose();
  });

  it('is the same on both backends but for rounding', async () => {
    const [{ world: exact }, { world }] = [await stack('reference'), await stack('wasm')];
    for (let n = 0; n < 40; n++) for (const each of [exact, world]) each.step();
    exact.bodies.forEach((body, b) => {
      body.positions.forEach((x, k) => {
        expect(Math.abs(x - world.bodies[b].positions[k])).toBeLessThan(1e-4);
      });
    });
    for (const each of [exact, world]) each.dispose();
  });

  it('goes on from a snapshot with the same bits', async () => {
    const { world } = await stack('wasm');
    for (let n = 0; n < 25; n++) world.step();
    const saved = world.snapshot();
    for (let n = 0; n < 15; n++) world.step();
    const expected = hashOf(world);
    world.restore(saved);
    for (let n = 0; n < 15; n++) world.step();
    expect(hashOf(world)).toBe(expected);
    const { world: fresh } = await stack('wasm');
    fresh.restore(saved);
    for (let n = 0; n < 15; n++) fresh.step();
    expect(hashOf(fresh)).toBe(expected);
    for (const each of [world, fresh]) each.dispose();
  });
});

it('lets a block slide on another, or not, by the friction between them', async () => {
  const solver = tetrahedra({ youngsModulus: 1e5, damping: { stiffness: 0.05 } });
  const [ground, slider] = [prepare(kuhnBox(6, 1, 3, 0.5), solver), prepare(kuhnBox(2, 1, 2, 0.4), solver)];
  /** How its speed [m/s] grows, from when it has come to lie until its rim has passed vertices of the ground. */
  const slide = async (friction: number) => {
    // 30°: held from 0.577 on.
    const world = await make('wasm', [9.81 * 0.5, -9.81 * 0.866, 0]);
    const lower = world.add(ground, { friction });
    lower.pin(lower.select({ box: [[-9, -1, -9], [9, 0.1, 9]] })); // biome-ignore format: a box
    const upper = world.add(slider, { position: [0.6, 0.51, 0.35], friction });
    for (let n = 0; n < 40; n++) world.step();
    const before = upper.momentum()[0];
    for (let n = 0; n < 80; n++) world.step();
    const after = upper.momentum()[0];
    world.dispose();
    return { speed: after / upper.mass, acceleration: (3 * (after - before)) / upper.mass };
  };
  // It sways on the lower one at a tenth of a metre a second.
  expect(Math.abs((await slide(0.8)).speed)).toBeLessThan(0.2);
  for (const friction of [0, 0.3]) {
    expect(Math.abs((await slide(friction)).acceleration / (9.81 * (0.5 - friction * 0.866)) - 1)).toBeLessThan(0.03);
  }
});
