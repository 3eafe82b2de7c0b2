// Contact that the shaders do not resolve reliably is the kernels' where the host knows where bodies are: after a sync. What is asked is that of
// test/laws/tunnelling and of bodies that are put into each other.

import { expect } from 'vitest';
import type { WebGpuBackend } from '../../src/backends/webgpu/webgpu-backend.js';
import { box, icosphere, prepare, surface, torus, type World } from '../../src/index.js';
import { findSelfIntersections } from '../../src/mesh/self-intersections.js';
import { partsOf } from '../../src/world/world-parts.js';
import { gpuTests, gpuWorld } from './gpu-world.js';

const gpuIt = gpuTests(5);

const ball = prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionSize: 2 }));

const hostSubsteps = (world: World): number => (partsOf(world).backend as WebGpuBackend).counters.hostSubsteps;

/** Why steps were taken in WebAssembly, and how many. */
async function advance(world: World, steps: number, each: () => void = () => {}): Promise<Map<string, number>> {
  const reasons = new Map<string, number>();
  for (let n = 0; n < steps; n++) {
    world.step();
    await world.sync();
    const why = world.capabilities.onHost?.split(':')[0];
    if (why) reasons.set(why, (reasons.get(why) ?? 0) + 1);
    each();
  }
  return reasons;
}

gpuIt('a ball at 10 m/s does not pass a soft plate of 2 cm, and what comes after is the GPU’s again', async () => {
  const world = await gpuWorld({ gravity: [0, 0, 0] });
  const plate = prepare(box({ size: [0.02, 2, 2], divisions: [1, 5, 5] }), surface({ regionSize: 3 }));
  const body = world.add(ball, { position: [-0.6, 0.1, 0.05], velocity: [10, 0, 0] });
  const target = world.add(plate);
  const reasons = await advance(world, 80, () => {
    expect(body.centreOfMass()[0]).toBeLessThan(target.centreOfMass()[0]);
  });
  expect(target.momentum()[0]).toBeGreaterThan(0);
  expect(Math.max(world.penetration(body), world.penetration(target))).toBeLessThan(0.01);
  expect(reasons.get('bodies meet fast for how thin they are')).toBeGreaterThan(10);
  target.applyImpulse([20 * target.mass, 0, 0]);
  await advance(world, 30);
  expect(world.capabilities.onHost).toBe(undefined);
  world.dispose();
});

gpuIt('a body that is put into another leaves it', async () => {
  const small = prepare(icosphere({ detail: 1, radius: 0.25 }), surface({ regionSize: 2 }));
  const world = await gpuWorld({ gravity: [0, 0, 0] });
  const inner = world.add(small, { position: [0.2, 0.1, 0] });
  const outer = world.add(ball);
  const reasons = await advance(world, 140);
  expect(Math.max(world.penetration(inner), world.penetration(outer))).toBeLessThan(0.01);
  expect(reasons.get('bodies lie deep in each other')).toBeGreaterThan(10);
  expect(world.capabilities.onHost).toBe(undefined);
  world.dispose();
});

gpuIt('a ring that is pinched touches itself, and does not cross itself', async () => {
  const world = await gpuWorld({ gravity: [0, 0, 0] });
  const mesh = torus({ majorRadius: 1, minorRadius: 0.2, majorSegments: 24, minorSegments: 6 });
  const body = world.add(prepare(mesh, surface({ regionSize: 2, stiffness: 0.1 })), { selfContact: true });
  for (const side of [1, -1]) {
    const arm = Array.from({ length: body.particleCount }, (_, i) => i).filter(
      (i) => side * mesh.positions[3 * i + 2] > 1,
    );
    body.pin(arm, [{ time: 0 }, { time: 0.4, position: [0, 0, -0.9 * side] }]);
  }
  const reasons = await advance(world, 80);
  expect(findSelfIntersections(body.positions, mesh.triangles).count).toBe(0);
  expect(reasons.get('a body touches itself')).toBeGreaterThan(5);
  world.dispose();
});

gpuIt('bodies that meet slowly and press each other stay on the GPU', async () => {
  const world = await gpuWorld();
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -0.5 });
  for (let n = 0; n < 3; n++) world.add(ball, { position: [0.05 * n, 1.02 * n, 0] });
  expect((await advance(world, 40)).size).toBe(0);
  expect(hostSubsteps(world)).toBe(0);
  world.dispose();
});

gpuIt('so do all that begin before a sync', async () => {
  const world = await gpuWorld({ gravity: [0, 0, 0] });
  world.add(ball, { position: [-1.5, 0, 0], velocity: [50, 0, 0] });
  world.add(ball);
  for (let n = 0; n < 6; n++) {
    world.step();
    await world.sync({ latency: 1 });
  }
  expect(hostSubsteps(world)).toBe(0);
  world.dispose();
});
