// L-BFGS over a preconditioner: minimises a smooth function whose second derivatives are near to a matrix that can be solved.
// Based on: [NW06 §7.2]; [LBK17], a factored Laplacian as the first guess.

import type { SolverRoom } from './solver-room.js';
import { addScaled, addScaledDot, dot, greatest, writeScaled, writeSum, writeSumDot } from './vectors.js';

export interface Objective {
  /** The value at x; writes the gradient. */
  evaluate(x: Float64Array, gradient: Float64Array): number;
  /** What was evaluated last is what `evaluateNear` is held against. */
  settle(): void;
  /** The value alone, in less time: it may have fallen by less since it was settled, and never by more. */
  evaluateNear(x: Float64Array): number;
  /** What `evaluate` does where it was evaluated last, of the function as it is now. */
  evaluateAgain(gradient: Float64Array): number;
  /** The same right after `evaluateNear`, in less time. */
  writeGradient(gradient: Float64Array): number;
}

/** What a descent may be asked for besides. */
export interface DescentOptions {
  /** Goes on where the descent before has ended, with its pairs: the function was much the same. */
  readonly keep?: boolean;
  /** Called after each step, before the gradient is found: the function may change a little there, which then counts as curvature. */
  readonly refresh?: () => void;
}

export interface Descent {
  readonly steps: number;
  readonly converged: boolean;
  /** Values before and after each step. */
  readonly values: readonly (readonly [number, number])[];
}

/**
 * Pairs of steps and changes of the gradient that are remembered. With 5 scenes of a sphere, a duck and a hand took 2, 6 and 6 % more steps, with 12,
 * 15 and 20 as many but for 1 % (a duck with 20: 9 % more), and every pair is one in a hundred of a step's time.
 */
const MEMORY = 8;
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
    size: number,
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
    let value = keep ? objective.evaluateAgain(gradient) : objective.evaluate(x, gradient);
    const values: [number, number][] = [];
    for (let step = 0; step < mostSteps; step++) {
      this.findDirection(precondition);
      const most = greatest(this.room, direction);
      if (most < tolerance) return { steps: step, converged: true, values };
      objective.settle();
      let next = this.search(objective, x, value, most);
      if (next === undefined && this.used > 0) {
        this.forget();
        this.findDirection(precondition);
        next = this.search(objective, x, value, greatest(this.room, direction));
      }
      if (next === undefined) {
        // No way down that rounding lets us see.
        objective.evaluate(x, gradient);
        return { steps: step, converged: most < 10 * tolerance, values };
      }
      values.push([value, next]);
      refresh?.();
      value = objective.writeGradient(this.nextGradient);
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
    const { direction: d, room, steps, changes, products, shares, used } = this;
    const at = (n: number): number => (this.newest - n + MEMORY) % MEMORY;
    writeScaled(room, d, this.gradient, -1);
    let along = used > 0 ? dot(room, steps[at(0)], d) : 0;
    for (let n = 0; n < used; n++) {
      const m = at(n);
      shares[m] = along / products[m];
      if (n + 1 < used) along = addScaledDot(room, d, changes[m], -shares[m], steps[at(n + 1)]);
      else addScaled(room, d, changes[m], -shares[m]);
    }
    precondition(d, d);
    along = used > 0 ? dot(room, changes[at(used - 1)], d) : 0;
    for (let n = used - 1; n >= 0; n--) {
      const m = at(n);
      const share = shares[m] - along / products[m];
      if (n > 0) along = addScaledDot(room, d, steps[m], share, changes[at(n - 1)]);
      else addScaled(room, d, steps[m], share);
    }
  }

  /** Halves the step until it keeps its promise; finds the next x and returns the value, or undefined where none does. */
  private search(objective: Objective, x: Float64Array, value: number, most: number): number | undefined {
    const { direction: d, nextX, room } = this;
    const slope = dot(room, this.gradient, d);
    if (!(slope < 0)) return undefined;
    let share = Math.min(1, LONGEST / most);
    for (let halving = 0; halving < HALVINGS; halving++, share /= 2) {
      writeSum(room, nextX, x, d, share);
      const next = objective.evaluateNear(nextX);
      if (next <= value + PROMISE * share * slope) return next;
    }
    return undefined;
  }

  private remember(x: Float64Array): void {
    const { room } = this;
    const m = (this.newest + 1) % MEMORY;
    const [s, y] = [this.steps[m], this.changes[m]];
    const sizes = writeSumDot(room, s, this.nextX, x, -1) * writeSumDot(room, y, this.nextGradient, this.gradient, -1);
    const product = dot(room, s, y);
    // Only where the slope has risen along the step is the pair one of a matrix that is positive definite.
    if (!(product > 1e-12 * Math.sqrt(sizes))) {
      this.forget();
      return;
    }
    this.products[m] = product;
    this.newest = m;
    this.used = Math.min(MEMORY, this.used + 1);
  }
}
