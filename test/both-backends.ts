// Tests of what holds whatever computes it run over every backend: `describe.each(BOTH_BACKENDS)('on %s', …)`. What differs
// between them is rounding, so a tolerance is a pair, each with its reason. The numbers that recur:
//
// - One rounding of a number of size 1 is 1.1e-16 in double and 6e-8 in single precision (2⁻⁵³, 2⁻²⁴).
// - Velocities of the single precision backend come from positions over time: 6e-8 of the body's size over 5 ms, 1e-5 of a
//   size per second, are its resolution where positions made them (pins, contact, matching).
// - V is exact up to the rounding of the positions that are shown: a vertex off by ε moves V by its area times ε, with random
//   signs over n vertices about ε·√n·A/n ≪ ε·A, so |V/V₀ − 1| is some 1e-7. The promise is 2e-5 (0.002 %), the aim 1e-6.
// - Contact amplifies rounding (a particle touches a step earlier or later) by about 1e5 within a second, so that after an
//   impact states agree to 1e-9 of the size in double precision, and not to the eye but in their figures in single.
//
// `npm run soak -- --laws-on-gpu` runs test/laws on WebGPU in the place of wasm, by the same tolerances.

import { createWorld, type World, type WorldOptions } from '../src/index.js';

/** Whether the laws run on WebGPU where they say wasm. */
export const ON_GPU = process.env.ISOCHORE_LAWS_ON === 'webgpu';

export type TestedBackend = 'reference' | 'wasm';
export type PerBackend = Readonly<Record<TestedBackend, number>>;
export const BOTH_BACKENDS: readonly TestedBackend[] = ON_GPU ? ['wasm'] : ['reference', 'wasm'];

/** |V/V₀ − 1| of a body that can reach its volume. */
export const VOLUME_TOLERANCE: PerBackend = { reference: 1e-11, wasm: 1e-6 };

/** One thread of a backend: threads have tests of their own. */
export async function backendOptions(backend: TestedBackend): Promise<WorldOptions> {
  if (!ON_GPU || backend !== 'wasm') return { backend, threads: 1 };
  const { testDevice } = await import('./gpu/gpu-world.js');
  return { backend: 'webgpu', gpu: await testDevice() };
}

export const worldOn = async (backend: TestedBackend, options: WorldOptions = {}): Promise<World> =>
  createWorld({ ...options, ...(await backendOptions(backend)) });

/** Steps, after which bodies show where they are. */
export async function advance(world: World, steps = 1): Promise<void> {
  for (let step = 0; step < steps; step++) {
    world.step();
    if (ON_GPU) await world.sync();
  }
}
