// The pressure operator A = div P M⁻¹ divᵀ as a sparse matrix over two-rings, and its incomplete Cholesky factors.
// Based on: J. Meijerink, H. van der Vorst, An iterative solution method for linear systems of which the coefficient matrix
// is a symmetric M-matrix, 1977.

import type { ContactProjection } from './contact-projection.js';
import type { TetraRest } from './rest.js';

/**
 * The diagonal is raised by this before it is factored. With 0.1 % hundreds of pivots fail on ten thousand tetrahedra, and
 * the solve seems to converge at once; from 1 % to 5 % all is well. Where pivots fail all the same, as in a ball pressed
 * below a third of its height, the next one is tried.
 */
const SHIFTS = [0.02, 0.06, 0.2];

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
  private readonly factors: Float64Array;
  private readonly diagonal: Float64Array;
  /** d_kj = ¼ Σ_t b_tj over the tetrahedra that k and j share, along the neighbours of j. */
  private readonly ringVectors: Float64Array;
  private readonly rowPlace: Int32Array;

  constructor(
    private readonly rest: TetraRest,
    private readonly pattern: PressurePattern,
  ) {
    this.values = new Float64Array(pattern.columns.length);
    this.factors = new Float64Array(pattern.columns.length);
    this.diagonal = new Float64Array(rest.count);
    this.ringVectors = new Float64Array(3 * rest.neighbours.columns.length);
    this.rowPlace = new Int32Array(rest.count).fill(-1);
  }

  /** Fills A at the positions of the face vectors b, under a projection. */
  assemble(b: Float64Array, projection: ContactProjection): void {
    const { rest, pattern, values, ringVectors } = this;
    const { inverseMasses, held, heldCounts } = projection;
    const { starts, slots } = rest.neighbours;
    ringVectors.fill(0);
    for (let t = 0; t < rest.tetraCount; t++) {
      for (let j = 0; j < 4; j++) {
        const at = 12 * t + 3 * j;
        for (let k = 0; k < 4; k++) {
          const to = 3 * slots[16 * t + 4 * j + k];
          ringVectors[to] += b[at] / 4;
          ringVectors[to + 1] += b[at + 1] / 4;
          ringVectors[to + 2] += b[at + 2] / 4;
        }
      }
    }
    values.fill(0);
    for (let j = 0; j < rest.count; j++) {
      const mass = inverseMasses[j];
      if (mass === 0) continue;
      let pair = pattern.pairStarts[j];
      for (let k = starts[j]; k < starts[j + 1]; k++) {
        let x = ringVectors[3 * k];
        let y = ringVectors[3 * k + 1];
        let z = ringVectors[3 * k + 2];
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
          values[pattern.pairs[pair++]] +=
            x * ringVectors[3 * l] + y * ringVectors[3 * l + 1] + z * ringVectors[3 * l + 2];
        }
      }
    }
    for (let k = 0; k < rest.count; k++) this.diagonal[k] = values[pattern.starts[k + 1] - 1];
  }

  /** y = A·x. */
  multiply(x: Float64Array, y: Float64Array): void {
    const { starts, columns } = this.pattern;
    const { values } = this;
    y.fill(0);
    for (let k = 0; k < x.length; k++) {
      const last = starts[k + 1] - 1;
      let sum = values[last] * x[k];
      for (let s = starts[k]; s < last; s++) {
        sum += values[s] * x[columns[s]];
        y[columns[s]] += values[s] * x[k];
      }
      y[k] += sum;
    }
  }

  /** A ≈ L·Lᵀ over A's own pattern; false where a pivot fails. */
  factor(): boolean {
    return SHIFTS.some((shift) => this.factorShifted(shift));
  }

  /** Rows of zeros get a pivot of their own. */
  private factorShifted(shift: number): boolean {
    const { pattern, values, factors, rowPlace } = this;
    const { starts, columns } = pattern;
    let mean = 0;
    for (const value of this.diagonal) mean += value / this.diagonal.length;
    for (let k = 0; k < this.rest.count; k++) {
      const first = starts[k];
      const last = starts[k + 1] - 1;
      for (let s = first; s <= last; s++) rowPlace[columns[s]] = s;
      let pivot = values[last] * (1 + shift);
      const isEmpty = !(values[last] > 1e-14 * mean);
      for (let s = first; s < last; s++) {
        const l = columns[s];
        let sum = values[s];
        const end = starts[l + 1] - 1;
        for (let r = starts[l]; r < end; r++) {
          const place = rowPlace[columns[r]];
          if (place >= first) sum -= factors[r] * factors[place];
        }
        factors[s] = isEmpty ? 0 : sum / factors[end];
        pivot -= factors[s] * factors[s];
      }
      for (let s = first; s <= last; s++) rowPlace[columns[s]] = -1;
      if (isEmpty) pivot = mean > 0 ? mean : 1;
      if (!(pivot > 1e-6 * values[last]) && !isEmpty) return false;
      factors[last] = Math.sqrt(pivot);
    }
    return true;
  }

  /** z = (L·Lᵀ)⁻¹·r. */
  solveFactors(r: Float64Array, z: Float64Array): void {
    const { factors } = this;
    const { starts, columns } = this.pattern;
    for (let k = 0; k < r.length; k++) {
      const last = starts[k + 1] - 1;
      let sum = r[k];
      for (let s = starts[k]; s < last; s++) sum -= factors[s] * z[columns[s]];
      z[k] = sum / factors[last];
    }
    for (let k = r.length - 1; k >= 0; k--) {
      const last = starts[k + 1] - 1;
      z[k] /= factors[last];
      for (let s = starts[k]; s < last; s++) z[columns[s]] -= factors[s] * z[k];
    }
  }

  /** z = r over the diagonal of A; 1 where that is nothing. */
  divideByDiagonal(r: Float64Array, z: Float64Array): void {
    for (let k = 0; k < r.length; k++) z[k] = this.diagonal[k] > 0 ? r[k] / this.diagonal[k] : r[k];
  }
}
