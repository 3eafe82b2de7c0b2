// Bodies of tetrahedra in worlds: what every body can, on both backends. A ball of some 150 tetrahedra; tolerances of volume are
// the solver's own (0.1 % per one-ring), those of momentum rounding.

import { describe, expect, it } from 'vitest';
import { box, icosphere, prepare, surface, tetrahedra, type Vec3, type World } from '../../../src/index.js';
import type { TetrahedraModel } from '../../../src/solvers/tetrahedra/tetrahedra-model.js';
import { SoftMesh } from '../../../src/three/soft-mesh.js';
import type { Body } from '../../../src/world/body.js';
import { stateOf } from '../../../src/world/world-parts.js';
import { BOTH_BACKENDS, worldOn } from '../../both-backends.js';
import { kuhnBox } from './tetra-bodies.js';

const mesh = icosphere({ detail: 2, radius: 0.5 });
const ball = prepare(mesh, tetrahedra({ cells: 3 }));
const run = (world: World, steps: number): void => {
  for (let n = 0; n < steps; n++) world.step();
};
const modelOf = (world: World, body: Body): TetrahedraModel => stateOf(world, body).hostModel as TetrahedraModel;
const away = (a: Vec3, b: Vec3): number => Math.max(...a.map((x, c) => Math.abs(x - b[c])));
/** Relative rounding of sums in a backend's precision. */
const ROUNDING = { reference: 1e-10, wasm: 1e-5 } as const;

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it('falls on a floor: every one-ring keeps its volume, the floor bears its weight, and it comes to rest', async () => {
    const world = await worldOn(backend, { timeStep: 1 / 240 });
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const body = world.add(ball, { position: [0, 0.6, 0] });
    let [ring, volume] = [0, 0];
    for (let n = 0; n < 120; n++) {
      world.step();
      ring = Math.max(ring, modelOf(world, body).report?.ringError ?? 1);
      volume = Math.max(volume, Math.abs(body.volume() / body.restVolume - 1));
    }
    expect(ring).toBeLessThan(1e-3);
    expect(volume).toBeLessThan(1e-3);
    expect(world.penetration(body)).toBeLessThan(1e-6);
    expect(body.contactCount).toBeGreaterThan(0);
    // Its weight, but for the swings that are left.
    body.set({ damping: { mass: 10 } });
    run(world, 60);
    let impulse = 0;
    for (let n = 0; n < 120; n++) {
      world.step();
      impulse -= floor.impulse[1];
    }
    expect(Math.abs(impulse / (body.mass * 9.81 * 0.5) - 1)).toBeLessThan(0.05);
    run(world, 200);
    expect(body.asleep).toBe(true);
    expect(body.settings.damping).toEqual({ mass: 10, stiffness: 0.01 });
  });

  it('has the mass of all of it, and falls and takes impulses as one', async () => {
    const world = await worldOn(backend, { gravity: [0, -10, 0] });
    const body = world.add(ball, { density: 500, velocity: [1, 0, 0] });
    expect(Math.abs(body.mass / (500 * body.restVolume) - 1)).toBeLessThan(1e-12);
    run(world, 20);
    body.applyImpulse([0, 0, body.mass]);
    run(world, 20);
    const [x, y, z] = body.momentum();
    const wanted: Vec3 = [1, -10 * world.time, 1];
    expect(away([x / body.mass, y / body.mass, z / body.mass], wanted)).toBeLessThan(10 * ROUNDING[backend]);
  });

  it('hangs on pins, and goes on from a snapshot with the same bits', async () => {
    const build = async () => {
      const world = await worldOn(backend);
      world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -0.6 });
      const hung = world.add(ball);
      const top = hung.select({ box: [[-1, 0.35, -1], [1, 1, 1]] }); // biome-ignore format: a box
      hung.pin(top);
      const lying = world.add(ball, { position: [3, 0, 0] });
      return { world, hung, lying, top };
    };
    const { world, hung, lying, top } = await build();
    run(world, 30);
    const bytes = world.snapshot();
    run(world, 20);
    const other = await build();
    other.world.restore(bytes);
    run(other.world, 20);
    expect(other.hung.positions).toEqual(hung.positions);
    expect(other.lying.positions).toEqual(lying.positions);
    for (const vertex of top) {
      for (let c = 0; c < 3; c++)
        expect(Math.abs(hung.positions[3 * vertex + c] - hung.mesh.positions[3 * vertex + c])).toBeLessThan(1e-6);
    }
    expect(hung.centreOfMass()[1]).toBeLessThan(-0.005);
  });

  it('lies under a body of another solver, and is dragged by a grip', async () => {
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
    const lower = world.add(ball, { position: [0, 0.45, 0] });
    const upper = world.add(prepare(mesh, surface({ regionSize: 2 })), { position: [0.05, 1.5, 0], density: 200 });
    let error = 0;
    for (let n = 0; n < 60; n++) {
      world.step();
      error = Math.max(error, modelOf(world, lower).report?.ringError ?? 1);
    }
    expect(error).toBeLessThan(1e-3);
    expect(upper.centreOfMass()[1]).toBeGreaterThan(0.9);
    const grip = upper.grab([0.05, 2, 0]);
    grip.moveTo([3, 3, 0]);
    const held = lower.grab([-0.5, 0.4, 0]);
    held.moveTo([-1.5, 0.8, 0]);
    run(world, 100);
    expect(lower.centreOfMass()[0]).toBeLessThan(-0.3);
    expect(modelOf(world, lower).report?.ringError).toBeLessThan(1e-3);
  });
});

