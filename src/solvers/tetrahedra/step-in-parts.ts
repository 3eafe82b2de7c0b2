// A step in parts: as many as the speed asks for, and those that cannot keep volumes in halves.

import type { ContactSource } from './contact-rows.js';
import type { StepReport, TetraDynamics } from './dynamics.js';

/** Parts are halved until a sixteenth: a ball that meets a floor at 30 m/s in steps of 1/240 s needs that. */
const SIXTEENTH = 16;

/** Obstacles that move on between parts. */
export interface PartSource extends ContactSource {
  /** Before a part that ends so long before the end of the whole step [s]. */
  leave(timeLeft: number): void;
}

/** Takes a step of `timeStep` [s] in at least `parts`; `onPart` is called after each. Returns the last one's report. */
export function stepInParts(
  dynamics: TetraDynamics,
  timeStep: number,
  parts: number,
  gravity: ArrayLike<number>,
  source: PartSource,
  onPart: () => void,
): StepReport {
  const all = SIXTEENTH * parts;
  let size = SIXTEENTH;
  let done = 0;
  for (;;) {
    const time = (timeStep * size) / all;
    source.leave((timeStep * (all - done - size)) / all);
    const report = size === 1 ? dynamics.step(time, gravity, source) : dynamics.tryStep(time, gravity, source);
    if (!report) {
      size /= 2;
      continue;
    }
    onPart();
    done += size;
    if (done === all) return report;
    if (size < SIXTEENTH && done % (2 * size) === 0) size *= 2;
  }
}
