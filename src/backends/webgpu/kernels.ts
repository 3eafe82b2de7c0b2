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

/** What a shader with subgroups begins with. That whole subgroups take the same way follows from their size, which the compiler does not know. */
const WITH_SUBGROUPS = 'enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n';

/** The whole text of a shader; with subgroups in those of its parts that have such a form. */
export function shaderText(name: string, subgroups = false): string {
  const shader = SHADERS[name];
  if (!shader) throw new Error(`there is no shader ${name}`);
  const parts = shader.uses.map((part) => (subgroups && SHADERS[`${part}-subgroups`]) || SHADERS[part]);
  return [subgroups ? WITH_SUBGROUPS : '', DECLARATIONS, shader.text, ...parts.map(({ text }) => text)].join('');
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

/** Devices whose kernels use subgroups. */
const withSubgroups = new WeakSet<GPUDevice>();

/** From here on the kernels that are made for a device use subgroups. */
export function allowSubgroups(device: GPUDevice): void {
  withSubgroups.add(device);
}

/** The kernel of a shader on a device; made once. */
export function kernelOf(device: GPUDevice, name: string, subgroups = withSubgroups.has(device)): Kernel {
  const cache = caches.get(device) ?? new Map<string, Kernel>();
  caches.set(device, cache);
  const known = cache.get(name);
  if (known) return known;
  const bindings = shaderBindings(name);
  const layout = device.createBindGroupLayout({
    label: name,
    entries: bindings.map(({ binding, type }) => ({ binding, visibility: COMPUTE, buffer: { type } })),
  });
  const module = device.createShaderModule({ label: name, code: shaderText(name, subgroups) });
  const pipeline = device.createComputePipeline({
    label: name,
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module, entryPoint: 'main' },
  });
  const kernel = { name, pipeline, layout, bindings };
  cache.set(name, kernel);
  return kernel;
}