describe('friction', () => {
  // A block of 48 tetrahedra under a weight that leans: it stays within the cone, beyond it slides with g (sin − μ cos).
  const block = prepare(kuhnBox(2, 1, 2, 0.5), tetrahedra({ youngsModulus: 1e5, damping: { stiffness: 0.05 } }));
  const slide = async (tangent: number) => {
    const cosine = 1 / Math.sqrt(1 + tangent * tangent);
    const world = await worldOn('wasm', { timeStep: 1 / 240, gravity: [9.81 * tangent * cosine, -9.81 * cosine, 0] });
    const floor = world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0.5 });
    const body = world.add(block);
    run(world, 100);
    const before = body.momentum()[0];
    let [along, down] = [0, 0];
    for (let n = 0; n < 60; n++) {
      world.step();
      along += floor.impulse[0];
      down -= floor.impulse[1];
    }
    return { acceleration: ((body.momentum()[0] - before) / body.mass) * 4, ratio: along / down, cosine };
  };

  it('holds within its cone', async () => {
    const { acceleration, ratio } = await slide(0.4);
    // What is left of the first swing.
    expect(Math.abs(acceleration)).toBeLessThan(0.1);
    expect(Math.abs(ratio - 0.4)).toBeLessThan(0.02);
  });

  it('is Coulomb’s beyond it', async () => {
    const { acceleration, ratio, cosine } = await slide(1);
    // The conjugate gradients leave a thousandth; the swing of the block the rest.
    expect(Math.abs(acceleration / (9.81 * cosine * 0.5) - 1)).toBeLessThan(0.03);
    expect(Math.abs(ratio - 0.5)).toBeLessThan(0.005);
  });
});

describe('preparation', () => {
  it('takes a solid mesh as it is, and refuses it for solvers of surfaces', async () => {
    const solid = kuhnBox(2, 2, 2, 0.5);
    const body = prepare(solid, tetrahedra());
    expect(body.solid.tetraCount).toBe(48);
    expect(body.mesh.positions.length / 3 + (body.innerCount ?? 0)).toBe(27);
    expect(Math.abs(body.volume.volume - 1)).toBeLessThan(1e-12);
    expect(() => prepare(solid, surface())).toThrow(
      'mesh: expected triangles, as surface is a solver of surfaces, got tetrahedra',
    );
    expect(() => prepare({ ...solid, tetrahedra: Uint32Array.of(0, 1, 2, 99) }, tetrahedra())).toThrow(
      'mesh.tetrahedra: expected nodes from 0 to 26, got 99',
    );
  });

  it('shows the surface that was given as a skin of its boundary', async () => {
    expect(ball.visible?.positions.length).toBe(mesh.positions.length);
    expect(ball.mesh.positions.length).not.toBe(mesh.positions.length);
    const world = await worldOn('reference');
    const body = world.add(ball, { position: [0, 5, 0] });
    const skin = body.embed(mesh);
    skin.update();
    expect(Math.abs(skin.positions[1] - mesh.positions[1] - 5)).toBeLessThan(1e-5);
    const { geometry } = new SoftMesh(body);
    expect(geometry.getAttribute('position').count).toBe(mesh.positions.length / 3);
    expect(geometry.getIndex()?.count).toBe(mesh.triangles.length);
  });

  it('can be looked into: errors, strains and stresses by vertex, and the largest one-ring error', async () => {
    const world = await worldOn('wasm');
    const body = world.add(ball);
    // Half as long again along x, thinner across: stretches 1.5 and 1.5^-½ at the same volume, all over.
    const thin = 1 / Math.sqrt(1.5);
    for (let k = 0; k < body.positions.length; k++) body.positions[k] *= k % 3 === 0 ? 1.5 : thin;
    body.changed();
    const { ringError, strain, stress, active } = body.inspect().views ?? {};
    // σ₁ − σ₂ = μ (s₁² − s₂²) of a neo-Hookean material, μ = E/3.
    const expected = (5e4 / 3) * (1.5 * 1.5 - thin * thin);
    for (let n = 0; n < body.particleCount; n++) {
      expect(Math.abs(ringError[n])).toBeLessThan(1e-5);
      expect(Math.abs(strain[n] - 0.5)).toBeLessThan(1e-5);
      expect(Math.abs(stress[n] / expected - 1)).toBeLessThan(1e-4);
    }
    expect(active.every((a) => a === 0)).toBe(true);
    expect(body.figures().maxOneRingErrorPercent).toBeLessThan(1e-3);
  });

  it('spreads what is painted on the surface through the solid', () => {
    const cube = box({ size: [1, 1, 1], divisions: 4 });
    const right = Float64Array.from({ length: cube.positions.length / 3 }, (_, i) =>
      cube.positions[3 * i] > 0 ? 8 : 1,
    );
    const body = prepare(cube, tetrahedra({ cells: 2 }), { maps: { stiffness: right, density: right } });
    const { mesh: solid, stiffness, massFactor } = body.solid;
    let [least, most] = [8, 1];
    stiffness.forEach((factor, t) => {
      const x = solid.tetrahedra.subarray(4 * t, 4 * t + 4).reduce((sum, n) => sum + solid.positions[3 * n] / 4, 0);
      if (x > 0.26) least = Math.min(least, factor);
      if (x < -0.26) most = Math.max(most, factor);
    });
    expect(least).toBe(8);
    expect(most).toBe(1);
    expect(massFactor).toBeGreaterThan(3.5);
    expect(massFactor).toBeLessThan(5);
  });
});
