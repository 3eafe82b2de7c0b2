// L-BFGS over a preconditioner: minimises a smooth function whose second derivatives are near to a matrix that can be solved.
// Based on: [NW06 §7.2]; [LBK17], a factored Laplacian as the first guess.

export interface Objective {
  /** The value at x; writes the gradient. */
  evaluate(x: Float64Array, gradient: Float64Array): number;
}

export interface Descent {
  readonly steps: number;
  readonly converged: boolean;
  /** Value at the start and after each step. */
  readonly values: readonly number[];
}

/** Pairs of steps and changes of the gradient that are remembered. */
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

  constructor(private readonly size: number) {
    const array = (): Float64Array => new Float64Array(size);
    this.gradient = array();
    this.nextGradient = array();
    this.nextX = array();
    this.direction = array();
    this.steps = Array.from({ length: MEMORY }, array);
    this.changes = Array.from({ length: MEMORY }, array);
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
  ): Descent {
    const { gradient, direction } = this;
    this.forget();
    let value = objective.evaluate(x, gradient);
    const values = [value];
    for (let step = 0; ; step++) {
      this.findDirection(precondition);
      const most = greatest(direction);
      if (most < tolerance) return { steps: step, converged: true, values };
      if (step === mostSteps) return { steps: step, converged: false, values };
      let next = this.search(objective, x, value, most);
      if (next === undefined && this.used > 0) {
        this.forget();
        this.findDirection(precondition);
        next = this.search(objective, x, value, greatest(direction));
      }
      // No way down that rounding lets us see.
      if (next === undefined) return { steps: step, converged: most < 10 * tolerance, values };
      value = next;
      values.push(value);
    }
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
      shares[m] = dot(steps[m], d) / products[m];
      addScaled(d, changes[m], -shares[m]);
    }
    precondition(d, d);
    for (let n = this.used - 1; n >= 0; n--) {
      const m = (this.newest - n + MEMORY) % MEMORY;
      addScaled(d, steps[m], shares[m] - dot(changes[m], d) / products[m]);
    }
  }

  /** Halves the step until it keeps its promise; moves x there and returns the value, or undefined where none does. */
  private search(objective: Objective, x: Float64Array, value: number, most: number): number | undefined {
    const { direction: d, gradient, nextGradient, nextX, size } = this;
    const slope = dot(gradient, d);
    if (!(slope < 0)) return undefined;
    let share = Math.min(1, LONGEST / most);
    for (let halving = 0; halving < HALVINGS; halving++, share /= 2) {
      for (let i = 0; i < size; i++) nextX[i] = x[i] + share * d[i];
      const next = objective.evaluate(nextX, nextGradient);
      if (!(next <= value + PROMISE * share * slope)) continue;
      this.remember(x);
      x.set(nextX);
      gradient.set(nextGradient);
      return next;
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
    const product = dot(s, y);
    // Only where the slope has risen along the step is the pair one of a matrix that is positive definite.
    if (!(product > 1e-12 * Math.sqrt(dot(s, s) * dot(y, y)))) {
      this.forget();
      return;
    }
    this.products[m] = product;
    this.newest = m;
    this.used = Math.min(MEMORY, this.used + 1);
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function addScaled(a: Float64Array, b: Float64Array, scale: number): void {
  for (let i = 0; i < a.length; i++) a[i] += scale * b[i];
}

/** Greatest absolute value; Infinity where one is not a number. */
function greatest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (size > most) most = size;
    else if (Number.isNaN(size)) return Infinity;
  }
  return most;
}
