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

import { createWorld, type World, type WorldOptions } from '../src/index.js';

export const BOTH_BACKENDS = ['reference', 'wasm'] as const;
export type TestedBackend = (typeof BOTH_BACKENDS)[number];
export type PerBackend = Readonly<Record<TestedBackend, number>>;

/** |V/V₀ − 1| of a body that can reach its volume. */
export const VOLUME_TOLERANCE: PerBackend = { reference: 1e-11, wasm: 1e-6 };

/** A world on one thread of a backend: threads have tests of their own. */
export const worldOn = (backend: TestedBackend, options: WorldOptions = {}): Promise<World> =>
  createWorld({ ...options, backend, threads: 1 });
