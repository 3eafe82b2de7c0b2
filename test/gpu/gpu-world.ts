// Worlds on one device that all GPU tests of a process share, so that kernels are compiled once.

import { afterAll, expect, it } from 'vitest';
import { type Body, createWorld, type World, type WorldOptions } from '../../src/index.js';
import { nodeGpu } from './node-gpu.js';

const shared = globalThis as { isochoreTestDevice?: Promise<GPUDevice> };

/** A device of its own, with default limits: what runs here runs everywhere. */
export async function requestDevice(...requiredFeatures: GPUFeatureName[]): Promise<GPUDevice> {
  const adapter = await (await nodeGpu()).requestAdapter();
  if (!adapter) throw new Error('no WebGPU adapter');
  const device = await adapter.requestDevice({ requiredFeatures });
  device.addEventListener('uncapturederror', ({ error }) => {
    console.error(error.message);
    process.exitCode = 1;
  });
  return device;
}

/** With ISOCHORE_SUBGROUPS=1 all tests run with kernels that use subgroups. */
const SUBGROUPS: readonly GPUFeatureName[] = process.env.ISOCHORE_SUBGROUPS === '1' ? ['subgroups'] : [];

export const testDevice = (): Promise<GPUDevice> => {
  shared.isochoreTestDevice ??= requestDevice('timestamp-query', ...SUBGROUPS);
  return shared.isochoreTestDevice;
};

export const gpuWorld = async (options: WorldOptions = {}): Promise<World> =>
  createWorld({ backend: 'webgpu', gpu: await testDevice(), ...options });

/** Of bodies that share a world, and its obstacles, and do not touch each other: a step of several costs less than as many of one. */
export const APART = { group: 2, collidesWith: 1 } as const;

/** Steps, with a sync after each. */
export async function advance(world: World, steps: number, each: (step: number) => void = () => {}): Promise<void> {
  for (let n = 0; n < steps; n++) {
    world.step();
    await world.sync();
    each(n);
  }
}

/** |V/V₀ − 1|. */
export const volumeError = (body: Body): number => Math.abs(body.volume() / body.restVolume - 1);

/** Tests that ran on an adapter, in this file. */
export function gpuTests(expected: number): (name: string, run: () => Promise<void>, timeout?: number) => void {
  let executed = 0;
  afterAll(() => {
    expect(executed, 'GPU tests that ran on an adapter').toBe(expected);
  });
  // The first compiles all kernels, which on a busy machine takes minutes; soaks take as long as they take.
  return (name, run, timeout = process.env.ISOCHORE_SOAK === '1' ? 3_600_000 : 300_000) =>
    it(
      name,
      async () => {
        expect((await testDevice()).limits.maxStorageBuffersPerShaderStage).toBe(8);
        executed++;
        await run();
      },
      timeout,
    );
}
