// One-rings back to their volumes after others have moved some nodes: positions only, by Newton's method, with what they hold held.

import { ContactProjection } from './contact-projection.js';
import type { PressureSolve } from './pressure-solve.js';
import type { TetraRest } from './rest.js';
import { largestRingError, writeRingSums, writeVolumes } from './ring-operators.js';

/** Newton steps: what contact leaves is some per cent at most, which two bring below a thousandth. */
const STEPS = 3;

export class VolumeRestoring {
  private readonly projection: ContactProjection;
  private readonly rate: Float64Array;
  private readonly phat: Float64Array;
  private readonly gamma: Float64Array;
  private readonly rings: Float64Array;
  private readonly volumes: Float64Array;
  private readonly kept: Float64Array;

  constructor(
    private readonly rest: TetraRest,
    private readonly masses: Float64Array,
    private readonly solve: PressureSolve,
  ) {
    const { count, tetraCount } = rest;
    this.projection = new ContactProjection(new Float64Array(count));
    [this.rate, this.phat, this.rings] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
    [this.gamma, this.kept] = [new Float64Array(3 * count), new Float64Array(3 * count)];
    this.volumes = new Float64Array(tetraCount);
  }

  /** Moves all nodes but the held ones until every one-ring is within the tolerance. Whether they are nearer to that now. */
  run(x: Float64Array, held: Uint8Array, tolerance: number): boolean {
    const { rest, masses, solve, projection, rate, phat, gamma, kept } = this;
    const before = this.measure(x);
    if (!(before > tolerance)) return false;
    for (let n = 0; n < masses.length; n++) projection.inverseMasses[n] = held[n] ? 0 : 1 / masses[n];
    kept.set(x);
    let error = before;
    for (let step = 0; step < STEPS && error > tolerance; step++) {
      for (let n = 0; n < rate.length; n++) rate[n] = rest.ringVolumes[n] - this.rings[n];
      solve.place(x);
      solve.prepare(projection);
      solve.solve(projection, rate, phat, gamma);
      for (let k = 0; k < x.length; k++) x[k] += gamma[k];
      error = this.measure(x);
    }
    if (error < before) return true;
    x.set(kept);
    return false;
  }

  private measure(x: Float64Array): number {
    const { tetrahedra } = this.rest.mesh;
    writeVolumes(x, tetrahedra, this.volumes);
    writeRingSums(tetrahedra, this.volumes, this.rings);
    return largestRingError(this.rings, this.rest.ringVolumes);
  }
}
