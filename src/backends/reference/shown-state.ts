// A body of the reference backend as users see and write it: positions and velocities in the mesh's own vertex order.

import { addField, type RigidField, type Shell } from '../../solvers/model.js';
import { gather } from '../succession.js';

export class ShownState {
  /** [m] */
  readonly positions: Float64Array;
  /** [m/s] */
  readonly velocities: Float64Array;
  /** The same in the solver's order, as they were shown: tells what was added to them since. */
  private readonly kept: Float64Array;

  constructor(
    rest: Float64Array,
    /** The vertex at each place of the solver's order. */
    private readonly order: Uint32Array,
  ) {
    this.positions = rest.slice();
    this.velocities = new Float64Array(rest.length);
    this.kept = new Float64Array(rest.length);
  }

  /** Positions and velocities as they were written, in the solver's order; these velocities count as shown. */
  take(): { positions: Float64Array; velocities: Float64Array } {
    this.kept.set(gather(this.velocities, this.order));
    return { positions: gather(this.positions, this.order), velocities: this.kept.slice() };
  }

  /** Velocities in the solver's order, and what was added to those shown; writes them to `out`. */
  takeAdded(velocities: Float64Array, out: Float64Array): void {
    const { order, kept } = this;
    for (let place = 0; place < order.length; place++) {
      for (let c = 0; c < 3; c++) {
        const k = 3 * place + c;
        const shown = this.velocities[3 * order[place] + c];
        out[k] = velocities[k] + (shown - kept[k]);
        kept[k] = shown;
      }
    }
  }

  /** Shows more velocity, given in the solver's order. */
  add(from: Float64Array, to: Float64Array): void {
    for (let k = 0; k < to.length; k++) this.kept[k] += to[k] - from[k];
    this.scatter(this.kept, this.velocities);
  }

  push(field: RigidField, { positions }: Shell): void {
    addField(field, positions, this.kept);
    addField(field, this.positions, this.velocities);
  }

  show(positions: Float64Array, velocities: Float64Array): void {
    this.kept.set(velocities);
    this.scatter(positions, this.positions);
    this.scatter(velocities, this.velocities);
  }

  /** Shows how far each particle came in a step, as a velocity. */
  showMotion({ positions, starts }: Shell, timeStep: number): void {
    const { kept } = this;
    for (let k = 0; k < kept.length; k++) kept[k] = (positions[k] - starts[k]) / timeStep;
    this.show(positions, kept);
  }

  stop(): void {
    this.velocities.fill(0);
    this.kept.fill(0);
  }

  private scatter(source: Float64Array, out: Float64Array): void {
    const { order } = this;
    for (let place = 0; place < order.length; place++) {
      for (let c = 0; c < 3; c++) out[3 * order[place] + c] = source[3 * place + c];
    }
  }
}
