// How much of its volume at rest a body is to have, while it is inflated or deflated.

import { power } from '../../math/power.js';
import { REFERENCE_STEP } from '../step-scaling.js';

/** Most that the volume changes in 5 ms, as a share of what it is: doubling takes 0.35 s, and nothing bursts or is thrown. */
const RATE = 0.01;

export class Inflation {
  /** Volume wanted now, in volumes at rest. */
  factor = 1;

  /** Goes on towards a target. */
  approach(target: number, timeStep: number): void {
    if (this.factor === target) return;
    const most = 1 + RATE * (timeStep / REFERENCE_STEP);
    this.factor = Math.min(this.factor * most, Math.max(this.factor / most, target));
  }

  /** Size of the shape that the body goes back to, in sizes at rest. */
  get scale(): number {
    return this.factor === 1 ? 1 : power(this.factor, 1 / 3);
  }
}
