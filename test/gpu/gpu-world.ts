// Worlds on one device that all GPU tests of a process share, so that kernels are compiled once.

import { afterAll, expect, it } from 'vitest';
import { createWorld, type World, type WorldOptions } from '../../src/index.js';
import { nodeGpu } from './node-gpu.js';

const shared = globalThis as { isochoreTestDevice?: Promise<GPUDevice> };

async function requestDevice(): Promise<GPUDevice> {
  const adapter = await (await nodeGpu()).requestAdapter();
  if (!adapter) throw new Error('no WebGPU adapter');
  // No limits are asked for: what runs here runs everywhere.
  const device = await adapter.requestDevice({ requiredFeatures: ['timestamp-query'] });
  device.addEventListener('uncapturederror', ({ error }) => {
    console.error(error.message);
    process.exitCode = 1;
  });
  return device;
}

export const testDevice = (): Promise<GPUDevice> => {
  shared.isochoreTestDevice ??= requestDevice();
  return shared.isochoreTestDevice;
};

export const gpuWorld = async (options: WorldOptions = {}): Promise<World> =>
  createWorld({ backend: 'webgpu', gpu: await testDevice(), ...options });

/** Tests that ran on an adapter, in this file. */
export function gpuTests(expected: number): (name: string, run: () => Promise<void>, timeout?: number) => void {
  let executed = 0;
  afterAll(() => {
    expect(executed, 'GPU tests that ran on an adapter').toBe(expected);
  });
  // The first compiles all kernels, which on a busy machine takes minutes.
  return (name, run, timeout = 300_000) =>
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
