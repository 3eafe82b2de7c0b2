// Laws of the volume constraint on the GPU: those of test/laws/volume, inflation and fine-triangles, by the same tolerances, of bodies of one
// chunk and for fewer steps.

import { describe, expect } from 'vitest';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import { box, icosphere, prepare, signedVolume, surface, torus, uvSphere, type Vec3 } from '../../src/index.js';
import { VOLUME_TOLERANCE } from '../both-backends.js';
import { edgeStrainRms } from '../edge-strain.js';
import { fluxError, lookInsideGpu } from '../inner-state.js';
import { gradedSphere } from '../laws/graded-sphere.js';
import { APART, advance, gpuTests, gpuWorld, volumeError } from './gpu-world.js';

const SETTINGS = {
  global: { globalShare: 1, innerShare: 0 },
  local: { globalShare: 0.2, innerShare: 0.1 },
  'very local': { globalShare: 0, innerShare: 0.5 },
};
const FRICTIONS = [0, 0.5];
const gpuIt = gpuTests(Object.keys(SETTINGS).length + FRICTIONS.length + 4);

/** See test/laws/volume. */
const FLUX = 2e-6;
const CONTACT_FLUX = 1e-5;

describe('a free body has its volume in every step, and no net flux', () => {
  for (const [name, volume] of Object.entries(SETTINGS)) {
    gpuIt(`${name} weights`, async () => {
      const solver = surface({ regionSize: 2, stiffness: 0.6, damping: 0, volume });
      const prepared = prepare(torus({ majorSegments: 14, minorSegments: 9 }), solver);
      const { body, step, inner } = await lookInsideGpu(prepared, 0, []);
      for (let k = 0; k < body.positions.length; k += 3) {
        body.velocities[k + 2] = 4 * body.positions[k];
        body.positions[k] *= 1.4;
      }
      body.load();
      for (let n = 0; n < 15; n++) {
        await step([0, 0, 0]);
        const error = signedVolume(body.positions, prepared.mesh.triangles) / prepared.volume.volume - 1;
        expect(Math.abs(error)).toBeLessThan(VOLUME_TOLERANCE.wasm);
        expect(fluxError(await inner(), prepared.particles.mesh.triangles)).toBeLessThan(FLUX);
      }
    });
  }
});

describe('no net flux passes through a body in contact', () => {
  for (const friction of FRICTIONS) {
    gpuIt(`with friction ${friction}`, async () => {
      const motion = [
        { time: 0, position: [0, 1.11, 0] as Vec3 },
        { time: 0.1, position: [0, 0.7, 0] as Vec3 },
      ];
      const colliders = [
        new Obstacle({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction }),
        new Obstacle({ shape: 'box', size: [4, 0.2, 4], friction, motion }),
      ];
      const prepared = prepare(uvSphere({ segments: 11, radius: 0.5 }), surface({ regionSize: 2 }));
      const { body, step, inner } = await lookInsideGpu(prepared, 0.5, colliders);
      for (let n = 0; n < 20; n++) {
        await step([0, -9.81, 0]);
        expect(fluxError(await inner(), prepared.particles.mesh.triangles)).toBeLessThan(CONTACT_FLUX);
      }
      expect(body.contactCount).toBeGreaterThan(10);
    });
  }
});

