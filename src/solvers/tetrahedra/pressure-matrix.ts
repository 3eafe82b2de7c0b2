// The pressure operator A = div P M⁻¹ divᵀ as a sparse matrix over two-rings, and its incomplete Cholesky factors.
// Based on: J. Meijerink, H. van der Vorst, An iterative solution method for linear systems of which the coefficient matrix
// is a symmetric M-matrix, 1977.

import type { ContactProjection } from './contact-projection.js';
import { TetraMemory } from './memory.js';
import type { TetraRest } from './rest.js';
import type { RingOperator } from './ring-operator.js';

/**
 * The diagonal is raised by this before it is factored. With 0.1 % hundreds of pivots fail on ten thousand tetrahedra, and
 * the solve seems to converge at once. Where pivots fail all the same, the next one is tried. In a ball of 4296 that lies on a floor
 * 2 % fails in every other step, 6 % in one of six, and takes no more iterations (28.3 a step).
 */
const SHIFTS = [0.06, 0.2];
/** A row whose diagonal is below this share of the mean one is of a node that nothing can move. */
const EMPTY = 1e-14;
/** A pivot below this share of its diagonal has failed. */
const LEAST_PIVOT = 1e-6;

/** Which rows and columns there are: shared by all copies of a body. */
export interface PressurePattern {
  /** Row k of the lower triangle, diagonal last: `columns[starts[k] … starts[k + 1]]`, ascending. */
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  /** For each node j, the pairs (k ≥ l) of its neighbours in turn: place of (k, l). */
  readonly pairStarts: Uint32Array;
  readonly pairs: Uint32Array;
}

export function buildPressurePattern({ neighbours, count }: TetraRest): PressurePattern {
  const { starts: ring, columns: members } = neighbours;
  const rows = Array.from({ length: count }, () => new Set<number>());
  const pairStarts = new Uint32Array(count + 1);
  for (let j = 0; j < count; j++) {
    const size = ring[j + 1] - ring[j];
    pairStarts[j + 1] = pairStarts[j] + (size * (size + 1)) / 2;
    for (let a = ring[j]; a < ring[j + 1]; a++) for (let b = ring[j]; b <= a; b++) rows[members[a]].add(members[b]);
  }
  const starts = new Uint32Array(count + 1);
  for (let k = 0; k < count; k++) starts[k + 1] = starts[k] + rows[k].size;
  const columns = new Uint32Array(starts[count]);
  rows.forEach((row, k) => {
    columns.set(Uint32Array.from(row).sort(), starts[k]);
  });
  const pairs = new Uint32Array(pairStarts[count]);
  const placeOf = new Int32Array(count);
  // Row by row, so that one table of places does: pairs of k are those of each node next to k.
  for (let k = 0; k < count; k++) {
    for (let s = starts[k]; s < starts[k + 1]; s++) placeOf[columns[s]] = s;
    for (let i = ring[k]; i < ring[k + 1]; i++) {
      const j = members[i];
      let a = ring[j];
      while (members[a] !== k) a++;
      const local = a - ring[j];
      for (let b = 0; b <= local; b++) {
        pairs[pairStarts[j] + (local * (local + 1)) / 2 + b] = placeOf[members[ring[j] + b]];
      }
    }
  }
  return { starts, columns, pairStarts, pairs };
}

export class PressureMatrix {
  /** A over the pattern; links between nodes are left out. */
  readonly values: Float64Array;
  /** L, with the inverses of its diagonal. */
  private readonly factors: Float64Array;
  readonly diagonal: Float64Array;
  /** One row of L at its columns; zeros between rows. */
  private readonly row: Float64Array;
  private readonly starts: Uint32Array;
  private readonly columns: Uint32Array;
  private readonly pairs: Uint32Array;

  constructor(
    private readonly rest: TetraRest,
    pattern: PressurePattern,
    private readonly memory = TetraMemory.onHeap(),
  ) {
    this.starts = memory.share(pattern.starts);
    this.columns = memory.share(pattern.columns);
    this.pairs = memory.share(pattern.pairs);
    this.values = memory.reals(pattern.columns.length);
    this.factors = memory.reals(pattern.columns.length);
    this.diagonal = memory.reals(rest.count);
    this.row = memory.reals(rest.count);
  }

