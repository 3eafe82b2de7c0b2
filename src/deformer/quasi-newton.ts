// L-BFGS over a preconditioner: minimises a smooth function whose second derivatives are near to a matrix that can be solved.
// Based on: [NW06 §7.2]; [LBK17], a factored Laplacian as the first guess.

import type { SolverRoom } from './solver-room.js';
import { addScaled, dot, greatest } from './vectors.js';

export interface Objective {
  /** The value at x; writes the gradient. */
  evaluate(x: Float64Array, gradient: Float64Array): number;
}

/** What a descent may be asked for besides. */
export interface DescentOptions {
  /** Goes on with the pairs of the descent before, whose function was much the same. */
  readonly keep?: boolean;
  /**
   * Called after each step, with the value and gradient where it led: the function may change a little there, which then counts as
   * curvature. Returns the value; changes the gradient.
   */
  readonly refresh?: (value: number, gradient: Float64Array) => number;
}

export interface Descent {
  readonly steps: number;
  readonly converged: boolean;
  /** Values before and after each step. */
  readonly values: readonly (readonly [number, number])[];
}

/** Pairs of steps and changes of the gradient that are remembered: with 5 a sphere's scenes took 9 % more steps, with 20 7 % fewer. */
const MEMORY = 12;
/** Farthest that a coordinate goes in one step, in half sizes: a first guess beyond turns tetrahedra inside out. */
const LONGEST = 0.5;
/** Share of the slope's promise that a step must keep (Armijo). */
const PROMISE = 1e-4;
/** A step of 2⁻³⁰ that brings no less is rounding. */
const HALVINGS = 30;

export class QuasiNewton {
  private readonly gradient: Float64Array;
  private readonly nextGradient: Float64Array;
  private readonly nextX: Float64Array;
  private readonly direction: Float64Array;
  private readonly steps: Float64Array[];
  private readonly changes: Float64Array[];
  private readonly products = new Float64Array(MEMORY);
  private readonly shares = new Float64Array(MEMORY);
  private used = 0;
  private newest = -1;

  constructor(
    private readonly size: number,
    private readonly room: SolverRoom,
  ) {
    const array = (): Float64Array => room.numbers(size);
    this.gradient = array();
    this.nextGradient = array();
    this.nextX = array();
    this.direction = array();
    this.steps = Array.from({ length: MEMORY }, array);
    this.changes = Array.from({ length: MEMORY }, array);
  }

  /** Bytes that it takes of a room. */
  static roomFor(size: number): number {
    return (4 + 2 * MEMORY) * (8 * size + 16);
  }

  /**
   * Moves x downhill until no coordinate of the next step exceeds `tolerance`, or `mostSteps` are taken.
   * @param precondition solves with the matrix; the arrays may be the same.
   */
  minimise(
    objective: Objective,
    precondition: (b: Float64Array, out: Float64Array) => void,
    x: Float64Array,
    tolerance: number,
    mostSteps: number,
    { keep = false, refresh }: DescentOptions = {},
  ): Descent {
    const { gradient, direction } = this;
    if (!keep) this.forget();
    let value = objective.evaluate(x, gradient);
    const values: [number, number][] = [];
    for (let step = 0; step < mostSteps; step++) {
      this.findDirection(precondition);
      const most = greatest(direction);
      if (most < tolerance) return { steps: step, converged: true, values };
      let next = this.search(objective, x, value, most);
      if (next === undefined && this.used > 0) {
        this.forget();
        this.findDirection(precondition);
        next = this.search(objective, x, value, greatest(direction));
      }
      // No way down that rounding lets us see.
      if (next === undefined) return { steps: step, converged: most < 10 * tolerance, values };
      values.push([value, next]);
      value = refresh ? refresh(next, this.nextGradient) : next;
      this.remember(x);
      x.set(this.nextX);
      gradient.set(this.nextGradient);
    }
    return { steps: mostSteps, converged: false, values };
  }

  private forget(): void {
    this.used = 0;
    this.newest = -1;
  }

  /** direction = −H·gradient, by the two loops over the remembered pairs. */
  private findDirection(precondition: (b: Float64Array, out: Float64Array) => void): void {
    const { direction: d, gradient, steps, changes, products, shares, size } = this;
    for (let i = 0; i < size; i++) d[i] = -gradient[i];
    for (let n = 0; n < this.used; n++) {
      const m = (this.newest - n + MEMORY) % MEMORY;
      shares[m] = dot(this.room, steps[m], d) / products[m];
      addScaled(this.room, d, changes[m], -shares[m]);
    }
    precondition(d, d);
    for (let n = this.used - 1; n >= 0; n--) {
      const m = (this.newest - n + MEMORY) % MEMORY;
      addScaled(this.room, d, steps[m], shares[m] - dot(this.room, changes[m], d) / products[m]);
    }
  }

  /** Halves the step until it keeps its promise; finds the next x and gradient and returns the value, or undefined where none does. */
  private search(objective: Objective, x: Float64Array, value: number, most: number): number | undefined {
    const { direction: d, gradient, nextGradient, nextX, size } = this;
    const slope = dot(this.room, gradient, d);
    if (!(slope < 0)) return undefined;
    let share = Math.min(1, LONGEST / most);
    for (let halving = 0; halving < HALVINGS; halving++, share /= 2) {
      for (let i = 0; i < size; i++) nextX[i] = x[i] + share * d[i];
      const next = objective.evaluate(nextX, nextGradient);
      if (next <= value + PROMISE * share * slope) return next;
    }
    return undefined;
  }

  private remember(x: Float64Array): void {
    const { gradient, nextGradient, nextX, size } = this;
    const m = (this.newest + 1) % MEMORY;
    const [s, y] = [this.steps[m], this.changes[m]];
    for (let i = 0; i < size; i++) {
      s[i] = nextX[i] - x[i];
      y[i] = nextGradient[i] - gradient[i];
    }
    const product = dot(this.room, s, y);
    // Only where the slope has risen along the step is the pair one of a matrix that is positive definite.
    if (!(product > 1e-12 * Math.sqrt(dot(this.room, s, s) * dot(this.room, y, y)))) {
      this.forget();
      return;
    }
    this.products[m] = product;
    this.newest = m;
    this.used = Math.min(MEMORY, this.used + 1);
  }
}
