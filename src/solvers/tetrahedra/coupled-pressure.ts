// The pressure solve of bodies that touch: one system over the nodes of all of them, with the contacts between them as rows of
// P. Operators and preconditioners are the bodies' own.

import type { LinkRows } from './link-rows.js';
import { Minres } from './minres.js';
import { LEAST_SQUARES, MOST_ITERATIONS, PRESSURE_TOLERANCE, type PressureSolve } from './pressure-solve.js';

/**
 * Share of A's diagonal that is added to it. Sweeps leave a little of what contacts forbid; where these leave a one-ring no other way
 * to its volume, the solve would go that way without bound: two balls that met at 45 m/s burst, the sooner the more sweeps there were.
 */
export const SOFTNESS = 0.01;

/** One body: its solve, what is asked of it and what it gets. */
export interface PressedBody {
  /** Undefined where pressure rests, or there is none: contacts move it all the same. */
  readonly pressureSolve: PressureSolve | undefined;
  /** P M⁻¹ divᵀ p̂ [m/s] of all nodes; what the solve gives. */
  readonly change: Float64Array;
  readonly rate: Float64Array;
}

export class CoupledPressure {
  private minres = new Minres(0);
  private size = -1;
  private rate = new Float64Array(0);
  private pressure = new Float64Array(0);

  /**
   * For each body p̂ of `pressures` for its rate, in the least-squares sense; `change` becomes γ, links included, and these keep the
   * impulses that it took with `isKept`. `spare` as in `PressureSolve`. Returns iterations.
   */
  solve(
    bodies: readonly PressedBody[],
    links: LinkRows,
    pressures: readonly Float64Array[],
    isWarm: boolean,
    isKept: boolean,
    tolerance = PRESSURE_TOLERANCE,
    spare = 0,
  ): number {
    this.reserve(bodies);
    const changes = bodies.map(({ change }) => change);
    let first = 0;
    const parts = bodies.map(({ pressureSolve, rate }, b) => {
      const count = pressureSolve ? rate.length : 0;
      const range = [first, first + count] as const;
      first += count;
      if (!pressureSolve) return range;
      this.rate.set(rate, range[0]);
      this.pressure.set(pressures[b], range[0]);
      return range;
    });
    const product = (x: Float64Array, keeps: boolean) => {
      bodies.forEach(({ pressureSolve, change }, b) => {
        if (pressureSolve) pressureSolve.beginProduct(x.subarray(...parts[b]));
        else change.fill(0);
      });
      links.sweep(changes, keeps);
    };
    const { iterations } = this.minres.solve(this.rate, this.pressure, {
      multiply: (x, y) => {
        product(x, false);
        bodies.forEach(({ pressureSolve }, b) => {
          pressureSolve?.endProduct(y.subarray(...parts[b]), SOFTNESS);
        });
      },
      precondition: (r, z) => {
        bodies.forEach(({ pressureSolve }, b) => {
          pressureSolve?.preconditionPart(r.subarray(...parts[b]), z.subarray(...parts[b]));
        });
      },
      tolerance,
      leastSquares: LEAST_SQUARES,
      mostIterations: MOST_ITERATIONS,
      isWarm,
      isEnough: (residual) =>
        bodies.every(
          ({ pressureSolve }, b) => !pressureSolve || pressureSolve.isEnough(residual.subarray(...parts[b]), spare),
        ),
    });
    product(this.pressure, isKept);
    bodies.forEach(({ pressureSolve }, b) => {
      if (!pressureSolve) return;
      pressureSolve.noteIterations(iterations);
      pressures[b].set(this.pressure.subarray(...parts[b]));
    });
    return iterations;
  }

  private reserve(bodies: readonly PressedBody[]): void {
    const size = bodies.reduce((sum, { pressureSolve, rate }) => sum + (pressureSolve ? rate.length : 0), 0);
    if (size === this.size) return;
    this.size = size;
    this.minres = new Minres(size);
    this.rate = new Float64Array(size);
    this.pressure = new Float64Array(size);
  }
}
