// The laws of the surface solver, for a body that a lattice carries; and the law that is the lattice's own: the surface
// stays on it. Tolerances are those of the surface's laws (see their files) where nothing else is said.

import { describe, expect, it } from 'vitest';
import { ReferenceBackend } from '../../src/backends/reference/reference-backend.js';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import {
  type Body,
  box,
  createWorld,
  DEFORMATIONS,
  duck,
  lattice,
  prepare,
  signedVolume,
  type TriangleMesh,
  torus,
  uvSphere,
  vertexNormals,
} from '../../src/index.js';
import { fromAxisAngle, rotate } from '../../src/math/quaternion.js';
import { add, length, normalize, pointAt, subtract, type Vec3 } from '../../src/math/vec3.js';
import { checkScene, runScene } from '../../src/scenes/index.js';
import { LatticeModel } from '../../src/solvers/lattice/lattice-model.js';
import { Pipeline } from '../../src/world/pipeline.js';
import { edgeStrainRms } from '../edge-strain.js';

const meshes: Record<string, TriangleMesh> = {
  torus: torus({ majorSegments: 24, minorSegments: 12 }),
  duck: duck({ vertices: 400 }),
};

const worldWith = (gravity: Vec3) => createWorld({ gravity, backend: 'reference' });
const volumeError = (body: Body) => Math.abs(body.volume() / body.restVolume - 1);

function stretch(body: Body, factor: number): void {
  for (let k = 0; k < body.positions.length; k += 3) body.positions[k] *= factor;
  body.changed();
}

/** |∮v·n| relative to ∮|v·n|. */
function fluxError(body: Body): number {
  const normals = vertexNormals(Float64Array.from(body.positions), body.mesh.triangles);
  let [flux, scale] = [0, 0];
  for (let k = 0; k < normals.length; k++) {
    flux += normals[k] * body.velocities[k];
    scale += Math.abs(normals[k] * body.velocities[k]);
  }
  return scale > 0 ? Math.abs(flux) / scale : 0;
}

describe.each(Object.entries(meshes))('a free %s', (_, mesh) => {
  it.each([
    [1, 6, 0],
    [2, 12, 0.3],
    [3, 16, 0],
  ])(
    'keeps momentum, volume and flux, half-width %i in %i cells, damping %d',
    async (regionSize, resolution, damping) => {
      const world = await worldWith([0, 0, 0]);
      const body = world.add(prepare(mesh, lattice({ regionSize, resolution, damping })), {
        position: [0.3, -0.2, 0.5],
        velocity: [1, 2, -0.5],
        spin: [3, 5, -2],
      });
      stretch(body, 1.2);
      const [p, l] = [body.momentum(), body.angularMomentum()];
      for (let step = 0; step < 150; step++) {
        world.step();
        expect(length(subtract(body.momentum(), p)) / length(p)).toBeLessThan(1e-9);
        expect(length(subtract(body.angularMomentum(), l)) / length(l)).toBeLessThan(1e-9);
        expect(volumeError(body)).toBeLessThan(1e-11);
        expect(fluxError(body)).toBeLessThan(1e-11);
      }
      expect(edgeStrainRms(body)).toBeLessThan(0.02); // stretched by its spin alone
    },
  );

  it.each([1, 2, 5])('has goals equal to its lattice after any rigid motion, half-width %i', (regionSize) => {
    const { lattice: rest, solver } = prepare(mesh, lattice({ regionSize, resolution: 12 }));
    const elasticity = new LatticeModel(rest, solver.settings);
    const { count, positions: x0 } = rest.lattice;
    const goals = new Float64Array(3 * count);
    for (const angle of [0, 1, 2.5, Math.PI, -3]) {
      const turn = fromAxisAngle(normalize([1, -2, 0.5]), angle);
      const positions = new Float64Array(3 * count);
      for (let i = 0; i < count; i++) positions.set(add(rotate(turn, pointAt(x0, i)), [3, -1, 2]), 3 * i);
      elasticity.writeGoals(positions, goals);
      const worst = goals.reduce((most, g, k) => Math.max(most, Math.abs(g - positions[k])), 0);
      expect(worst).toBeLessThan(1e-12);
    }
  });
});

it('falls as a point does, whatever it does inside', async () => {
  const world = await worldWith([0.5, -9.81, 0.2]);
  const body = world.add(prepare(meshes.duck, lattice({ stiffness: 0.7, damping: 0.1 })), {
    position: [0, 5, 0],
    velocity: [1, 2, -3],
    spin: [2, 9, -4],
  });
  stretch(body, 1.3);
  const start = body.centreOfMass();
  const velocity = body.momentum().map((p) => p / body.mass);
  const n = 200;
  for (let step = 0; step < n; step++) world.step();
  const dt = world.timeStep;
  const end = body.centreOfMass();
  for (let c = 0; c < 3; c++) {
    const expected = start[c] + n * dt * velocity[c] + ((dt * dt * n * (n + 1)) / 2) * world.gravity[c];
    expect(Math.abs(end[c] - expected)).toBeLessThan(1e-11);
  }
});