  /** Fills A at the positions of the operator, under a projection. */
  assemble({ vectors: ringVectors, starts }: RingOperator, projection: ContactProjection): void {
    const { rest, values, pairs } = this;
    const { inverseMasses, held, heldCounts } = projection;
    const { kernels } = this.memory;
    if (kernels) {
      kernels.pressureMatrix(
        starts.byteOffset,
        pairs.byteOffset,
        ringVectors.byteOffset,
        inverseMasses.byteOffset,
        heldCounts.byteOffset,
        held.byteOffset,
        rest.count,
        values.byteOffset,
        values.length,
      );
    } else {
      values.fill(0);
      for (let j = 0, pair = 0; j < rest.count; j++) {
        const mass = inverseMasses[j];
        for (let k = starts[j]; k < starts[j + 1]; k++) {
          let x = ringVectors[4 * k];
          let y = ringVectors[4 * k + 1];
          let z = ringVectors[4 * k + 2];
          for (let h = 9 * j; h < 9 * j + 3 * heldCounts[j]; h += 3) {
            const along = x * held[h] + y * held[h + 1] + z * held[h + 2];
            x -= along * held[h];
            y -= along * held[h + 1];
            z -= along * held[h + 2];
          }
          x *= mass;
          y *= mass;
          z *= mass;
          for (let l = starts[j]; l <= k; l++) {
            values[pairs[pair++]] += x * ringVectors[4 * l] + y * ringVectors[4 * l + 1] + z * ringVectors[4 * l + 2];
          }
        }
      }
    }
    for (let k = 0; k < rest.count; k++) this.diagonal[k] = values[this.starts[k + 1] - 1];
  }

  /** A ≈ L·Lᵀ over A's own pattern; false where a pivot fails. */
  factor(): boolean {
    let mean = 0;
    for (let k = 0; k < this.diagonal.length; k++) mean += this.diagonal[k] / this.diagonal.length;
    return SHIFTS.some((shift) => this.factorShifted(shift, mean));
  }

  /** Rows of zeros get a pivot of their own. */
  private factorShifted(shift: number, mean: number): boolean {
    const { starts, columns, values, factors, row, rest } = this;
    const { kernels } = this.memory;
    if (kernels) {
      const [rows, across, numbers] = [starts.byteOffset, columns.byteOffset, values.byteOffset];
      return kernels.factor(rows, across, numbers, factors.byteOffset, row.byteOffset, rest.count, shift, mean) !== 0;
    }
    for (let k = 0; k < rest.count; k++) {
      const first = starts[k];
      const last = starts[k + 1] - 1;
      let pivot = values[last] * (1 + shift);
      const isEmpty = !(values[last] > EMPTY * mean);
      for (let s = first; s < last; s++) {
        const l = columns[s];
        const end = starts[l + 1] - 1;
        // Columns that row k does not have are zeros in `row`.
        let [even, odd] = [0, 0];
        let r = starts[l];
        for (; r + 1 < end; r += 2) {
          even += factors[r] * row[columns[r]];
          odd += factors[r + 1] * row[columns[r + 1]];
        }
        if (r < end) even += factors[r] * row[columns[r]];
        const factor = isEmpty ? 0 : (values[s] - (even + odd)) * factors[end];
        factors[s] = factor;
        row[l] = factor;
        pivot -= factor * factor;
      }
      for (let s = first; s < last; s++) row[columns[s]] = 0;
      if (isEmpty) pivot = mean > 0 ? mean : 1;
      else if (!(pivot > LEAST_PIVOT * values[last])) return false;
      factors[last] = 1 / Math.sqrt(pivot);
    }
    return true;
  }

  /** z = (L·Lᵀ)⁻¹·r. */
  solveFactors(r: Float64Array, z: Float64Array): void {
    const { factors, starts, columns } = this;
    const { kernels } = this.memory;
    if (kernels) {
      const [rows, across, numbers] = [starts.byteOffset, columns.byteOffset, factors.byteOffset];
      kernels.solveFactors(rows, across, numbers, r.byteOffset, z.byteOffset, this.rest.count);
      return;
    }
    for (let k = 0; k < r.length; k++) {
      const last = starts[k + 1] - 1;
      let [even, odd] = [0, 0];
      let s = starts[k];
      for (; s + 1 < last; s += 2) {
        even += factors[s] * z[columns[s]];
        odd += factors[s + 1] * z[columns[s + 1]];
      }
      if (s < last) even += factors[s] * z[columns[s]];
      z[k] = (r[k] - (even + odd)) * factors[last];
    }
    for (let k = r.length - 1; k >= 0; k--) {
      const last = starts[k + 1] - 1;
      const value = z[k] * factors[last];
      z[k] = value;
      for (let s = starts[k]; s < last; s++) z[columns[s]] -= factors[s] * value;
    }
  }

  /** z = r over the diagonal of A; 1 where that is nothing. */
  divideByDiagonal(r: Float64Array, z: Float64Array): void {
    for (let k = 0; k < r.length; k++) z[k] = this.diagonal[k] > 0 ? r[k] / this.diagonal[k] : r[k];
  }
}
