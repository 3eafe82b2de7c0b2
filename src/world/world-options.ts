// What a user says of a world, and what holds where nothing is said.

import type { KernelSource } from '../backends/wasm/kernel-source.js';
import type { GpuSource } from '../backends/webgpu/gpu-source.js';
import { showInput } from '../math/expect.js';
import type { Vec3 } from '../math/vec3.js';

/** Names of backends. */
export const BACKENDS = ['auto', 'reference', 'wasm', 'webgpu'] as const;
/** Name of a backend. */
export type BackendName = (typeof BACKENDS)[number];

/** What a world is made with. */
export interface WorldOptions {
  /** [m/s²] */
  readonly gravity?: Vec3;
  /** Δt, the fixed step, from 1e-5 to 0.1 [s]. */
  readonly timeStep?: number;
  /**
   * `auto` is `wasm` where the engine has WebAssembly with SIMD, `reference` elsewhere; `capabilities` tells which it is. `webgpu`
   * enqueues steps on the GPU: see `World.sync`.
   */
  readonly backend?: BackendName;
  /** Threads of the WebAssembly backend, at most `MAX_THREADS`; as many as there are processors unless set. */
  readonly threads?: number;
  /**
   * Of the WebGPU backend: a device that is used and not destroyed, or where to ask for one: `navigator.gpu` unless given, in Node what
   * `create([])` of the package `webgpu` returns.
   */
  readonly gpu?: GpuSource;
  /** The WebAssembly backend's kernels, where the inlined ones are not to be used. */
  readonly kernels?: KernelSource;
}

/** Options of `createWorld` where none are given. */
export const WORLD_DEFAULTS = Object.freeze({
  gravity: Object.freeze([0, -9.81, 0]) as Vec3,
  timeStep: 0.005,
  backend: 'auto' as BackendName,
});

/** Shortest and longest step [s]: a longer one is hundreds of parts, a shorter one is below the rounding of positions. */
export const TIME_STEP_LIMITS = Object.freeze([1e-5, 0.1] as const);

/** Names of all `WorldOptions`. */
export const WORLD_OPTIONS = ['gravity', 'timeStep', 'backend', 'threads', 'kernels', 'gpu'];

/** A picture's own time may lie this long before the clock was first read [s]: such a time counts as none. */
const EARLIEST_PICTURE = -0.1;

/** Throws where a time that has passed is not one [s]. */
export function expectElapsed(elapsed: number): void {
  if (elapsed > EARLIEST_PICTURE) return;
  throw new RangeError(`elapsed: expected a number from 0, got ${showInput(elapsed)}`);
}

/** The backend that was asked for does not run here. */
export class UnsupportedBackendError extends Error {
  override readonly name = 'UnsupportedBackendError';
}
