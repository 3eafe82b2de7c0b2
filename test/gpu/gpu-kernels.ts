// The shaders one by one, as test/kernels/wasm-kernels has the kernels of WebAssembly: of a body that tests fill themselves, state in and out as
// double precision vectors in path order; and of functions, on rows of numbers.

import { writeBodyRecord } from '../../src/backends/webgpu/body-records.js';
import { Buffers, USAGE } from '../../src/backends/webgpu/buffers.js';
import { BODY, DECLARATIONS, STEP, SUM_STRIDE } from '../../src/backends/webgpu/layout.js';
import { PackedBodies, type PackedPlace } from '../../src/backends/webgpu/packed-bodies.js';
import { Readback } from '../../src/backends/webgpu/readback.js';
import { SHADERS } from '../../src/backends/webgpu/shaders.generated.js';
import { BoundPlan, type Dispatch, STEP_PLAN } from '../../src/backends/webgpu/step-plan.js';
import { CONTACT_DEFAULTS } from '../../src/contact/contact-settings.js';
import type { PreparedSurface, VolumeSettings } from '../../src/index.js';
import { testDevice } from './gpu-world.js';

/** The first dispatches of kernels in a substep, in its order. */
const first = (...kernels: string[]): Dispatch[] =>
  STEP_PLAN.filter(
    ({ kernel }, n) => kernels.includes(kernel) && n === STEP_PLAN.findIndex((one) => one.kernel === kernel),
  );

const MATCH = first('moments', 'transforms', 'goals');
/** Without what gives a body its momentum back, which dampVelocities of src/solvers/surface leaves to its caller. */
const DAMP = first('momenta', 'fields', 'follow');
const WEIGH = first('shares', 'weights', 'direction-sums', 'flux-weights', 'flux-sums');
const DIRECT = first('outward', 'shares', 'weights', 'direction-sums', 'direction');
const CUBIC = first('cubic');
const CONSERVE = STEP_PLAN.slice(STEP_PLAN.findIndex(({ kernel }) => kernel === 'outward'));

const isMarked = (marks: Uint8Array | undefined, i: number): boolean => marks !== undefined && marks[i] !== 0;

export class GpuKernelBody {
  private readonly buffers: Buffers;
  private readonly readback: Readback;
  private readonly packed: PackedBodies;
  private readonly count: number;

  private constructor(
    private readonly device: GPUDevice,
    private readonly prepared: PreparedSurface,
    private readonly settings?: VolumeSettings,
  ) {
    this.buffers = new Buffers(device);
    this.readback = new Readback(device, this.buffers);
    this.packed = new PackedBodies([prepared]);
    this.packed.write(this.buffers, 0);
    this.count = prepared.particles.count;
  }

  /** Calls back with a body, which is gone after that; of no particles nothing runs. */
  static async of<T>(
    prepared: PreparedSurface,
    run: (body: GpuKernelBody) => Promise<T>,
    settings?: VolumeSettings,
  ): Promise<T> {
    const body = new GpuKernelBody(await testDevice(), prepared, settings);
    try {
      return await run(body);
    } finally {
      body.readback.dispose();
      body.buffers.dispose();
    }
  }

  /** Goals of positions, from the rotation (x, y, z, w) given for all regions. */
  async goals(positions: Float64Array, rotation: ArrayLike<number> = [0, 0, 0, 1]): Promise<Float64Array> {
    this.turn(rotation);
    for (const name of ['positions', 'starts']) this.setVectors(name, positions);
    // In a step of 1 s at full stiffness the velocity is the way to the goal.
    await this.run(MATCH, 1, { stiffness: 1 });
    return (await this.vectors('velocities')).map((v, k) => Math.fround(positions[k]) + v);
  }

  async damped(starts: Float64Array, velocities: Float64Array, share: number, timeStep: number): Promise<Float64Array> {
    for (const name of ['positions', 'starts']) this.setVectors(name, starts);
    this.setVectors('velocities', velocities);
    await this.run(DAMP, timeStep, { damping: share });
    return this.vectors('velocities');
  }

