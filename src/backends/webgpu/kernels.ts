// Compute pipelines, one per shader and device. What a kernel is bound to stands in its WGSL: buffers are found by the names there.

import { DECLARATIONS } from './layout.js';
import { SHADERS } from './shaders.generated.js';

interface Binding {
  readonly binding: number;
  readonly name: string;
  readonly type: GPUBufferBindingType;
}

export interface Kernel {
  readonly name: string;
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  readonly bindings: readonly Binding[];
}

const ACCESS: Readonly<Record<string, GPUBufferBindingType>> = {
  uniform: 'uniform',
  'storage, read': 'read-only-storage',
  'storage, read_write': 'storage',
};

/** The whole text of a shader. */
export function shaderText(name: string): string {
  const shader = SHADERS[name];
  if (!shader) throw new Error(`there is no shader ${name}`);
  return [DECLARATIONS, shader.text, ...shader.uses.map((part) => SHADERS[part].text)].join('');
}

/** What a shader is bound to, in order. */
export function shaderBindings(name: string): readonly Binding[] {
  const found = SHADERS[name].text.matchAll(/@binding\((\d+)\) var<([^>]+)> (\w+)/g);
  return Array.from(found, ([, binding, access, buffer]) => ({
    ...{ binding: Number(binding), name: buffer, type: ACCESS[access] },
  }));
}

/** GPUShaderStage.COMPUTE, which Node has no global for. */
const COMPUTE = 4;

const caches = new WeakMap<GPUDevice, Map<string, Kernel>>();

/** The kernel of a shader on a device; made once. */
export function kernelOf(device: GPUDevice, name: string): Kernel {
  const cache = caches.get(device) ?? new Map<string, Kernel>();
  caches.set(device, cache);
  const known = cache.get(name);
  if (known) return known;
  const bindings = shaderBindings(name);
  const layout = device.createBindGroupLayout({
    label: name,
    entries: bindings.map(({ binding, type }) => ({ binding, visibility: COMPUTE, buffer: { type } })),
  });
  const module = device.createShaderModule({ label: name, code: shaderText(name) });
  const pipeline = device.createComputePipeline({
    label: name,
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module, entryPoint: 'main' },
  });
  const kernel = { name, pipeline, layout, bindings };
  cache.set(name, kernel);
  return kernel;
}