it('takes impulses and their torque, at a point and as a whole', async () => {
  const world = await worldWith([0, 0, 0]);
  const body = world.add(prepare(uvSphere({ segments: 16 }), lattice()));
  body.applyImpulse([30, 0, 0], [0, 1, 0]);
  body.applyImpulse([0, 7, 0]);
  for (let step = 0; step < 50; step++) world.step();
  expect(length(subtract(body.momentum(), [30, 7, 0])) / 30).toBeLessThan(1e-9);
  expect(length(subtract(body.angularMomentum(), [0, 0, -30])) / 30).toBeLessThan(1e-9);
});

describe.each(DEFORMATIONS)('from the state %s', (state) => {
  it.each([
    ['box', 2, 4, box({ divisions: 8 })],
    ['box', 2, 10, box({ divisions: 8 })],
    ['duck', 1, 6, meshes.duck],
  ] as const)('a %s recovers, half-width %i in %i cells', async (_, regionSize, resolution, mesh) => {
    const world = await worldWith([0, 0, 0]);
    const body = world.add(prepare(mesh, lattice({ regionSize, resolution })), {
      position: [1, 2, 3],
      rotation: [0.1, 0.2, 0.3, 0.9],
    });
    body.deform(state, 7);
    for (let step = 0; step < 120; step++) world.step();
    expect(edgeStrainRms(body)).toBeLessThan(0.01);
    expect(volumeError(body)).toBeLessThan(1e-11);
  });
});

describe('a body squeezed to half its height between plates', () => {
  /** Largest distance of the surface from its lattice, penetration and volume error over every step, relative. */
  function squeeze(mesh: TriangleMesh, regionSize: number, resolution: number) {
    const backend = new ReferenceBackend();
    const pipeline = new Pipeline(backend);
    const body = backend.add(prepare(mesh, lattice({ regionSize, resolution })), 1000);
    body.place(
      mesh.positions.map((x, k) => (k % 3 === 1 ? x + 0.5 : x)),
      [0, 0, 0, 1],
    );
    const motion = [
      { time: 0, position: [0, 1.11, 0] as Vec3 },
      { time: 0.5, position: [0, 0.6, 0] as Vec3 },
    ];
    const colliders = [
      new Obstacle({ shape: 'plane', normal: [0, 1, 0], offset: 0 }),
      new Obstacle({ shape: 'box', size: [9, 0.2, 9], motion }),
    ];
    const model = body.model as LatticeModel;
    const { size, volume } = body.prepared.volume;
    const worst = { stray: 0, depth: 0, volume: 0 };
    // 0.5 s on the way, 0.2 s in the squeeze.
    for (let step = 0; step < 140; step++) {
      pipeline.step({ gravity: [0, -9.81, 0], time: 0.005 * step, timeStep: 0.005, colliders, joints: [] });
      const { positions } = body.particles;
      for (let k = 0; k < positions.length; k += 3) {
        const stray = subtract(pointAt(positions, k / 3), pointAt(model.carried, k / 3));
        worst.stray = Math.max(worst.stray, length(stray) / size);
        const top = poseHeight(0.005 * (step + 1));
        worst.depth = Math.max(worst.depth, -positions[k + 1] / size, (positions[k + 1] - top) / size);
      }
      worst.volume = Math.max(worst.volume, Math.abs(signedVolume(positions, mesh.triangles) / volume - 1));
    }
    return { worst, contacts: body.contactCount };
  }

  /** Lower side of the plate at a time. */
  const poseHeight = (time: number) => 1.01 - 0.51 * Math.min(1, time / 0.5);

  it.each([
    ['cube of 386 vertices', 2, 8, box({ divisions: 8 })],
    ['cube of 1178 vertices', 1, 8, box({ divisions: 14 })],
    ['cube of 1178 vertices', 2, 10, box({ divisions: 14 })],
    ['sphere', 2, 8, uvSphere({ segments: 24, radius: 0.5 })],
  ] as const)(
    '(%s, half-width %i, %i cells) stays whole, on its lattice and outside the plates',
    (_, w, cells, mesh) => {
      const { worst, contacts } = squeeze(mesh, w, cells);
      expect(worst.volume).toBeLessThan(1e-11);
      expect(worst.depth).toBeLessThan(1e-5); // the volume step may carry a particle 1e-6 of the size into an obstacle
      expect(worst.stray).toBeLessThan(0.01); // the surface is finer than the lattice: it cannot be followed exactly
      expect(contacts).toBeGreaterThan(50);
    },
  );
});