  /** Smoothed weights for positions and for velocities. */
  async weights(
    positions: Float64Array,
    changes: Float64Array,
    pinned?: Uint8Array,
    colliding?: Uint8Array,
  ): Promise<Float64Array[]> {
    this.setShell(positions, changes, pinned, colliding);
    await this.run(WEIGH.slice(0, 3), 1);
    const forPositions = (await this.numbers('moved', 3)).slice();
    await this.run(WEIGH.slice(3), 1);
    return [forPositions, (await this.numbers('moved', 0)).map((weight) => weight / this.count)];
  }

  /** The direction of the position correction, of regions that are turned by a rotation. */
  async direction(
    rotation: ArrayLike<number>,
    positions: Float64Array,
    changes: Float64Array,
    pinned?: Uint8Array,
  ): Promise<Float64Array> {
    this.turn(rotation);
    this.setShell(positions, changes, pinned);
    await this.run(DIRECT, 1, {}, pinned !== undefined);
    // In units of the mean weight.
    return (await this.vectors('direction')).map((d) => d / this.count);
  }

  /** Coefficients of 6V(x + λ·d). */
  async cubic(positions: Float64Array, direction: Float64Array): Promise<number[]> {
    this.setVectors('moved', positions);
    this.setVectors('direction', direction);
    await this.run(CUBIC, 1);
    const sums = await this.words('cubicSums');
    return [0, 1, 2, 3].map((c) => {
      let sum = 0;
      for (let k = 0; k < this.place.rest.chunks; k++) sum += sums[SUM_STRIDE * k + c];
      return sum;
    });
  }

  /** Positions and velocities after the volume constraint. */
  async conserved(
    positions: Float64Array,
    velocities: Float64Array,
    changes: Float64Array,
    pinned?: Uint8Array,
    colliding?: Uint8Array,
  ): Promise<{ positions: Float64Array; velocities: Float64Array }> {
    this.turn([0, 0, 0, 1]);
    this.setShell(positions, changes, pinned, colliding);
    this.setVectors('velocities', velocities);
    await this.run(CONSERVE, 0.005, {}, pinned?.some(Boolean));
    return { positions: await this.vectors('positions'), velocities: await this.vectors('velocities') };
  }

  private get place(): PackedPlace {
    return this.packed.places[0];
  }

  private turn(rotation: ArrayLike<number>): void {
    this.buffers.write(
      'quaternions',
      Float32Array.from({ length: 4 * this.count }, (_, k) => rotation[k % 4]),
    );
  }

  private setVectors(name: string, vectors: ArrayLike<number>, last: (i: number) => number = () => 0): void {
    const packed = new Float32Array(4 * this.count);
    for (let i = 0; i < this.count; i++) {
      for (let c = 0; c < 3; c++) packed[4 * i + c] = vectors[3 * i + c];
      packed[4 * i + 3] = last(i);
    }
    this.buffers.write(name, packed);
  }

  /**
   * As match and contact leave it: ‖c‖ beside positions, negative where pinned; marks of contacts without a normal, with bodies, since
   * obstacles without one would press from all sides.
   */
  private setShell(positions: Float64Array, changes: Float64Array, pinned?: Uint8Array, colliding?: Uint8Array): void {
    this.setVectors('positions', positions, (i) => (isMarked(pinned, i) ? -changes[i] - 1e-30 : changes[i]));
    this.setVectors('starts', positions, (i) => (isMarked(pinned, i) ? 1 : 0));
    const contacts = new Float32Array(16 * this.count);
    for (let i = 0; i < this.count; i++) contacts[16 * i + 7] = isMarked(colliding, i) ? 2 : 0;
    this.buffers.write('contacts', contacts);
  }

  private async words(name: string): Promise<Float32Array> {
    return new Float32Array(await this.readback.read([{ name, offset: 0, bytes: this.buffers.get(name).size }]));
  }

