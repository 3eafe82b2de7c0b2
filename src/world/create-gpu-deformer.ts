// Moves a deformer's iteration to the GPU; what that takes is loaded then.

import type { GpuDeformer } from '../backends/webgpu/gpu-deformer.js';
import type { GpuSource } from '../backends/webgpu/gpu-source.js';
import type { Deformer } from '../deformer/deformer.js';

/**
 * The iteration of a deformer with `mode: 'iterate'` on the GPU, for previews of large bodies: frames are the same but for single
 * precision. A deformer that minimises is refused: its minimum is found on the host.
 * @param options.gpu a device, or what gives one; `navigator.gpu` where nothing is given.
 */
export async function createGpuDeformer(
  deformer: Deformer,
  options: { readonly gpu?: GpuSource } = {},
): Promise<GpuDeformer> {
  const { openGpuDeformer } = await import('../backends/webgpu/gpu-deformer.js');
  return openGpuDeformer(deformer, options.gpu);
}
