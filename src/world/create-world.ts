// Makes worlds: checks what is asked for, and finds the backend that runs it.

import type { Backend } from '../backends/backend.js';
import { ReferenceBackend } from '../backends/reference/reference-backend.js';
import { MAX_THREADS } from '../backends/wasm/layout.js';
import { supportsSimd } from '../backends/wasm/modules.js';
import { createWasmBackend } from '../backends/wasm/wasm-backend.js';
import { expectNumber, expectVector, showInput } from '../math/expect.js';
import { describeKnown, expectKnownFields } from '../math/known-fields.js';
import { World } from './world.js';
import {
  BACKENDS,
  type BackendName,
  TIME_STEP_LIMITS,
  UnsupportedBackendError,
  WORLD_DEFAULTS,
  WORLD_OPTIONS,
  type WorldOptions,
} from './world-options.js';

/**
 * Creates a world. Asynchronous because backends may have to be loaded.
 * @example
 * ```ts
 * const world = await createWorld({ gravity: [0, -9.81, 0] });
 * world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
 * const body = world.add(prepare(duck()), { position: [0, 1, 0] });
 * world.step();
 * ```
 */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  expectKnownFields('createWorld', options, WORLD_OPTIONS);
  const backend = options.backend ?? WORLD_DEFAULTS.backend;
  if (!BACKENDS.includes(backend)) {
    throw new UnsupportedBackendError(
      `backend: ${describeKnown(String(backend), BACKENDS)}, got ${showInput(backend)}`,
    );
  }
  const { threads = 1 } = options;
  if (!(Number.isInteger(threads) && threads >= 1 && threads <= MAX_THREADS)) {
    throw new RangeError(`threads: expected an integer from 1 to ${MAX_THREADS}, got ${showInput(threads)}`);
  }
  expectVector('gravity', options.gravity ?? WORLD_DEFAULTS.gravity);
  expectNumber('timeStep', options.timeStep ?? WORLD_DEFAULTS.timeStep, ...TIME_STEP_LIMITS);
  return new World(await createBackend(backend, options), options);
}

async function createBackend(name: BackendName, options: WorldOptions): Promise<Backend> {
  if (name === 'reference') return new ReferenceBackend();
  if (name === 'webgpu') return createGpuBackend(options);
  if (!supportsSimd()) {
    if (name === 'auto') return new ReferenceBackend();
    throw new UnsupportedBackendError('backend: wasm needs an engine with WebAssembly SIMD, expected reference');
  }
  try {
    return await createWasmBackend(options);
  } catch (error) {
    // A page's security policy may forbid compiling; kernels that the user brought are meant to work.
    if (name === 'wasm' || options.kernels || !(error instanceof WebAssembly.CompileError)) throw error;
    return new ReferenceBackend();
  }
}

/** In a file of its own in what bundlers make, which nobody else loads. */
async function createGpuBackend({ gpu, kernels }: WorldOptions): Promise<Backend> {
  const { createWebGpuBackend } = await import('../backends/webgpu/webgpu-backend.js');
  try {
    return await createWebGpuBackend(gpu, { kernels });
  } catch (error) {
    throw new UnsupportedBackendError((error as Error).message);
  }
}
