// Conjugate gradients for the implicit elastic step: 3×3 blocks, block-Jacobi, and a filter that leaves out what contacts
// and pins forbid.
// Based on: D. Baraff, A. Witkin, Large steps in cloth simulation, 1998 (the filtered solve).

import { TetraMemory } from './memory.js';
import type { StiffnessMatrix } from './stiffness-matrix.js';
import { descend, dot, turn } from './vectors.js';

/** Takes from a field of vectors what may not change. */
export type Filter = (field: Float64Array) => void;

export class ConjugateGradients {
  private readonly r: Float64Array;
  private readonly z: Float64Array;
  private readonly d: Float64Array;
  private readonly q: Float64Array;
  /** Inverse of each diagonal block: xx, xy, xz, yy, yz, zz. */
  private readonly inverses: Float64Array;

  constructor(
    private readonly count: number,
    private readonly memory = TetraMemory.onHeap(),
  ) {
    const vectors = () => memory.reals(3 * count);
    [this.r, this.z, this.d, this.q] = [vectors(), vectors(), vectors(), vectors()];
    this.inverses = memory.reals(6 * count);
  }

  /**
   * Solves A·x = rhs among the changes that the filter leaves, from x = 0, until the filtered residual has fallen by
   * `tolerance`. A is symmetric positive definite. Returns the iterations.
   */
  solve(
    matrix: StiffnessMatrix,
    rhs: Float64Array,
    filter: Filter,
    x: Float64Array,
    tolerance: number,
    mostIterations: number,
  ): number {
    const { r, z, d, q } = this;
    this.invertDiagonal(matrix);
    x.fill(0);
    r.set(rhs);
    filter(r);
    let square = this.dot(r, r);
    const goal = tolerance * tolerance * square;
    this.precondition();
    filter(z);
    d.set(z);
    let rz = this.dot(r, z);
    let iterations = 0;
    while (iterations < mostIterations && square > goal) {
      matrix.multiply(d, q);
      filter(q);
      const curvature = this.dot(d, q);
      if (!(curvature > 0)) break;
      square = this.descend(x, rz / curvature);
      this.precondition();
      filter(z);
      const next = this.dot(r, z);
      this.turn(next / rz);
      rz = next;
      iterations++;
    }
    return iterations;
  }

  /** Where rounding has left a block that is not positive, its trace does. */
  private invertDiagonal({ starts, values }: StiffnessMatrix): void {
    const { inverses, count } = this;
    const { kernels } = this.memory;
    if (kernels) {
      kernels.invertDiagonal(starts.byteOffset, values.byteOffset, count, inverses.byteOffset);
      return;
    }
    for (let n = 0, to = 0; n < count; n++, to += 6) {
      const at = 9 * starts[n];
      const [a, b, c] = [values[at], values[at + 1], values[at + 2]];
      const [d, e, f] = [values[at + 4], values[at + 5], values[at + 8]];
      const minor = a * d - b * b;
      const xx = d * f - e * e;
      const xy = c * e - b * f;
      const xz = b * e - c * d;
      const determinant = a * xx + b * xy + c * xz;
      const isPositive = a > 0 && minor > 0 && determinant > 0;
      const inverse = 1 / determinant;
      const trace = 3 / (a + d + f);
      inverses[to] = isPositive ? xx * inverse : trace;
      inverses[to + 1] = isPositive ? xy * inverse : 0;
      inverses[to + 2] = isPositive ? xz * inverse : 0;
      inverses[to + 3] = isPositive ? (a * f - c * c) * inverse : trace;
      inverses[to + 4] = isPositive ? (b * c - a * e) * inverse : 0;
      inverses[to + 5] = isPositive ? minor * inverse : trace;
    }
  }

  /** z = the inverse of the diagonal blocks times r. */
  private precondition(): void {
    const { inverses, r, z, count } = this;
    const { kernels } = this.memory;
    if (kernels) {
      kernels.applyBlocks(inverses.byteOffset, r.byteOffset, z.byteOffset, count);
      return;
    }
    for (let n = 0, at = 0; n < r.length; n += 3, at += 6) {
      z[n] = inverses[at] * r[n] + inverses[at + 1] * r[n + 1] + inverses[at + 2] * r[n + 2];
      z[n + 1] = inverses[at + 1] * r[n] + inverses[at + 3] * r[n + 1] + inverses[at + 4] * r[n + 2];
      z[n + 2] = inverses[at + 2] * r[n] + inverses[at + 4] * r[n + 1] + inverses[at + 5] * r[n + 2];
    }
  }

  private dot(a: Float64Array, b: Float64Array): number {
    const { kernels } = this.memory;
    return kernels ? kernels.dot(a.byteOffset, b.byteOffset, 3 * this.count) : dot(a, b);
  }

  private descend(x: Float64Array, step: number): number {
    const { r, d, q } = this;
    const { kernels } = this.memory;
    if (!kernels) return descend(x, r, d, q, step);
    return kernels.descend(x.byteOffset, r.byteOffset, d.byteOffset, q.byteOffset, step, 3 * this.count);
  }

  private turn(share: number): void {
    const { kernels } = this.memory;
    if (kernels) kernels.turn(this.d.byteOffset, this.z.byteOffset, share, 3 * this.count);
    else turn(this.d, this.z, share);
  }
}
