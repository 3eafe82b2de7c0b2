// Minimal residuals for symmetric systems that may be singular, and inconsistent: closed containers and bodies fixed all
// round have volumes that cannot be met.
// Based on: C. Paige, M. Saunders, Solution of sparse indefinite systems of linear equations, 1975; S.-C. Choi, Iterative
// methods for singular linear equations and least-squares problems, 2006 (the norm of A·r comes with the recurrence).

import { TetraMemory } from './memory.js';
import { advance, blend, dot, lanczos, scaleInto, shift } from './vectors.js';

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
  /** Begins with what x is, not with 0. */
  readonly isWarm?: boolean;
  /** Told |r|/|b| before the first iteration, and before anything is preconditioned. */
  readonly onBegin?: (residual: number) => void;
  /** Whether a residual is small enough already, whatever its norm. */
  readonly isEnough?: (residual: Float64Array) => boolean;
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

  constructor(
    private readonly size: number,
    private readonly memory = TetraMemory.onHeap(),
  ) {
    const make = () => memory.reals(size);
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

  /** Solves A·x = b. `watch` is told the preconditioned norm of the residual after each iteration. */
  solve(b: Float64Array, x: Float64Array, options: MinresOptions, watch?: (norm: number) => void): MinresResult {
    const {
      multiply,
      precondition,
      tolerance,
      leastSquares,
      mostIterations,
      isWarm = false,
      onBegin,
      isEnough,
    } = options;
    const { r1, r2, v, y, w, w1, w2, residual } = this;
    const norm = Math.sqrt(this.dot(b, b));
    const isBegun = isWarm && norm > 0;
    residual.set(b);
    if (isBegun) {
      multiply(x, y);
      for (let k = 0; k < y.length; k++) residual[k] -= y[k];
    } else x.fill(0);
    w.fill(0);
    w1.fill(0);
    w2.fill(0);
    r1.set(residual);
    r2.set(residual);
    let relative = isBegun ? Math.sqrt(this.dot(residual, residual)) / norm : 1;
    if (relative <= tolerance) return { iterations: 0, residual: relative, isLeastSquares: false };
    onBegin?.(relative);
    precondition(residual, y);
    let beta = Math.sqrt(Math.max(0, this.dot(r2, y)));
    if (!(beta > 0)) return { iterations: 0, residual: norm > 0 ? relative : 0, isLeastSquares: norm > 0 };
    let before = 0;
    let dbar = 0;
    let epsilon = 0;
    let phibar = beta;
    let cosine = -1;
    let sine = 0;
    let largest = 0;
    let iterations = 0;
    while (iterations < mostIterations) {
      this.scaleInto(1 / beta);
      multiply(v, y);
      const alpha = this.lanczos(iterations > 0 ? beta / before : 0);
      this.shift(alpha / beta);
      precondition(r2, y);
      before = beta;
      beta = Math.sqrt(Math.max(0, this.dot(r2, y)));
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
      this.advance(x, oldEpsilon, delta, 1 / gamma, phi);
      iterations++;
      watch?.(phibar);
      if (!(beta > 0)) {
        // The space is exhausted: the residual is the recurrence's.
        return { iterations, residual: 0, isLeastSquares: false };
      }
      const keep = sine * sine;
      const add = (-phibar * cosine) / beta;
      relative = Math.sqrt(this.blend(keep, add)) / norm;
      if (relative <= tolerance || isEnough?.(residual)) break;
    }
    return { iterations, residual: relative, isLeastSquares: false };
  }

  private dot(a: Float64Array, b: Float64Array): number {
    const { kernels } = this.memory;
    return kernels ? kernels.dot(a.byteOffset, b.byteOffset, this.size) : dot(a, b);
  }

  private scaleInto(factor: number): void {
    const { y, v, size } = this;
    const { kernels } = this.memory;
    if (kernels) kernels.scaleInto(y.byteOffset, factor, v.byteOffset, size);
    else scaleInto(y, factor, v);
  }

  private lanczos(factor: number): number {
    const { y, v, r1, size } = this;
    const { kernels } = this.memory;
    if (!kernels) return lanczos(y, v, r1, factor);
    return kernels.lanczos(y.byteOffset, v.byteOffset, r1.byteOffset, factor, size);
  }

  private shift(factor: number): void {
    const { y, r1, r2, size } = this;
    const { kernels } = this.memory;
    if (kernels) kernels.shift(y.byteOffset, r1.byteOffset, r2.byteOffset, factor, size);
    else shift(y, r1, r2, factor);
  }

  private advance(x: Float64Array, before: number, delta: number, scale: number, phi: number): void {
    const { v, w, w1, w2, size } = this;
    const { kernels } = this.memory;
    const [a, b, c, d] = [v.byteOffset, w.byteOffset, w1.byteOffset, w2.byteOffset];
    if (kernels) kernels.advance(a, b, c, d, x.byteOffset, before, delta, scale, phi, size);
    else advance(v, w, w1, w2, x, before, delta, scale, phi);
  }

  private blend(keep: number, add: number): number {
    const { residual, r2, size } = this;
    const { kernels } = this.memory;
    if (!kernels) return blend(residual, r2, keep, add);
    return kernels.blend(residual.byteOffset, r2.byteOffset, keep, add, size);
  }
}
