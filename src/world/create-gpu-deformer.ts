// Moves a deformer's iteration to the GPU; what that takes is loaded then.

import type { GpuDeformer } from '../backends/webgpu/gpu-deformer.js';
import type { GpuSource } from '../backends/webgpu/gpu-source.js';
import type { Deformer } from '../deformer/deformer.js';

/**
 * The iteration of a deformer with `mode: 'iterate'` on the GPU, for previews of large bodies: frames are the same but for single
 * precision. A deformer that minimises is refused: its minimum is found on the host.
 * @param options.gpu a device, or what gives one; `navigator.gpu` where nothing is given.
 * @example
 * ```ts
 * const deformer = createDeformer(icosphere({ detail: 2 }), { mode: 'iterate', reach: 0.2 });
 * if ('gpu' in (globalThis.navigator ?? {})) {
 *   const preview = await createGpuDeformer(deformer);
 *   const { positions } = await preview.at({ colliders: [{ shape: 'sphere', radius: 0.5, position: [0, 1.2, 0] }] });
 *   preview.dispose();
 * }
 * ```
 */
export async function createGpuDeformer(
  deformer: Deformer,
  options: { readonly gpu?: GpuSource } = {},
): Promise<GpuDeformer> {
  const { openGpuDeformer } = await import('../backends/webgpu/gpu-deformer.js');
  return openGpuDeformer(deformer, options.gpu);
}
