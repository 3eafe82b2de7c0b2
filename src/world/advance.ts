// Fixed steps for the time that has passed between two pictures, and where bodies are shown in between.

import type { WorldParts } from './world-parts.js';

/** Longest time that is caught up in one call [s], two of the longest steps; beyond it the clock falls behind. */
const LONGEST_CATCH_UP = 0.25;

/** Takes as many steps as fit into the elapsed time [s], and shows bodies where they are at its end. Returns the steps taken. */
export function advanceParts(parts: WorldParts, elapsed: number, takeStep: () => void): number {
  const { clock, log, splits, bodies, timeStep } = parts;
  clock.accumulated = Math.min(clock.accumulated + Math.max(0, elapsed), LONGEST_CATCH_UP);
  let taken = 0;
  log.beginGathering();
  splits.gather(true);
  // A whole step less rounding counts as a step, so that 1/60 s of elapsed time is 1/60 s of steps.
  while (clock.accumulated >= timeStep * (1 - 1e-9)) {
    for (const body of bodies.inner) body.keepPrevious();
    takeStep();
    log.gather(taken === 0);
    clock.interpolable = true;
    clock.accumulated = Math.max(0, clock.accumulated - timeStep);
    taken++;
  }
  splits.gather(false);
  // Who steps by hand in between sees the last state.
  if (!clock.interpolable) for (const body of bodies.inner) body.keepPrevious();
  for (const body of bodies.inner) body.interpolate(clock.accumulated / timeStep);
  return taken;
}
