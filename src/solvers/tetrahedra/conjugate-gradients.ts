// Conjugate gradients for the implicit elastic step: 3×3 blocks, block-Jacobi, and a filter that leaves out what contacts
// and pins forbid.
// Based on: D. Baraff, A. Witkin, Large steps in cloth simulation, 1998 (the filtered solve).

import { solveSymmetric } from '../../math/mat3.js';
import type { Neighbours } from './rest.js';

/** Takes from a field of vectors what may not change. */
export type Filter = (field: Float64Array) => void;

/** y = A·x for 3×3 blocks over the neighbours. */
export function multiplyBlocks(
  { starts, columns }: Neighbours,
  values: Float64Array,
  x: Float64Array,
  y: Float64Array,
): void {
  for (let n = 0; n + 1 < starts.length; n++) {
    let a = 0;
    let b = 0;
    let c = 0;
    for (let s = starts[n]; s < starts[n + 1]; s++) {
      const m = 3 * columns[s];
      const at = 9 * s;
      const p = x[m];
      const q = x[m + 1];
      const r = x[m + 2];
      a += values[at] * p + values[at + 1] * q + values[at + 2] * r;
      b += values[at + 3] * p + values[at + 4] * q + values[at + 5] * r;
      c += values[at + 6] * p + values[at + 7] * q + values[at + 8] * r;
    }
    y[3 * n] = a;
    y[3 * n + 1] = b;
    y[3 * n + 2] = c;
  }
}

export class ConjugateGradients {
  private readonly r: Float64Array;
  private readonly z: Float64Array;
  private readonly d: Float64Array;
  private readonly q: Float64Array;
  /** Inverse of each diagonal block: xx, xy, xz, yy, yz, zz. */
  private readonly inverses: Float64Array;
  private readonly column = new Float64Array(3);

  constructor(private readonly neighbours: Neighbours) {
    const count = neighbours.starts.length - 1;
    [this.r, this.z, this.d, this.q] = [0, 1, 2, 3].map(() => new Float64Array(3 * count));
    this.inverses = new Float64Array(6 * count);
  }

  /**
   * Solves A·x = rhs among the changes that the filter leaves, from x = 0, until the filtered residual has fallen by
   * `tolerance`. A is symmetric positive definite. Returns the iterations.
   */
  solve(
    values: Float64Array,
    rhs: Float64Array,
    filter: Filter,
    x: Float64Array,
    tolerance: number,
    mostIterations: number,
  ): number {
    const { neighbours, r, z, d, q } = this;
    this.invertDiagonal(values);
    x.fill(0);
    r.set(rhs);
    filter(r);
    const goal = tolerance * tolerance * dot(r, r);
    this.precondition(r, z);
    filter(z);
    d.set(z);
    let rz = dot(r, z);
    let iterations = 0;
    while (iterations < mostIterations && dot(r, r) > goal) {
      multiplyBlocks(neighbours, values, d, q);
      filter(q);
      const curvature = dot(d, q);
      if (!(curvature > 0)) break;
      const step = rz / curvature;
      for (let k = 0; k < x.length; k++) {
        x[k] += step * d[k];
        r[k] -= step * q[k];
      }
      this.precondition(r, z);
      filter(z);
      const next = dot(r, z);
      const share = next / rz;
      rz = next;
      for (let k = 0; k < x.length; k++) d[k] = z[k] + share * d[k];
      iterations++;
    }
    return iterations;
  }

  private invertDiagonal(values: Float64Array): void {
    const { neighbours, inverses, column } = this;
    const { starts, columns } = neighbours;
    const m = [0, 0, 0, 0, 0, 0];
    const unit = [0, 0, 0];
    for (let n = 0; n + 1 < starts.length; n++) {
      let s = starts[n];
      while (columns[s] !== n) s++;
      const at = 9 * s;
      m[0] = values[at];
      m[1] = values[at + 1];
      m[2] = values[at + 2];
      m[3] = values[at + 4];
      m[4] = values[at + 5];
      m[5] = values[at + 8];
      let to = 6 * n;
      for (let k = 0; k < 3; k++) {
        unit[k] = 1;
        // Where rounding has left a block that is not positive, its trace does.
        if (!solveSymmetric(m, 0, unit, column)) column[k] = 3 / (m[0] + m[3] + m[5]);
        unit[k] = 0;
        for (let j = k; j < 3; j++) inverses[to++] = column[j];
      }
    }
  }

  private precondition(r: Float64Array, z: Float64Array): void {
    const { inverses } = this;
    for (let n = 0, at = 0; n < r.length; n += 3, at += 6) {
      z[n] = inverses[at] * r[n] + inverses[at + 1] * r[n + 1] + inverses[at + 2] * r[n + 2];
      z[n + 1] = inverses[at + 1] * r[n] + inverses[at + 3] * r[n + 1] + inverses[at + 4] * r[n + 2];
      z[n + 2] = inverses[at + 2] * r[n] + inverses[at + 4] * r[n + 1] + inverses[at + 5] * r[n + 2];
    }
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
