// One-rings back to their volumes after others have moved some nodes: positions only, by Newton's method, held along the normals
// of what they touch.

import { ContactProjection } from './contact-projection.js';
import type { TetraMemory } from './memory.js';
import type { PressureSolve } from './pressure-solve.js';
import type { TetraRest } from './rest.js';
import type { RingVolumes } from './ring-volumes.js';

/** Newton steps: what contact leaves is some per cent at most, which two bring below a thousandth. */
const STEPS = 3;

export class VolumeRestoring {
  /** What is held: its caller's to fill, from `begin` on. */
  readonly projection: ContactProjection;
  private readonly rate: Float64Array;
  private readonly phat: Float64Array;
  private readonly gamma: Float64Array;
  private readonly kept: Float64Array;

  constructor(
    private readonly rest: TetraRest,
    private readonly masses: Float64Array,
    private readonly solve: PressureSolve,
    private readonly rings: RingVolumes,
    memory: TetraMemory,
  ) {
    const { count } = rest;
    this.projection = new ContactProjection(memory.reals(count), memory, count);
    [this.rate, this.phat] = [memory.reals(count), memory.reals(count)];
    [this.gamma, this.kept] = [memory.reals(3 * count), memory.reals(3 * count)];
  }

  /** Whether a one-ring is further from its volume than the tolerance; then only the pinned nodes are held so far. */
  begin(x: Float64Array, pinned: Uint8Array, tolerance: number): boolean {
    const { masses, projection } = this;
    if (!(this.rings.measure(x) > tolerance)) return false;
    projection.clear();
    for (let n = 0; n < masses.length; n++) projection.inverseMasses[n] = pinned[n] ? 0 : 1 / masses[n];
    return true;
  }

  /** Moves nodes until every one-ring is within the tolerance. Whether they are nearer to that now. */
  run(x: Float64Array, tolerance: number): boolean {
    const { rest, solve, projection, rate, phat, gamma, kept, rings } = this;
    const before = rings.measure(x);
    kept.set(x);
    let error = before;
    for (let step = 0; step < STEPS && error > tolerance; step++) {
      for (let n = 0; n < rate.length; n++) rate[n] = rest.ringVolumes[n] - rings.sums[n];
      solve.place(x);
      solve.prepare(projection);
      solve.solve(projection, rate, phat, gamma);
      for (let k = 0; k < x.length; k++) x[k] += gamma[k];
      error = rings.measure(x);
    }
    if (error < before) return true;
    x.set(kept);
    return false;
  }
}
