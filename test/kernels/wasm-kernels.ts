// The WebAssembly kernels one by one, on a body of their own: state in and out as double precision vectors in path order.

import * as layout from '../../src/backends/wasm/layout.js';
import { WasmMemory } from '../../src/backends/wasm/memory.js';
import { instantiate, type KernelExports } from '../../src/backends/wasm/modules.js';
import { writeRestData } from '../../src/backends/wasm/rest-data.js';
import { WasmBody } from '../../src/backends/wasm/wasm-body.js';
import type { PreparedSurface, VolumeSettings } from '../../src/index.js';

const { buildTestingKernels } = await import(new URL('../../scripts/build-kernels.mjs', import.meta.url).href);
const module = new WebAssembly.Module(await buildTestingKernels());

/** See assembly/testing.ts. */
interface TestingExports extends KernelExports {
  match(body: number, stiffness: number, timeStep: number): void;
  damp(body: number, share: number, timeStep: number): void;
  rotate(matrices: number, quaternions: number, moments: number, count: number): void;
  weigh(body: number): void;
  weightOf(body: number, i: number, lane: number): number;
  direct(body: number): number;
  expand(body: number): void;
  coefficient(n: number): number;
  solve(body: number, a0: number, a1: number, a2: number, a3: number, target: number, limit: number): number;
  keepVolume(body: number): void;
}

function open() {
  const memory = new WasmMemory(new WebAssembly.Memory({ initial: 64 }));
  const world = memory.allocate(layout.WORLD_BYTES);
  const kernels = instantiate(module, memory.memory) as TestingExports;
  kernels.attach(world, memory.allocate(4096), 0, 0);
  return { memory, kernels };
}

const rotating = open();

/** Nearest rotations to row-major matrices, as quaternions; `previous` likewise. */
export function rotateAll(matrices: Float64Array, previous: Float64Array, moments: Float64Array): Float64Array {
  const { memory, kernels } = rotating;
  const [a, q, m] = [matrices, previous, moments].map((values) => {
    const address = memory.allocate(4 * values.length);
    memory.floats(address, values.length).set(values);
    return address;
  });
  kernels.rotate(a, q, m, moments.length);
  const result = Float64Array.from(memory.floats(q, previous.length));
  for (const address of [a, q, m]) memory.release(address);
  return result;
}

/** The same again and again, as fast as it goes; returns the milliseconds of the quickest. */
export function timeRotations(
  matrices: Float64Array,
  starts: readonly Float64Array[],
  moment: number,
  rounds: number,
): number[] {
  const { memory, kernels } = rotating;
  const count = matrices.length / 9;
  const a = memory.allocate(4 * matrices.length);
  const q = memory.allocate(16 * count);
  const m = memory.allocate(4 * count);
  memory.floats(a, matrices.length).set(matrices);
  memory.floats(m, count).fill(moment);
  const best = starts.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    starts.forEach((start, n) => {
      memory.floats(q, 4 * count).set(start);
      const begin = performance.now();
      kernels.rotate(a, q, m, count);
      best[n] = Math.min(best[n], performance.now() - begin);
    });
  }
  for (const address of [a, q, m]) memory.release(address);
  return best;
}

export class KernelBody {
  readonly body: WasmBody;
  private readonly memory: WasmMemory;
  private readonly kernels: TestingExports;
  private readonly count: number;

  constructor(prepared: PreparedSurface, settings?: VolumeSettings) {
    const { memory, kernels } = open();
    this.memory = memory;
    this.kernels = kernels;
    this.count = prepared.surface.count;
    this.body = new WasmBody(memory, prepared, writeRestData(memory, prepared), 1);
    if (settings) this.body.settings = { ...this.body.settings, volume: settings };
    this.body.substep.begin(0.005, 0);
  }

  /** Sets a field of vectors; positions are taken relative to a frame at the origin. */
  setVectors(field: number, vectors: ArrayLike<number>): void {
    const packed = this.floats(field, 4 * this.count);
    for (let k = 0; k < 3 * this.count; k++) packed[4 * Math.trunc(k / 3) + (k % 3)] = vectors[k];
  }

  vectors(field: number): Float64Array {
    const packed = this.floats(field, 4 * this.count);
    return Float64Array.from({ length: 3 * this.count }, (_, k) => packed[4 * Math.trunc(k / 3) + (k % 3)]);
  }

