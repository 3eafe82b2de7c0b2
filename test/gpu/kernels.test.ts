// Single kernels against the reference in double precision. Bodies of every size at which chunks of 128 particles begin, end or are left
// over lie side by side in one world, so that one run also shows that they keep out of each other's sums. Sums of regions hold to 1e-4 of
// the largest, rotations to 1e-3 rad; single precision rounds by 6e-8 per operation, and a step of Δt turns that into 6e-8/Δt of velocity.

import { beforeAll, describe, expect } from 'vitest';
import { type BackendBody, emptyProfile } from '../../src/backends/backend.js';
import { CoupledModels } from '../../src/backends/coupled-models.js';
import { ReferenceBackend } from '../../src/backends/reference/reference-backend.js';
import type { ReferenceBody } from '../../src/backends/reference/reference-body.js';
import { damp, matchAll, predict } from '../../src/backends/reference/stages.js';
import { createWasmBackend } from '../../src/backends/wasm/wasm-backend.js';
import type { WasmBody } from '../../src/backends/wasm/wasm-body.js';
import { acquireDevice } from '../../src/backends/webgpu/gpu-device.js';
import { CHUNK_ROWS, FRAME, SUM_STRIDE } from '../../src/backends/webgpu/layout.js';
import { PackedBodies } from '../../src/backends/webgpu/packed-bodies.js';
import { type Dispatch, STEP_PLAN } from '../../src/backends/webgpu/step-plan.js';
import { WebGpuBackend } from '../../src/backends/webgpu/webgpu-backend.js';
import { SoftContact } from '../../src/contact/soft/soft-contact.js';
import type { PreparedSurface } from '../../src/index.js';
import { prepare, surface } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { MOMENT_STRIDE, writeMoments } from '../../src/solvers/moments.js';
import { createRigidMotion, measureRigidMotion } from '../../src/solvers/rigid-motion.js';
import { sumMembers } from '../../src/solvers/surface/region-sums.js';
import type { SurfaceModel } from '../../src/solvers/surface/surface-model.js';
import { volumeCubic } from '../../src/solvers/volume/cubic.js';
import { VOLUME_DEFAULTS } from '../../src/solvers/volume/settings.js';
import { smoothWeights, writeShares } from '../../src/solvers/volume/weights.js';
import { MESH_SIZES, meshOfSize } from '../kernels/kernel-sizes.js';
import { gpuTests, requestDevice, testDevice } from './gpu-world.js';

const SIZES = [...MESH_SIZES.filter((size) => size < 4000), 127, 128, 129, 1025];
const gpuIt = gpuTests(8 * SIZES.length);

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

/** What is packed four by four, three of each from a place on. */
const vectorsAt = (packed: Float32Array, first: number, count: number): Float64Array =>
  Float64Array.from({ length: 3 * count }, (_, k) => packed[4 * (first + Math.trunc(k / 3)) + (k % 3)]);

describe('matching and damping', () => {
  let velocities: Float32Array;
  let bodies: ReferenceBody[];

  beforeAll(async () => {
    const { backend } = await runOnGpu(upTo('advance'));
    velocities = new Float32Array(await backend.read('velocities'));
    backend.dispose();
    bodies = fill(new ReferenceBackend());
    const stages = { ...input, softContact: new SoftContact(), coupled: new CoupledModels<ReferenceBody>() };
    for (const body of bodies) predict(body, stages);
    matchAll(bodies, stages);
    for (const body of bodies) damp(body, stages);
  }, 300_000);

  describe.each(SIZES.map((size, n) => [size, n] as const))('%i particles', (_, n) => {
    gpuIt('give the velocities of double precision', async () => {
      const { particles } = bodies[n];
      const found = vectorsAt(velocities, places[n].first, particles.count);
      // Regions of 1 m are matched to 1e-6 of it, which takes 5 ms.
      found.forEach((v, k) => {
        expect(Math.abs(v - particles.velocities[k])).toBeLessThan(1e-3);
      });
    });
  });
});

describe('the volume correction', () => {
  let read: Record<'positions' | 'moved' | 'direction' | 'cubicSums', Float32Array>;

  beforeAll(async () => {
    const { backend } = await runOnGpu(upTo('cubic'));
    const names = ['positions', 'moved', 'direction', 'cubicSums'] as const;
    const found = await Promise.all(names.map(async (name) => [name, new Float32Array(await backend.read(name))]));
    read = Object.fromEntries(found);
    backend.dispose();
  }, 300_000);

  describe.each(SIZES.map((size, n) => [size, n] as const))('%i particles', (_, n) => {
    const { volume: rest, surface: elastic } = prepared[n];
    const { first, firstChunk, rest: packed } = places[n];
    const { count } = packed;

    gpuIt('has the weights of double precision', async () => {
      const lastsOf = (name: 'positions' | 'moved') =>
        Float64Array.from({ length: count }, (_, i) => read[name][4 * (first + i) + 3]);
      const expected = new Float64Array(count);
      writeShares(VOLUME_DEFAULTS, rest.pairs, vectorsAt(read.positions, first, count), lastsOf('positions'), expected);
      smoothWeights(rest.neighbours, new Uint8Array(count), expected, new Float64Array(count));
      lastsOf('moved').forEach((weight, i) => {
        expect(Math.abs(weight - expected[i])).toBeLessThan(1e-5 / count);
      });
    });

    gpuIt('has a direction without momentum, and the cubic of the volume along it', async () => {
      const positions = vectorsAt(read.moved, first, count);
      const direction = vectorsAt(read.direction, first, count);
      const motion = createRigidMotion();
      measureRigidMotion(positions, direction, elastic.massShares, motion);
      const size = direction.reduce((most, d) => Math.max(most, Math.abs(d)), 0);
      expect(size).toBeGreaterThan(0);
      expect(Math.hypot(...motion.linear)).toBeLessThan(1e-5 * size);
      expect(Math.hypot(...motion.angular)).toBeLessThan(1e-5 * size);
      const expected = new Float64Array(4);
      volumeCubic(positions, direction, rest.triangles, expected);
      expected.forEach((coefficient, c) => {
        let found = 0;
        for (let k = 0; k < packed.chunks; k++) found += read.cubicSums[SUM_STRIDE * (firstChunk + k) + c];
        // Of a correction by a tenth of a metre, in bodies of one.
        expect(Math.abs(found - coefficient) * (0.1 / size) ** c).toBeLessThan(1e-5 * 6 * rest.volume);
      });
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
