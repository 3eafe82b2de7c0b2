// Single kernels against the reference in double precision. Bodies of every size at which chunks of 128 particles begin, end or are left
// over lie side by side in one world, so that one run also shows that they keep out of each other's sums. Sums of regions hold to 1e-4 of
// the largest, rotations to 1e-3 rad; single precision rounds by 6e-8 per operation, and a step of Δt turns that into 6e-8/Δt of velocity.

import { beforeAll, describe, expect } from 'vitest';
import { type BackendBody, emptyProfile } from '../../src/backends/backend.js';
import { ReferenceBackend } from '../../src/backends/reference/reference-backend.js';
import type { ReferenceBody } from '../../src/backends/reference/reference-body.js';
import { createWasmBackend } from '../../src/backends/wasm/wasm-backend.js';
import type { WasmBody } from '../../src/backends/wasm/wasm-body.js';
import { acquireDevice } from '../../src/backends/webgpu/gpu-device.js';
import { CHUNK_ROWS, FRAME } from '../../src/backends/webgpu/layout.js';
import { PackedBodies } from '../../src/backends/webgpu/packed-bodies.js';
import { type Dispatch, STEP_PLAN } from '../../src/backends/webgpu/step-plan.js';
import { WebGpuBackend } from '../../src/backends/webgpu/webgpu-backend.js';
import type { PreparedSurface } from '../../src/index.js';
import { prepare, surface } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { MOMENT_STRIDE, writeMoments } from '../../src/solvers/moments.js';
import { sumMembers } from '../../src/solvers/surface/region-sums.js';
import type { SurfaceModel } from '../../src/solvers/surface/surface-model.js';
import { MESH_SIZES, meshOfSize } from '../kernels/kernel-sizes.js';
import { gpuTests, requestDevice, testDevice } from './gpu-world.js';

const SIZES = [...MESH_SIZES.filter((size) => size < 4000), 127, 128, 129, 1025];
const gpuIt = gpuTests(5 * SIZES.length);

const prepared = SIZES.map((size) => prepare(meshOfSize(size), surface({ regionSize: 2 })));
const input = { gravity: [0, 0, 0] as const, time: 0, timeStep: 0.005, colliders: [] };

/** The same bent, stretched and shaken bodies in any backend, ten metres apart. */
function fill<B extends BackendBody>(backend: { add(rest: PreparedSurface, density: number): B }): B[] {
  return prepared.map((rest, n) => {
    const body = backend.add(rest, 1000);
    const random = seededRandom(n);
    const x = Float64Array.from(rest.mesh.positions);
    for (let k = 0; k < x.length; k += 3) {
      x[k] += 10 * n + 0.3 * x[k + 1] * x[k + 1] + 0.02 * random();
      x[k + 1] = 1.2 * x[k + 1] + 0.02 * random();
      x[k + 2] += 0.02 * random();
    }
    body.place(x, [0, 0, 0, 1]);
    return body;
  });
}

async function runOnGpu(plan: readonly Dispatch[], device: Promise<GPUDevice> = testDevice()) {
  const backend = new WebGpuBackend(
    { ...(await acquireDevice(await device)), timestamps: false },
    await createWasmBackend({ threads: 1 }),
    plan,
  );
  const images = fill<BackendBody>(backend) as WasmBody[];
  backend.run(input, emptyProfile());
  return { backend, images };
}

const upTo = (kernel: string) => STEP_PLAN.slice(0, STEP_PLAN.findIndex((one) => one.kernel === kernel) + 1);
const places = new PackedBodies(prepared).places;

describe.each(['workgroup memory', 'subgroups'])('matching by %s', (way) => {
  let prefix: Float32Array;
  let quaternions: Float32Array;
  let origins: Float32Array;

  beforeAll(async () => {
    const other = way === 'subgroups' ? requestDevice('subgroups') : undefined;
    const { backend } = await runOnGpu(upTo('transforms'), other);
    if (other) expect(backend.capabilities.subgroups).toBe(true);
    prefix = new Float32Array(await backend.read('prefix0'));
    quaternions = new Float32Array(await backend.read('quaternions'));
    origins = new Float32Array(await backend.read('frames'));
    backend.dispose();
    (await other)?.destroy();
  }, 300_000);

  describe.each(SIZES.map((size, n) => [size, n] as const))('%i particles', (_, n) => {
    const [body] = fill(new ReferenceBackend()).slice(n, n + 1);
    const { rest } = body.model as SurfaceModel;
    const { rest: packed, firstChunk, first } = places[n];

    gpuIt('sums over regions are those over their members', async () => {
      expect(origins[FRAME.words * n] - 10 * n).toBeLessThan(4);
      const { positions } = body.particles;
      const values = new Float64Array(MOMENT_STRIDE * rest.count);
      const naive = new Float64Array(MOMENT_STRIDE * rest.count);
      writeMoments(rest, positions, positions.slice(0, 3), values);
      sumMembers(values, MOMENT_STRIDE, rest.regions, naive);
      // The shaders' unit of mass.
      const unit = packed.particles[3] / Math.fround(rest.regionMasses[0]);
      const largest = naive.reduce((most, sum) => Math.max(most, Math.abs(sum)), 0);
      for (let i = 0; i < rest.count; i++) {
        for (let c = 0; c < MOMENT_STRIDE; c++) {
          let sum = 0;
          for (let e = packed.intervalOffsets[i]; e < packed.intervalOffsets[i + 1]; e++) {
            const at = (row: number) => prefix[16 * (CHUNK_ROWS * firstChunk + row) + c];
            sum += at(packed.intervals[2 * e + 1]) - at(packed.intervals[2 * e]);
          }
          expect(Math.abs(sum / unit - naive[MOMENT_STRIDE * i + c])).toBeLessThan(1e-4 * largest);
        }
      }
    });

    gpuIt('rotations are the nearest', async () => {
      const model = body.model as SurfaceModel;
      model.writeGoals(body.particles.positions, new Float64Array(3 * rest.count));
      for (let i = 0; i < rest.count; i++) {
        let dot = 0;
        for (let c = 0; c < 4; c++) dot += quaternions[4 * (first + i) + c] * model.quaternions[4 * i + c];
        // |q·p| = cos(θ/2); of small angles the sine is known better.
        const turned = 2 * Math.sqrt(Math.max(0, 1 - dot * dot));
        expect(turned).toBeLessThan(1e-3);
      }
    });
  });
});

describe('a whole step', () => {
  let images: WasmBody[];
  let bodies: ReferenceBody[];

  beforeAll(async () => {
    const { backend, images: stepped } = await runOnGpu(STEP_PLAN);
    await backend.sync();
    images = stepped;
    const reference = new ReferenceBackend();
    bodies = fill(reference);
    reference.run(input, emptyProfile());
  }, 300_000);

  describe.each(SIZES.map((size, n) => [size, n] as const))('%i particles', (_, n) => {
    gpuIt('ends where the reference ends', async () => {
      // Not as they are shown, which far from the origin has fewer digits.
      const positions = images[n].shell.packed.worldPositions();
      const { velocities } = images[n].image.state;
      const wanted = bodies[n].particles;
      for (let k = 0; k < positions.length; k++) {
        expect(Math.abs(positions[k] - wanted.positions[k])).toBeLessThan(2e-5);
        expect(Math.abs(velocities[4 * Math.trunc(k / 3) + (k % 3)] - wanted.velocities[k])).toBeLessThan(4e-3);
      }
    });
  });
});