  private async vectors(name: string): Promise<Float64Array> {
    const words = await this.words(name);
    return Float64Array.from({ length: 3 * this.count }, (_, k) => words[4 * Math.trunc(k / 3) + (k % 3)]);
  }

  private async numbers(name: string, component: number): Promise<Float64Array> {
    const words = await this.words(name);
    return Float64Array.from({ length: this.count }, (_, i) => words[4 * i + component]);
  }

  private async run(
    plan: readonly Dispatch[],
    timeStep: number,
    numbers: Readonly<Partial<Record<keyof typeof BODY.offsets, number>>> = {},
    anchored = false,
  ): Promise<void> {
    if (this.count === 0) return;
    this.writeBody(timeStep, numbers, anchored);
    this.writeStep(timeStep);
    new BoundPlan(this.device, this.buffers, plan).submit(this.packed.chunkCount);
  }

  private writeBody(timeStep: number, numbers: Readonly<Partial<Record<string, number>>>, anchored: boolean): void {
    const { prepared, settings } = this;
    const record = new Float32Array(BODY.words);
    const own = prepared.solver.settings;
    const input = {
      ...{ prepared, contactSettings: CONTACT_DEFAULTS, mass: 1, asleep: false, anchored, pushed: false },
      ...{ settings: settings ? { ...own, volume: settings } : own, keepsOffItself: false },
      ...{ volumeShare: 1, restScale: 1, anchor: [0, 0, 0] },
    };
    writeBodyRecord(record, new Uint32Array(record.buffer), 0, this.place, input, timeStep);
    for (const [field, value] of Object.entries(numbers)) {
      record[BODY.offsets[field as keyof typeof BODY.offsets]] = value as number;
    }
    this.buffers.write('bodies', record);
  }

  private writeStep(timeStep: number): void {
    const floats = new Float32Array(STEP.words);
    const words = new Uint32Array(floats.buffer);
    floats[STEP.offsets.timeStep] = timeStep;
    words[STEP.offsets.chunkCount] = this.packed.chunkCount;
    words[STEP.offsets.cellCount] = this.packed.cellCount;
    for (const [name, base] of Object.entries(this.packed.bases)) {
      words[STEP.offsets[name as keyof PackedBodies['bases']]] = base;
    }
    this.buffers.write('step', words);
  }
}

const FUNCTION_MAIN = `
@group(0) @binding(0) var<storage, read> given: array<f32>;
@group(0) @binding(1) var<storage, read_write> found: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i < arrayLength(&found) / FOUND) { evaluate(i); }
}
`;

/**
 * Evaluates a function of the shaders for each row of numbers. `evaluate` is WGSL, `fn evaluate(i: u32)`, which takes `given` of a row and
 * writes its `found`; of both a row has so many numbers.
 */
export async function evaluateRows(
  parts: readonly string[],
  evaluate: string,
  { given, givenWords, foundWords }: { given: Float32Array; givenWords: number; foundWords: number },
): Promise<Float32Array> {
  const device = await testDevice();
  const rows = given.length / givenWords;
  const buffers = new Buffers(device);
  const readback = new Readback(device, buffers);
  buffers.reserve('given', given.byteLength);
  buffers.reserve('found', 4 * foundWords * rows, USAGE.STORAGE);
  buffers.write('given', given);
  const head = `${DECLARATIONS}const GIVEN = ${givenWords}u;\nconst FOUND = ${foundWords}u;\n`;
  const code = [head, FUNCTION_MAIN, evaluate, ...parts.map((part) => SHADERS[part].text)].join('');
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
  const entries = ['given', 'found'].map((name, binding) => ({ binding, resource: { buffer: buffers.get(name) } }));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.ceil(buffers.get('found').size / (4 * foundWords) / 64));
  pass.end();
  device.queue.submit([encoder.finish()]);
  const words = new Float32Array(await readback.read([{ name: 'found', offset: 0, bytes: 4 * foundWords * rows }]));
  readback.dispose();
  buffers.dispose();
  return words;
}
