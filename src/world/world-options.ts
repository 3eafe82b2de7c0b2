// What a user says of a world, and what holds where nothing is said.

import type { KernelSource } from '../backends/wasm/kernel-source.js';
import type { Vec3 } from '../math/vec3.js';

export const BACKENDS = ['auto', 'reference', 'wasm'] as const;
export type BackendName = (typeof BACKENDS)[number];

export interface WorldOptions {
  /** [m/s²] */
  readonly gravity?: Vec3;
  /** Δt, the fixed step, from 1e-5 to 0.1 [s]. */
  readonly timeStep?: number;
  /**
   * `auto` is `wasm` where the engine has WebAssembly with SIMD, `reference` elsewhere; `capabilities` tells which it is.
   */
  readonly backend?: BackendName;
  /** Threads of the WebAssembly backend, at most `MAX_THREADS`; as many as there are processors unless set. */
  readonly threads?: number;
  /** The WebAssembly backend's kernels, where the inlined ones are not to be used. */
  readonly kernels?: KernelSource;
}

export const WORLD_DEFAULTS = Object.freeze({
  gravity: Object.freeze([0, -9.81, 0]) as Vec3,
  timeStep: 0.005,
  backend: 'auto' as BackendName,
});

/** Shortest and longest step [s]: a longer one is hundreds of parts, a shorter one is below the rounding of positions. */
export const TIME_STEP_LIMITS = Object.freeze([1e-5, 0.1] as const);

/** Names of all `WorldOptions`. */
export const WORLD_OPTIONS = ['gravity', 'timeStep', 'backend', 'threads', 'kernels'];

export class UnsupportedBackendError extends Error {
  override readonly name = 'UnsupportedBackendError';
}
