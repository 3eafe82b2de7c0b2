// The pressure operator A = div P M⁻¹ divᵀ as a sparse matrix over two-rings: what its preconditioner is made of.

import type { ContactProjection } from './contact-projection.js';
import { buildFactorPattern, type FactorPattern, IncompleteCholesky } from './incomplete-cholesky.js';
import { TetraMemory } from './memory.js';
import type { TetraRest } from './rest.js';
import type { RingOperator } from './ring-operator.js';

/** Which rows and columns there are: shared by all copies of a body. */
export interface PressurePattern {
  /** Row k of the lower triangle, diagonal last: `columns[starts[k] … starts[k + 1]]`, ascending. */
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  /** For each node j, the pairs (k ≥ l) of its neighbours in turn: place of (k, l). */
  readonly pairStarts: Uint32Array;
  readonly pairs: Uint32Array;
  readonly factors: FactorPattern;
}

export function buildPressurePattern({ neighbours, count, mesh }: TetraRest): PressurePattern {
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
  return {
    starts,
    columns,
    pairStarts,
    pairs,
    factors: buildFactorPattern(starts, columns, eliminationOrder(mesh.positions)),
  };
}

/**
 * From one end of the body to the other. As nodes are numbered, those of the boundary first, 6 % is too small a shift in one of ten factorings of
 * a ball on a floor, here in one of fifty. Several sweeps at once, whose rows do not wait for each other, save no time and take a fifth more iterations.
 */
function eliminationOrder(x: Float64Array): Uint32Array {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let k = 0; k < x.length; k++) {
    low[k % 3] = Math.min(low[k % 3], x[k]);
    high[k % 3] = Math.max(high[k % 3], x[k]);
  }
  const sizes = high.map((top, c) => top - low[c]);
  const a = sizes.indexOf(Math.max(...sizes));
  const [b, c] = [(a + 1) % 3, (a + 2) % 3];
  const order = Uint32Array.from({ length: x.length / 3 }, (_, n) => n);
  return order.sort(
    (m, n) => x[3 * m + a] - x[3 * n + a] || x[3 * m + b] - x[3 * n + b] || x[3 * m + c] - x[3 * n + c] || m - n,
  );
}

export class PressureMatrix {
  /** A over the pattern; links between nodes are left out. */
  readonly values: Float64Array;
  readonly diagonal: Float64Array;
  private readonly factors: IncompleteCholesky;
  private readonly starts: Uint32Array;
  private readonly pairs: Uint32Array;

  constructor(
    private readonly rest: TetraRest,
    pattern: PressurePattern,
    private readonly memory = TetraMemory.onHeap(),
  ) {
    this.starts = memory.share(pattern.starts);
    this.pairs = memory.share(pattern.pairs);
    this.values = memory.reals(pattern.columns.length);
    this.diagonal = memory.reals(rest.count);
    this.factors = new IncompleteCholesky(pattern.factors, rest.count, memory);
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
    return this.factors.factor(this.starts, this.values);
  }

  /** z = (L·Lᵀ)⁻¹·r. */
  solveFactors(r: Float64Array, z: Float64Array): void {
    this.factors.solve(r, z);
  }

  /** z = r over the diagonal of A; 1 where that is nothing. */
  divideByDiagonal(r: Float64Array, z: Float64Array): void {
    for (let k = 0; k < r.length; k++) z[k] = this.diagonal[k] > 0 ? r[k] / this.diagonal[k] : r[k];
  }
}
