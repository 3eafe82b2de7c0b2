// How settings that are meant per 5 ms act in a step of another length: a body behaves alike whatever the step.

import { power } from '../math/power.js';

/** Step size at which stiffness and damping are the papers'; longer steps are taken in substeps [s]. */
export const REFERENCE_STEP = 0.005;

/**
 * Share of the way to the goal in a step of Δt ≤ 5 ms: matching acts like a spring of stiffness s/Δt², so s·(Δt/5 ms)²
 * keeps the spring. Measured on a dropped ball, the exponent that keeps its lowest height is 1.9…2.2 for s = 0.2…0.9 and
 * Δt = 0.6…5 ms; 1 − (1 − s)^((Δt/5 ms)²) made it 7 % stiffer at 2.5 ms.
 * @example
 * ```ts
 * console.log(stiffnessPerStep(0.9, 0.0025)); // share of the way to the goal in a step of 2.5 ms
 * ```
 */
export const stiffnessPerStep = (stiffness: number, timeStep: number): number =>
  Math.min(1, stiffness * (timeStep / REFERENCE_STEP) ** 2);

/**
 * Share of the non-rigid velocity lost in a step of Δt.
 * @example
 * ```ts
 * console.log(dampingPerStep(0.3, 0.0025)); // share that a step of 2.5 ms takes
 * ```
 */
export const dampingPerStep = (damping: number, timeStep: number): number =>
  1 - power(1 - damping, timeStep / REFERENCE_STEP);
