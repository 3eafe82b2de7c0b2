// Steps that break are taken back and done in halves: after a crush is let go, or in an impact, what moves within a step is
// known only when it is over.

import type { StepReport, TetraDynamics } from './dynamics.js';

/** A one-ring that Newton's method leaves this far from its volume shows that the step was too long. */
const TOO_FAR = 0.02;
/** How often a step may be halved: sixteen parts of 1/240 s are shorter than any that was needed below 50 m/s. */
const HALVINGS = 4;

type State = ReturnType<TetraDynamics['state']>;

export class HalvedSteps {
  /** What a step of each level began with. */
  private readonly kept: Partial<Record<keyof State, State[keyof State]>>[] = [];

  constructor(private readonly dynamics: TetraDynamics) {}

  /**
   * A step of `timeStep` [s] that ends `timeLeft` [s] before the end of something longer. `take` takes one, told both; `taken` is
   * called after each that stays. Returns the last one's report.
   */
  run(
    timeStep: number,
    timeLeft: number,
    take: (timeStep: number, timeLeft: number) => StepReport,
    taken: () => void,
    level = 0,
  ): StepReport {
    const wasUntangled = this.dynamics.isUntangled;
    if (level < HALVINGS) this.keep(level);
    const report = take(timeStep, timeLeft);
    // What is still tangled from the start is not to be hurried.
    const isWhole = !wasUntangled || report.ringError <= TOO_FAR || !this.dynamics.options.incompressible;
    if (isWhole || level === HALVINGS) {
      taken();
      return report;
    }
    this.goBack(level);
    const half = timeStep / 2;
    this.run(half, timeLeft + half, take, taken, level + 1);
    return this.run(half, timeLeft, take, taken, level + 1);
  }

  private keep(level: number): void {
    this.kept[level] ??= {};
    const kept = this.kept[level];
    for (const [name, values] of Object.entries(this.dynamics.state()) as [keyof State, State[keyof State]][]) {
      const held = kept[name];
      if (held) (held as Float64Array).set(values as Float64Array);
      else kept[name] = values.slice();
    }
  }

  private goBack(level: number): void {
    for (const [name, values] of Object.entries(this.dynamics.state()) as [keyof State, State[keyof State]][]) {
      (values as Float64Array).set(this.kept[level][name] as Float64Array);
    }
  }
}
