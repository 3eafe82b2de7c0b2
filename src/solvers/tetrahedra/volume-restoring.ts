// One-rings back to their volumes after others have moved some nodes: positions only, by Newton's method, held along the normals
// of what they touch.

import { ContactProjection } from './contact-projection.js';
import type { PressureSolve } from './pressure-solve.js';
import type { TetraRest } from './rest.js';
import { largestRingError, writeRingSums, writeVolumes } from './ring-operators.js';

/** Newton steps: what contact leaves is some per cent at most, which two bring below a thousandth. */
const STEPS = 3;

export class VolumeRestoring {
  /** What is held: its caller's to fill, from `begin` on. */
  readonly projection: ContactProjection;
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

  /** Whether a one-ring is further from its volume than the tolerance; then only the pinned nodes are held so far. */
  begin(x: Float64Array, pinned: Uint8Array, tolerance: number): boolean {
    const { masses, projection } = this;
    if (!(this.measure(x) > tolerance)) return false;
    projection.clear();
    for (let n = 0; n < masses.length; n++) projection.inverseMasses[n] = pinned[n] ? 0 : 1 / masses[n];
    return true;
  }

  /** Moves nodes until every one-ring is within the tolerance. Whether they are nearer to that now. */
  run(x: Float64Array, tolerance: number): boolean {
    const { rest, solve, projection, rate, phat, gamma, kept } = this;
    const before = this.measure(x);
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