  setNumbers(field: number, numbers: ArrayLike<number>): void {
    this.floats(field, this.count).set(numbers);
  }

  setMarks(field: number, marks: Uint8Array): void {
    this.memory.bytes(this.pointer(field), this.count).set(marks);
  }

  /** Goals of positions, from the rotation (x, y, z, w) given for all regions. */
  goals(positions: Float64Array, rotation: ArrayLike<number> = [0, 0, 0, 1]): Float64Array {
    this.turn(rotation);
    this.setVectors(layout.BODY_POSITIONS, positions);
    this.setVectors(layout.BODY_VELOCITIES, new Float64Array(positions.length));
    this.kernels.match(this.body.record, 1, 1);
    // In a step of 1 s at full stiffness the velocity is the way to the goal.
    return this.vectors(layout.BODY_VELOCITIES).map((v, k) => Math.fround(positions[k]) + v);
  }

  damped(starts: Float64Array, velocities: Float64Array, share: number, timeStep: number): Float64Array {
    this.setVectors(layout.BODY_POSITIONS, starts);
    this.setVectors(layout.BODY_VELOCITIES, velocities);
    this.kernels.damp(this.body.record, share, timeStep);
    return this.vectors(layout.BODY_VELOCITIES);
  }

  /** Smoothed weights for positions and for velocities. */
  weights(positions: Float64Array, changes: Float64Array, pinned: Uint8Array, colliding: Uint8Array): Float64Array[] {
    this.setVectors(layout.BODY_POSITIONS, positions);
    this.setNumbers(layout.BODY_CHANGES, changes);
    this.setMarks(layout.BODY_PINNED, pinned);
    this.setMarks(layout.BODY_COLLIDING, colliding);
    this.kernels.weigh(this.body.record);
    return [0, 1].map((lane) =>
      Float64Array.from({ length: this.count }, (_, i) => this.kernels.weightOf(this.body.record, i, lane)),
    );
  }

  /** The direction by the weights of the last call of `weights`; undefined where nobody may move. */
  direction(): Float64Array | undefined {
    return this.kernels.direct(this.body.record) ? this.vectors(layout.BODY_DIRECTION) : undefined;
  }

  /** Coefficients of 6V(x + λ·d). */
  cubic(positions: Float64Array, direction: Float64Array): number[] {
    this.setVectors(layout.BODY_POSITIONS, positions);
    this.setVectors(layout.BODY_DIRECTION, direction);
    this.kernels.expand(this.body.record);
    return [0, 1, 2, 3].map((n) => this.kernels.coefficient(n));
  }

  solve([a0, a1, a2, a3]: ArrayLike<number> & Iterable<number>, target: number, limit: number): number {
    return this.kernels.solve(this.body.record, a0, a1, a2, a3, target, limit);
  }

  /** Positions and velocities after the volume constraint. */
  conserved(
    positions: Float64Array,
    velocities: Float64Array,
    changes: Float64Array,
    pinned = new Uint8Array(this.count),
    colliding = new Uint8Array(this.count),
  ): { positions: Float64Array; velocities: Float64Array } {
    this.setVectors(layout.BODY_POSITIONS, positions);
    this.setVectors(layout.BODY_VELOCITIES, velocities);
    this.setNumbers(layout.BODY_CHANGES, changes);
    this.setMarks(layout.BODY_PINNED, pinned);
    this.setMarks(layout.BODY_COLLIDING, colliding);
    const flags = this.memory.integers(this.body.record + layout.BODY_FLAGS, 1);
    flags[0] = layout.FLAG_VOLUME | (pinned.some(Boolean) ? layout.FLAG_PINS : 0);
    this.kernels.keepVolume(this.body.record);
    return { positions: this.vectors(layout.BODY_POSITIONS), velocities: this.vectors(layout.BODY_VELOCITIES) };
  }

  /** Sets the rotation of all regions; how they are kept is the body's affair. */
  turn(rotation: ArrayLike<number>): void {
    this.body.place(new Float64Array(3 * this.count), rotation);
  }

  private floats(field: number, length: number): Float32Array {
    return this.memory.floats(this.pointer(field), length);
  }

  private pointer(field: number): number {
    return this.memory.integers(this.body.record + field, 1)[0];
  }
}
