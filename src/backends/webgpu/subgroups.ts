// Whether a device's subgroups can be used. WGSL leaves open which invocations of a workgroup are one; the shaders take runs of them, in order.
// So each device that has the feature computes sums that are known, once, before it gets any other kernel.

import { USAGE } from './buffers.js';
import { allowSubgroups, kernelOf } from './kernels.js';
import { CHUNK, SUM_STRIDE } from './layout.js';

/** GPUMapMode.READ, which Node has no global for. */
const MAP_READ = 1;

const COMPONENTS = 16;
const SUM_MAX = SUM_STRIDE - 1;

/** What subgroup-check has to write. */
export function expectedSums(): Float32Array {
  const sample = (lane: number, n: number) => (lane * (2 * n + 3)) % 61;
  const expected = new Float32Array(COMPONENTS * CHUNK + 2 * SUM_STRIDE);
  const sums = expected.subarray(COMPONENTS * CHUNK);
  for (let n = 0; n < SUM_STRIDE; n++) {
    let sum = 0;
    for (let lane = 0; lane < CHUNK; lane++) {
      sum = n === SUM_MAX ? Math.max(sum, sample(lane, n)) : sum + sample(lane, n);
      if (n < COMPONENTS) expected[n * CHUNK + lane] = sum;
    }
    sums[n] = sum;
    // Of the numbers of four lanes side by side.
    sums[SUM_STRIDE + n] = n === SUM_MAX ? 4 * n + 3 : 16 * n + 6;
  }
  return expected;
}

const checked = new WeakMap<GPUDevice, Promise<boolean>>();

/** Lets the kernels of a device use subgroups, where it has them and they are runs of invocations; whether they do. */
export function checkSubgroups(device: GPUDevice): Promise<boolean> {
  const known = checked.get(device) ?? check(device);
  checked.set(device, known);
  return known;
}

async function check(device: GPUDevice): Promise<boolean> {
  if (!device.features.has('subgroups')) return false;
  const expected = expectedSums();
  const size = expected.byteLength;
  device.pushErrorScope('validation');
  const results = device.createBuffer({ size, usage: USAGE.STORAGE | USAGE.COPY_SRC });
  const staging = device.createBuffer({ size, usage: USAGE.MAP_READ | USAGE.COPY_DST });
  try {
    const { pipeline, layout } = kernelOf(device, 'subgroup-check', true);
    const group = device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer: results } }] });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(1);
    pass.end();
    encoder.copyBufferToBuffer(results, 0, staging, 0, size);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(MAP_READ);
    const found = new Float32Array(staging.getMappedRange());
    const addUp = expected.every((sum, k) => sum === found[k]);
    if (addUp) allowSubgroups(device);
    return addUp;
  } catch {
    // A device that is lost; whoever holds it hears of that.
    return false;
  } finally {
    device.popErrorScope().catch(() => {});
    results.destroy();
    staging.destroy();
  }
}
