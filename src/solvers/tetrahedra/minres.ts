// Minimal residuals for symmetric systems that may be singular, and inconsistent: closed containers and bodies fixed all
// round have volumes that cannot be met.
// Based on: C. Paige, M. Saunders, Solution of sparse indefinite systems of linear equations, 1975; S.-C. Choi, Iterative
// methods for singular linear equations and least-squares problems, 2006 (the norm of A·r comes with the recurrence).

export interface MinresOptions {
  /** y = A·x, A symmetric. */
  readonly multiply: (x: Float64Array, y: Float64Array) => void;
  /** z = M⁻¹·r, M symmetric positive definite. */
  readonly precondition: (r: Float64Array, z: Float64Array) => void;
  /** Ends where |r| ≤ tolerance·|b|. */
  readonly tolerance: number;
  /** Ends where |A·r|/|r| is below this share of |A|: what is left of r cannot be taken away. */
  readonly leastSquares: number;
  readonly mostIterations: number;
}

export interface MinresResult {
  readonly iterations: number;
  /** |r|/|b| in the 2-norm, carried along. */
  readonly residual: number;
  /** Whether it ended as a least-squares solution. */
  readonly isLeastSquares: boolean;
}

export class Minres {
  private readonly r1: Float64Array;
  private readonly r2: Float64Array;
  private readonly v: Float64Array;
  private readonly y: Float64Array;
  private readonly w: Float64Array;
  private readonly w1: Float64Array;
  private readonly w2: Float64Array;
  /** The residual itself: under a preconditioner the recurrence's norm is another. */
  private readonly residual: Float64Array;

  constructor(size: number) {
    const make = () => new Float64Array(size);
    [this.r1, this.r2, this.v, this.y, this.w, this.w1, this.w2, this.residual] = [
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
    ];
  }

  /** Solves A·x = b from x = 0. `watch` is told the preconditioned norm of the residual after each iteration. */
  solve(b: Float64Array, x: Float64Array, options: MinresOptions, watch?: (norm: number) => void): MinresResult {
    const { multiply, precondition, tolerance, leastSquares, mostIterations } = options;
    const { r1, r2, v, y, w, w1, w2, residual } = this;
    const size = x.length;
    x.fill(0);
    w.fill(0);
    w1.fill(0);
    w2.fill(0);
    r1.set(b);
    r2.set(b);
    residual.set(b);
    precondition(b, y);
    const norm = Math.sqrt(dot(b, b));
    let beta = Math.sqrt(Math.max(0, dot(b, y)));
    if (!(norm > 0) || !(beta > 0)) return { iterations: 0, residual: norm > 0 ? 1 : 0, isLeastSquares: norm > 0 };
    let before = 0;
    let dbar = 0;
    let epsilon = 0;
    let phibar = beta;
    let cosine = -1;
    let sine = 0;
    let largest = 0;
    let relative = 1;
    let iterations = 0;
    while (iterations < mostIterations) {
      for (let k = 0; k < size; k++) v[k] = y[k] / beta;
      multiply(v, y);
      if (iterations > 0) for (let k = 0; k < size; k++) y[k] -= (beta / before) * r1[k];
      const alpha = dot(v, y);
      for (let k = 0; k < size; k++) {
        y[k] -= (alpha / beta) * r2[k];
        r1[k] = r2[k];
        r2[k] = y[k];
      }
      precondition(r2, y);
      before = beta;
      beta = Math.sqrt(Math.max(0, dot(r2, y)));
      largest = Math.max(largest, Math.sqrt(alpha * alpha + before * before * (iterations > 0 ? 1 : 0) + beta * beta));
      const oldEpsilon = epsilon;
      const delta = cosine * dbar + sine * alpha;
      const gbar = sine * dbar - cosine * alpha;
      epsilon = sine * beta;
      dbar = -cosine * beta;
      // |A·r| of the last iterate is φ̄ times this. A further step would divide by what is next to nothing.
      if (Math.sqrt(gbar * gbar + dbar * dbar) < leastSquares * largest) {
        return { iterations, residual: relative, isLeastSquares: true };
      }
      const gamma = Math.sqrt(gbar * gbar + beta * beta);
      cosine = gbar / gamma;
      sine = beta / gamma;
      const phi = cosine * phibar;
      phibar *= sine;
      for (let k = 0; k < size; k++) {
        const previous = w2[k];
        w1[k] = previous;
        w2[k] = w[k];
        w[k] = (v[k] - oldEpsilon * previous - delta * w2[k]) / gamma;
        x[k] += phi * w[k];
      }
      iterations++;
      watch?.(phibar);
      if (!(beta > 0)) {
        // The space is exhausted: the residual is the recurrence's.
        return { iterations, residual: 0, isLeastSquares: false };
      }
      const keep = sine * sine;
      const add = (-phibar * cosine) / beta;
      for (let k = 0; k < size; k++) residual[k] = keep * residual[k] + add * r2[k];
      relative = Math.sqrt(dot(residual, residual)) / norm;
      if (relative <= tolerance) break;
    }
    return { iterations, residual: relative, isLeastSquares: false };
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
