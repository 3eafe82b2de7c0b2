// What is drawn from the GPU's buffers, against the same of the reference in double precision: positions to 1e-5 of the size and directions
// to 1e-4, which is single precision through two rounds of means.

import { readFileSync } from 'node:fs';
import { type BufferAttribute, MeshBasicMaterial, PerspectiveCamera, Scene, SphereGeometry } from 'three';
import { expect } from 'vitest';
import { createDeformer, type DeformerReport } from '../../src/deformer/index.js';
import {
  type Body,
  createGpuDeformer,
  createWorld,
  embed,
  type GpuBuffer,
  prepare,
  ReferenceSkin,
  surface,
} from '../../src/index.js';
import { icosphere, torus, vertexNormals } from '../../src/mesh/index.js';
import { GpuSoftMesh } from '../../src/three/index.js';
import { codeBlocks } from '../house/page-programs.js';
import { gpuTests, gpuWorld, testDevice } from './gpu-world.js';

const gpuIt = gpuTests(4);

const ball = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));

/** GPUBufferUsage.MAP_READ | COPY_DST, and GPUMapMode.READ, which Node has no globals for. */
const [STAGING, READ] = [9, 1];

async function numbersOf(buffer: GpuBuffer): Promise<Float32Array> {
  const device = await testDevice();
  const { size } = buffer;
  const staging = device.createBuffer({ size, usage: STAGING });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer as GPUBuffer, 0, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(READ);
  const numbers = new Float32Array(staging.getMappedRange().slice(0));
  staging.destroy();
  return numbers;
}

async function expectNear(
  buffer: GpuBuffer | null,
  wanted: ArrayLike<number> | null,
  tolerance: number,
): Promise<void> {
  const numbers = await numbersOf(buffer as GpuBuffer);
  const list = wanted as ArrayLike<number>;
  expect(numbers.length).toBeGreaterThanOrEqual(list.length);
  for (let k = 0; k < list.length; k++) expect(Math.abs(numbers[k] - list[k])).toBeLessThan(tolerance);
}

/** A ball that has hit the floor, far from the origin; neither body nor floor know it yet. */
async function dented(): Promise<{ world: Awaited<ReturnType<typeof gpuWorld>>; body: Body }> {
  const world = await gpuWorld();
  world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -0.4 });
  // Another one before it, so that its particles do not begin at 0.
  world.add(ball, { position: [40, 3, 0] });
  const body = world.add(ball, { position: [37, 0.12, 2], velocity: [0.5, -3, 0], spin: [0, 3, 1] });
  return { world, body };
}

gpuIt('the simulation mesh is where the steps leave it, with its normals, without a sync', async () => {
  const { world, body } = await dented();
  const skin = body.gpuSkin();
  // Before the first step it is where the host put it.
  await expectNear(skin.positions, body.positions, 1e-5);
  for (let n = 0; n < 8; n++) world.step();
  skin.update();
  const shown = await numbersOf(skin.positions);
  await world.sync();
  expect(body.contactCount).toBeGreaterThan(0);
  for (let k = 0; k < body.positions.length; k++) expect(Math.abs(shown[k] - body.positions[k])).toBeLessThan(1e-5);
  const normals = vertexNormals(body.positions, body.mesh.triangles);
  for (let k = 0; k < normals.length; k += 3) {
    const length = Math.hypot(normals[k], normals[k + 1], normals[k + 2]);
    for (let c = k; c < k + 3; c++) normals[c] /= length;
  }
  await expectNear(skin.normals, normals, 1e-4);
  // By hand, and by an advance that ends between two steps.
  body.teleport([1, 2, 3]);
  skin.update();
  await expectNear(skin.positions, body.positions, 1e-5);
  world.step();
  await world.sync();
  const before = Float64Array.from(body.positions);
  world.advance(0.008);
  skin.update();
  const between = await numbersOf(skin.positions);
  await world.sync();
  for (let k = 0; k < before.length; k++) {
    expect(Math.abs(between[k] - (before[k] + 0.6 * (body.positions[k] - before[k])))).toBeLessThan(1e-5);
  }
  world.dispose();
});

gpuIt('a visible mesh follows, with normals and tangents, near the surface and far from it', async () => {
  const { world, body } = await dented();
  // A ring whose outside is far from the ball.
  const ring = torus({ majorRadius: 1.2, minorRadius: 0.8, majorSegments: 16, minorSegments: 9 });
  const tangents = Float64Array.from({ length: (4 * ring.positions.length) / 3 }, (_, k) => [0.6, 0, 0.8, -1][k % 4]);
  const visible = { ...ring, tangents };
  const skin = body.gpuSkin(visible);
  expect(embed(body.mesh, visible).binding.farShares.some((share) => share > 0)).toBe(true);
  for (let n = 0; n < 8; n++) world.step();
  skin.update();
  await world.sync();
  const wanted = new ReferenceSkin(embed(body.mesh, visible), () => body.positions);
  await expectNear(skin.positions, wanted.positions, 2e-5);
  await expectNear(skin.normals, wanted.normals, 1e-4);
  await expectNear(skin.tangents, wanted.tangents, 1e-4);
  skin.dispose();
  world.dispose();
});

gpuIt('bodies of other worlds have none', async () => {
  const world = await createWorld({ backend: 'reference' });
  const body = world.add(ball);
  expect(() => body.gpuSkin()).toThrow('gpuSkin: expected a world on webgpu, got reference');
  world.dispose();
});

gpuIt('the page on WebGPU runs as it stands, with a renderer that only counts', async () => {
  const page = readFileSync(new URL('../../docs/webgpu.md', import.meta.url), 'utf8');
  const program = codeBlocks(page, 'js')
    .join('\n')
    .replace(/^import .*$/gm, '');
  const device = await testDevice();
  const [buffers, drawn] = [new Map<BufferAttribute, { buffer?: GPUBuffer }>(), [] as Scene[]];
  let loop: ((now: number) => void) | undefined;
  class WebGPURenderer {
    backend = {
      device,
      get: (attribute: BufferAttribute) => buffers.get(attribute) ?? buffers.set(attribute, {}).get(attribute),
    };
    async init() {}
    setAnimationLoop(called: (now: number) => void) {
      loop = called;
    }
    render(scene: Scene) {
      drawn.push(scene);
    }
  }
  const scope = {
    ...{ create: () => device, createWorld, icosphere, prepare, GpuSoftMesh, WebGPURenderer },
    ...{ createDeformer, createGpuDeformer },
    ...{ material: new MeshBasicMaterial(), geometry: new SphereGeometry(1, 8, 6), scene: new Scene() },
    camera: new PerspectiveCamera(),
  };
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...args: unknown[]) => Promise<{
    body: Body;
    stage: Awaited<ReturnType<typeof createWorld>>;
    report: DeformerReport;
  }>;
  const run = new AsyncFunction(...Object.keys(scope), `${program}\nreturn { body, stage, report };`);
  const { body, stage, report } = await run(...Object.values(scope));
  for (const now of [0, 20, 40]) loop?.(now);
  expect([stage.stepCount, drawn.length, body.contactCount]).toEqual([8, 3, 0]);
  expect([...buffers.values()].filter(({ buffer }) => buffer).length).toBe(2);
  expect(report.touched && report.iterations === 20).toBe(true);
  stage.dispose();
});
