// Laws of contact on the GPU: those of test/laws, where tolerances are derived, with bodies small enough for software adapters. More of them are
// in test/soak/gpu-laws.

import { describe, expect } from 'vitest';
import { type Body, box, icosphere, prepare, type Quaternion, surface, type World } from '../../src/index.js';
import { findSelfIntersections } from '../../src/mesh/self-intersections.js';
import { gpuTests, gpuWorld } from './gpu-world.js';

const gpuIt = gpuTests(4);

const ball = prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionSize: 2 }));

async function advance(
  world: World,
  steps: number,
  each: (step: number) => void = () => {},
  latency: 0 | 1 = 0,
): Promise<void> {
  for (let n = 0; n < steps; n++) {
    world.step();
    await world.sync({ latency });
    each(n);
  }
}

const volumeError = (body: Body): number => Math.abs(body.volume() / body.restVolume - 1);

/** Crossing triangles of two bodies. */
function crossings(a: Body, b: Body): number {
  const offset = a.positions.length / 3;
  const positions = Float64Array.from([...a.positions, ...b.positions]);
  const triangles = [...a.mesh.triangles, ...Array.from(b.mesh.triangles, (vertex) => vertex + offset)];
  return findSelfIntersections(positions, triangles).count;
}

describe('two crossed bars, of which only the edges meet', () => {
  const bar = prepare(box({ size: [4, 0.3, 0.3], divisions: [5, 1, 1] }), surface({ regionSize: 2 }));
  const across: Quaternion = [0, Math.SQRT1_2, 0, Math.SQRT1_2];

  gpuIt('keep their momentum and do not pass through each other', async () => {
    for (const speed of [4, 10]) {
      const world = await gpuWorld({ gravity: [0, 0, 0] });
      const low = world.add(bar);
      const high = world.add(bar, { position: [0.03, 0.4, 0.02], rotation: across, velocity: [0, -speed, 0] });
      const before = high.momentum()[1];
      // A step behind, all of them are the GPU's.
      const expectApart = () => expect(crossings(low, high)).toBe(0);
      await advance(world, speed === 4 ? 15 : 12, expectApart, 1);
      await world.sync();
      for (let c = 0; c < 3; c++) {
        const sum = low.momentum()[c] + high.momentum()[c];
        expect(Math.abs(sum - (c === 1 ? before : 0))).toBeLessThan(1e-5 * Math.abs(before));
      }
      expect(low.momentum()[1]).toBeLessThan(0.2 * before);
      world.dispose();
    }
  });
});

gpuIt('two balls that meet keep their momentum and do not pass through each other', async () => {
  const world = await gpuWorld({ gravity: [0, 0, 0] });
  const left = world.add(ball, { position: [-0.6, 0, 0], velocity: [5, 0, 0] });
  const right = world.add(ball, { position: [0.6, 0.2, 0], velocity: [-2.5, 0, 0] });
  const total = (c: number) => left.momentum()[c] + right.momentum()[c];
  const before = [0, 1, 2].map(total);
  let deepest = 0;
  await advance(world, 40, () => {
    deepest = Math.max(deepest, world.penetration(left), world.penetration(right));
    expect(left.centreOfMass()[0]).toBeLessThan(right.centreOfMass()[0]);
  });
  for (let c = 0; c < 3; c++) expect(Math.abs(total(c) - before[c])).toBeLessThan(1e-5 * before[0]);
  expect(deepest).toBeLessThan(0.01);
  expect(left.momentum()[0]).toBeLessThan(right.momentum()[0]);
  world.dispose();
});

gpuIt('a ball at 100 m/s passes neither a wall of 2 cm nor a sheet', async () => {
  const world = await gpuWorld({ gravity: [0, 0, 0] });
  const square = [
    [0, -2, -2],
    [0, 2, -2],
    [0, 2, 2],
    [0, -2, 2],
  ].flat();
  const sheet = { positions: Float64Array.from(square), triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) };
  world.addCollider({ shape: 'box', size: [0.02, 4, 4], position: [2, 0, 0] });
  world.addCollider({ shape: 'mesh', mesh: sheet, position: [2, 0, 8] });
  const bodies = [0, 8].map((z) => world.add(ball, { position: [0, 0.1, z], velocity: [100, 0, 0] }));
  const furthest = [0, 0];
  await advance(world, 25, () => {
    bodies.forEach(({ positions }, n) => {
      for (let k = 0; k < positions.length; k += 3) furthest[n] = Math.max(furthest[n], positions[k]);
    });
  });
  furthest.forEach((x, n) => {
    const surface = [1.99, 2][n];
    expect(x).toBeLessThan(surface + 1e-6);
    expect(x).toBeGreaterThan(surface - 0.02);
    expect(bodies[n].momentum()[0]).toBeLessThan(0);
  });
  world.dispose();
});

gpuIt('a ball shot into a groove goes into neither of its sides', async () => {
  const world = await gpuWorld();
  const steep = Math.hypot(1, 0.7);
  const [across, up] = [1 / steep, 0.7 / steep];
  for (const side of [-1, 1]) world.addCollider({ shape: 'plane', normal: [side * across, up, 0], friction: 0.5 });
  const body = world.add(ball, { position: [0, 0.55 / up, 0], velocity: [0, -15, 0] });
  let nearest = Number.POSITIVE_INFINITY;
  await advance(world, 30, () => {
    const { positions } = body;
    for (let k = 0; k < positions.length; k += 3)
      nearest = Math.min(nearest, up * positions[k + 1] - across * Math.abs(positions[k]));
    expect(volumeError(body)).toBeLessThan(5e-5);
  });
  expect(nearest).toBeGreaterThan(-5e-6);
  expect(nearest).toBeLessThan(1e-3);
  world.dispose();
});