it('follows its pins exactly and hangs from them', async () => {
  const world = await worldWith([0, -9.81, 0]);
  const bar = box({ size: [4, 1, 1], divisions: [20, 5, 5] });
  const body = world.add(prepare(bar, lattice({ regionSize: 2, resolution: 16 })));
  const vertices = Array.from({ length: body.particleCount }, (_, i) => i);
  const held = vertices.filter((i) => bar.positions[3 * i] < -1.99);
  const tip = vertices.findIndex((i) => bar.positions[3 * i] > 1.99);
  body.pin(held, [{ time: 0 }, { time: 1, position: [0, 1, 0] }]);
  let lowest = Infinity;
  for (let step = 0; step < 300; step++) {
    world.step();
    const lift = Math.min(1, world.time);
    for (const i of held) {
      expect(body.positions[3 * i]).toBe(bar.positions[3 * i]);
      expect(Math.abs(body.positions[3 * i + 1] - bar.positions[3 * i + 1] - lift)).toBeLessThan(1e-14);
    }
    expect(volumeError(body)).toBeLessThan(1e-11);
    lowest = Math.min(lowest, body.positions[3 * tip + 1] - bar.positions[3 * tip + 1] - lift);
  }
  // It sags, and the pins carry it: a free bar would have fallen by 11 m.
  expect(lowest).toBeLessThan(-0.1);
  expect(lowest).toBeGreaterThan(-1.5);
});

it.each([1e-3, 1e3])('moves the same in units %d times as large', async (scale) => {
  const run = async (unit: number): Promise<number[]> => {
    const world = await worldWith([0, -9.81 * unit, 0]);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const mesh = { ...meshes.duck, positions: meshes.duck.positions.map((x) => x * unit) };
    const body = world.add(prepare(mesh, lattice({ resolution: 8 })), {
      position: [0, 0.1 * unit, 0],
      velocity: [0.5 * unit, -3 * unit, 0],
      spin: [1, 2, 3],
    });
    let contacts = 0;
    for (let step = 0; step < 60; step++) {
      world.step();
      contacts += body.contactCount;
    }
    expect(contacts).toBeGreaterThan(50);
    return Array.from(body.positions, (x) => x / unit);
  };
  const [a, b] = [await run(1), await run(scale)];
  // As in invariance.test: 1e-16 magnified up to 1e5 times by contact, and a margin.
  expect(a.reduce((worst, x, k) => Math.max(worst, Math.abs(x - b[k])), 0)).toBeLessThan(1e-9);
});

it('stays finite and outside the floor whatever the settings', async () => {
  for (const timeStep of [1e-4, 1 / 15]) {
    for (const stiffness of [0, 1]) {
      for (const [regionSize, resolution] of [
        [1, 9],
        [16, 2],
      ]) {
        const prepared = prepare(box({ divisions: 4, size: 2 }), lattice({ regionSize, resolution, stiffness }));
        for (const speed of [5, 100]) {
          const world = await createWorld({ timeStep, backend: 'reference' });
          world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
          const body = world.add(prepared, {
            position: [0, 1.5, 0],
            velocity: [0.3 * speed, -speed, 0],
            spin: [1, 2, 3],
          });
          for (let step = 0; step < 25; step++) world.step();
          const time = 25 * timeStep;
          const reach = 20 + 2 * speed * time + 20 * 9.81 * time * time;
          for (const x of body.positions) expect(Math.abs(x)).toBeLessThan(reach);
          expect(world.penetration(body)).toBeLessThan(1e-3 * body.prepared.volume.size);
          expect(volumeError(body)).toBeLessThan(1e-3);
        }
      }
    }
  }
});

it('runs in a scene', async () => {
  const scene = checkScene({
    isochore: 1,
    steps: 60,
    bodies: [
      {
        name: 'ball',
        mesh: { shape: 'icosphere', detail: 2, radius: 0.5 },
        position: [0, 0.55, 0],
        velocity: [0, -3, 0],
        solver: { type: 'lattice', regionSize: 1, resolution: 6, volume: { globalShare: 1 } },
      },
    ],
    colliders: [{ shape: 'plane' }],
  });
  const report = await runScene(scene, { backend: 'reference' });
  expect(report.nonFinite).toBe(0);
  expect(report.bodies[0].maxVolumeErrorPercent).toBeLessThan(1e-9);
  // Bounced: without the floor it would be at −0.8 m.
  expect(report.bodies[0].centroid[1]).toBeGreaterThan(0.4);
  expect(report.bodies[0].centroid[1]).toBeLessThan(1);
  expect((await runScene(scene, { backend: 'reference' })).hash).toBe(report.hash);
});
