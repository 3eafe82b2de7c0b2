// Scenes on the GPU against the reference in double precision: after 50 steps within 2e-3 of the body's size, the volume within
// 0.005 % after every step. Single precision rounds by 6e-8 of the size per operation; contacts that begin a step earlier or later are
// what differs most.

import { expect } from 'vitest';
import type { WebGpuBackend } from '../../src/backends/webgpu/webgpu-backend.js';
import { type Body, createWorld, prepare, surface, type World } from '../../src/index.js';
import { box, icosphere, signedVolume } from '../../src/mesh/index.js';
import { partsOf } from '../../src/world/world-parts.js';
import { gpuTests, gpuWorld } from './gpu-world.js';

const gpuIt = gpuTests(3);
const STEPS = 50;

function largestDifference(a: Body, b: Body): number {
  let most = 0;
  for (let k = 0; k < a.positions.length; k++) most = Math.max(most, Math.abs(a.positions[k] - b.positions[k]));
  return most;
}

/** Of the only body, with all digits of its own frame: far from the origin the positions that are shown have fewer. */
function exactVolume(world: World): number {
  const [{ shell, positions, prepared }] = (partsOf(world).backend as WebGpuBackend).bodies;
  return signedVolume(shell.packed.exactPositions(positions), prepared.mesh.triangles);
}

/** Both worlds, step by step; returns how far apart they are at the end, in body sizes. */
async function compare(build: (world: World) => Body, steps = STEPS): Promise<number> {
  const worlds = [await gpuWorld(), await createWorld({ backend: 'reference' })];
  const [gpu, reference] = worlds.map(build);
  let worst = 0;
  for (let n = 0; n < steps; n++) {
    for (const world of worlds) {
      world.step();
      await world.sync();
    }
    worst = Math.max(worst, Math.abs(exactVolume(worlds[0]) / gpu.restVolume - 1));
  }
  const apart = largestDifference(gpu, reference) / 2;
  for (const world of worlds) world.dispose();
  expect(worst).toBeLessThan(5e-5);
  return apart;
}

gpuIt('squeezes a ball to half of its height', async () => {
  const ball = prepare(icosphere({ detail: 2, radius: 1 }), surface({ regionSize: 2 }));
  const apart = await compare((world) => {
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -1 });
    const lid = [
      { time: 0, position: [0, 1.1, 0] as const },
      { time: 0.25, position: [0, 0.1, 0] as const },
    ];
    world.addCollider({ shape: 'box', size: [4, 0.2, 4], motion: lid });
    return world.add(ball);
  });
  expect(apart).toBeLessThan(2e-3);
});

gpuIt('twists a bar by its ends', async () => {
  const bar = prepare(box({ size: [2, 0.5, 0.5], divisions: [12, 3, 3] }), surface({ regionSize: 3 }));
  const apart = await compare((world) => {
    world.gravity = [0, 0, 0];
    const body = world.add(bar);
    for (const side of [-1, 1]) {
      const end = body.select({
        box: [[side === -1 ? -2 : 0.99, -1, -1] as const, [side === -1 ? -0.99 : 2, 1, 1] as const],
      });
      const half = 0.3 * side;
      body.pin(end, [{ time: 0 }, { time: 0.25, rotation: [Math.sin(half), 0, 0, Math.cos(half)] }]);
    }
    return body;
  });
  expect(apart).toBeLessThan(2e-3);
});

gpuIt('drops a ball that turns far from the origin into a glass', async () => {
  const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));
  const apart = await compare((world) => {
    world.addCollider({ shape: 'glass', radius: 0.8, height: 2, wall: 0.1, position: [5000, 0, -3000] });
    return world.add(ball, { position: [5000.1, 0.75, -3000], velocity: [0, -2, 0], spin: [0, 0, 4] });
  });
  expect(apart).toBeLessThan(2e-3);
});