gpuIt(
  'bodies pressed to about a third have their volumes in every step, by all weights, and stay between the plates',
  async () => {
    const world = await gpuWorld();
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    world.addCollider({
      shape: 'box',
      size: [60, 0.2, 8],
      motion: [
        { time: 0, position: [0, 1.11, 0] },
        { time: 0.09, position: [0, 0.45, 0] },
      ],
    });
    const ball = uvSphere({ segments: 11, radius: 0.5 });
    const ring = torus({ majorRadius: 0.7, minorRadius: 0.25, majorSegments: 14, minorSegments: 9 });
    const thick = torus({ majorRadius: 1, minorRadius: 0.5, majorSegments: 14, minorSegments: 9 });
    const weighted = Object.values(SETTINGS).map((volume) =>
      surface({ regionSize: 2, stiffness: 0.9, damping: 0.3, volume }),
    );
    const shapes = [
      ...[ball, ring, ball].map((mesh, n) => prepare(mesh, weighted[n])),
      // Of default settings.
      ...[thick, box({ divisions: 4 })].map((mesh) => prepare(mesh)),
    ];
    const bodies = shapes.map((prepared, n) => {
      const lowest = prepared.mesh.positions.reduce((low, y, k) => (k % 3 === 1 ? Math.min(low, y) : low), 0);
      return world.add(prepared, { position: [5 * (n - 2), 0.002 - lowest, 0], ...APART });
    });
    await advance(world, 20, () => {
      for (const body of bodies) {
        expect(volumeError(body)).toBeLessThan(VOLUME_TOLERANCE.wasm);
        expect(world.penetration(body)).toBeLessThan(1e-3 * body.prepared.volume.size);
      }
    });
    for (const body of bodies) expect(body.contactCount).toBeGreaterThan(8);
    world.dispose();
  },
);

gpuIt('bodies go to each volume that they are given, 1 % in 5 ms, and have it in every step', async () => {
  const world = await gpuWorld();
  world.addCollider({ shape: 'plane', normal: [0, 1, 0] });
  const prepared = prepare(icosphere({ detail: 1, radius: 0.5 }), surface());
  const body = world.add(prepared, { position: [0, 0.52, 0] });
  const other = world.add(prepared, { position: [1.04, 0.52, 0] });
  let fastest = 0;
  for (const [target, steps] of [
    [1.08, 9],
    [0.98, 11],
    [1, 4],
  ]) {
    body.set({ volume: { target } });
    let before = body.volume();
    await advance(world, steps, () => {
      expect(Math.abs(body.volume() / before - 1)).toBeLessThan(0.0101);
      before = body.volume();
      for (const one of [body, other]) {
        expect(Math.abs(one.volume() / one.targetVolume - 1)).toBeLessThan(2e-6);
      }
      for (const v of body.velocities) fastest = Math.max(fastest, Math.abs(v));
    });
    expect(body.targetVolume / body.restVolume).toBe(target);
  }
  expect(fastest).toBeLessThan(4);
  expect(body.recoveries + other.recoveries).toBe(0);
  expect(edgeStrainRms(body)).toBeLessThan(0.05);
  world.dispose();
});

gpuIt('an inflated body that is broken comes back at its size', async () => {
  const world = await gpuWorld({ gravity: [0, 0, 0] });
  const body = world.add(prepare(icosphere({ detail: 1, radius: 0.5 }), surface()));
  body.set({ volume: { target: 1.1 } });
  await advance(world, 11);
  body.deform('mirror', 1);
  await advance(world, 35);
  expect(Math.abs(body.volume() / body.restVolume - 1.1)).toBeLessThan(1e-4);
  const far = Math.max(...body.positions.map(Math.abs));
  expect(far / 0.5).toBeLessThan(1.1 * Math.cbrt(1.1));
  world.dispose();
});

gpuIt('a sphere with edges from 0.1 mm to 0.3 m falls and keeps its volume', async () => {
  const world = await gpuWorld();
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], friction: 0.5 });
  const prepared = prepare(gradedSphere(4.1, 2), surface({ regionSize: 2, damping: 0.5 }));
  const { positions, triangles } = prepared.mesh;
  let shortest = Infinity;
  for (let t = 0; t < triangles.length; t++) {
    const [a, b] = [3 * triangles[t], 3 * triangles[t % 3 === 2 ? t - 2 : t + 1]];
    shortest = Math.min(shortest, Math.hypot(...[0, 1, 2].map((c) => positions[a + c] - positions[b + c])));
  }
  expect(shortest).toBeLessThan(1.5e-4);
  const body = world.add(prepared, { position: [0, 0.53, 0], velocity: [0, -1, 0], spin: [0, 0, 3] });
  await advance(world, 18, () => {
    expect(body.positions.every(Number.isFinite)).toBe(true);
    expect(volumeError(body)).toBeLessThan(VOLUME_TOLERANCE.wasm);
  });
  expect(body.contactCount).toBeGreaterThan(0);
  world.dispose();
});
