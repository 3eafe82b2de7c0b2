// A GPU device: the user's own, or one that is asked for here and belongs to the world.

import type { GpuSource } from './gpu-source.js';

export interface DeviceHolder {
  readonly device: GPUDevice;
  /** Whether the world made it, and destroys it with itself. */
  readonly own: boolean;
  /** Name of the adapter, where it tells. */
  readonly adapter: string;
  /** Whether the stages can be timed. */
  readonly timestamps: boolean;
}

const isDevice = (source: GPU | GPUDevice): source is GPUDevice => 'queue' in source && 'createBuffer' in source;

/** Features that are used where they are there. */
const OPTIONAL: readonly GPUFeatureName[] = ['timestamp-query'];

/** @throws Error in one line where there is no WebGPU or no adapter. */
export async function acquireDevice(source?: GpuSource): Promise<DeviceHolder> {
  const given = (source ?? (globalThis.navigator as Navigator | undefined)?.gpu) as GPU | GPUDevice | undefined;
  if (!given) {
    throw new Error('backend: webgpu needs navigator.gpu, or in Node { gpu: create([]) } of the package webgpu');
  }
  if (isDevice(given)) {
    const timestamps = given.features.has('timestamp-query');
    return { device: given, own: false, adapter: given.adapterInfo?.description ?? '', timestamps };
  }
  const adapter = await given.requestAdapter();
  if (!adapter) throw new Error('backend: webgpu found no adapter, expected a GPU or a software adapter');
  const requiredFeatures = OPTIONAL.filter((feature) => adapter.features.has(feature));
  const device = await adapter.requestDevice({ requiredFeatures });
  const { description, vendor } = adapter.info;
  return { device, own: true, adapter: description || vendor, timestamps: requiredFeatures.length > 0 };
}
