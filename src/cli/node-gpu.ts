// WebGPU in Node: Dawn, a package that only those need who ask for it.

import { CliError } from './cli-error.js';

/** Once collected it would take the process down. */
const kept: GPU[] = [];

/** What `createWorld` asks for a device, where a backend needs one. */
export async function loadGpu(backend: string | undefined): Promise<GPU | undefined> {
  if (backend !== 'webgpu') return undefined;
  const dawn = await import('webgpu').catch(() => undefined);
  if (!dawn) throw new CliError('--backend webgpu: expected the package webgpu to be installed (npm install webgpu)');
  const gpu = dawn.create([]) as GPU;
  kept.push(gpu);
  return gpu;
}
