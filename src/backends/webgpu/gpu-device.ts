// A GPU device: the user's own, or one that is asked for here and belongs to the world.

import type { GpuSource } from './gpu-source.js';
import { checkSubgroups } from './subgroups.js';

export interface DeviceHolder {
  readonly device: GPUDevice;
  /** Whether the world made it, and destroys it with itself. */
  readonly own: boolean;
  /** Name of the adapter, where it tells. */
  readonly adapter: string;
  /** Whether the stages can be timed. */
  readonly timestamps: boolean;
  /** Whether the kernels use subgroups. */
  readonly subgroups: boolean;
}

const isDevice = (source: GPU | GPUDevice): source is GPUDevice => 'queue' in source && 'createBuffer' in source;

/** Features that are used where they are there. */
const OPTIONAL = ['timestamp-query', 'subgroups'] as const;

async function hold(device: GPUDevice, own: boolean, adapter: string): Promise<DeviceHolder> {
  const timestamps = device.features.has('timestamp-query');
  return { device, own, adapter, timestamps, subgroups: await checkSubgroups(device) };
}

/** @throws Error in one line where there is no WebGPU or no adapter. */
export async function acquireDevice(source?: GpuSource): Promise<DeviceHolder> {
  const given = (source ?? (globalThis.navigator as Navigator | undefined)?.gpu) as GPU | GPUDevice | undefined;
  if (!given) {
    throw new Error('backend: webgpu needs navigator.gpu, or in Node { gpu: create([]) } of the package webgpu');
  }
  if (isDevice(given)) return hold(given, false, given.adapterInfo?.description ?? '');
  const adapter = await given.requestAdapter();
  if (!adapter) throw new Error('backend: webgpu found no adapter, expected a GPU or a software adapter');
  const requiredFeatures = OPTIONAL.filter((feature) => adapter.features.has(feature));
  const { description, vendor } = adapter.info;
  return hold(await adapter.requestDevice({ requiredFeatures }), true, description || vendor);
}
