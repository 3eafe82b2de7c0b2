// A step in parts: as many as the speed asks for, and those that cannot keep volumes in halves.

import type { StepReport } from './step-report.js';

/** Parts are halved until a sixteenth: a ball that meets a floor at 30 m/s in steps of 1/240 s needs that. */
const SIXTEENTH = 16;

/** A body, or several that touch. */
interface Stepped<S> {
  /** A step; or one only if volumes can be kept in it, otherwise nothing has changed. */
  step(timeStep: number, gravity: ArrayLike<number>, source: S): StepReport;
  tryStep(timeStep: number, gravity: ArrayLike<number>, source: S): StepReport | undefined;
}

/** Obstacles that move on between parts. */
export interface PartSource {
  /** Before a part that ends so long before the end of the whole step [s]. */
  leave(timeLeft: number): void;
}

/** Takes a step of `timeStep` [s] in at least `parts`; `onPart` is called after each. Returns the last one's report. */
export function stepInParts<S>(
  stepped: Stepped<S>,
  timeStep: number,
  parts: number,
  gravity: ArrayLike<number>,
  source: S & PartSource,
  onPart: () => void,
): StepReport {
  const all = SIXTEENTH * parts;
  let size = SIXTEENTH;
  let done = 0;
  for (;;) {
    const time = (timeStep * size) / all;
    source.leave((timeStep * (all - done - size)) / all);
    const report = size === 1 ? stepped.step(time, gravity, source) : stepped.tryStep(time, gravity, source);
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
