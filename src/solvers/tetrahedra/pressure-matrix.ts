// The pressure operator A = div P M⁻¹ divᵀ as a sparse matrix over two-rings: what its preconditioner is made of.

import type { ContactProjection } from './contact-projection.js';
import { orderElimination } from './elimination-order.js';
import { buildFactorPattern, type FactorPattern, IncompleteCholesky } from './incomplete-cholesky.js';
import { PAIRS } from './kernel-layout.js';
import { TetraMemory } from './memory.js';
import type { TetraRest } from './rest.js';
import type { RingOperator } from './ring-operator.js';
import { LARGE, performRuns } from './runs.js';

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

export function buildPressurePattern({ neighbours, count, tetraCount, mesh }: TetraRest): PressurePattern {
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
    factors: buildFactorPattern(
      starts,
      columns,
      orderElimination(mesh.positions, starts, columns, tetraCount >= LARGE),
    ),
  };
}

export class PressureMatrix {
  /** A over the pattern; links between nodes are left out. */
  readonly values: Float64Array;
  readonly diagonal: Float64Array;
  private readonly factors: IncompleteCholesky;
  private readonly starts: Uint32Array;
  private readonly pairStarts: Uint32Array;
  private readonly pairs: Uint32Array;
  private readonly ranges: Uint32Array;

  constructor(
    private readonly rest: TetraRest,
    pattern: PressurePattern,
    private readonly memory = TetraMemory.onHeap(),
  ) {
    this.starts = memory.share(pattern.starts);
    this.pairStarts = memory.share(pattern.pairStarts);
    this.pairs = memory.share(pattern.pairs);
    this.ranges = memory.share(rest.nodeRuns.ranges);
    this.values = memory.reals(pattern.columns.length);
    this.diagonal = memory.reals(rest.count);
    this.factors = new IncompleteCholesky(pattern.factors, rest.count, memory);
  }

  /** Fills A at the positions of the operator, under a projection. */
  assemble({ vectors: ringVectors, starts }: RingOperator, projection: ContactProjection): void {
    const { rest, values, pairs } = this;
    const { inverseMasses, held, heldCounts } = projection;
    const { kernels, team } = this.memory;
    if (team) {
      values.fill(0);
      const lists = [this.ranges, starts, this.pairStarts, pairs, ringVectors, inverseMasses, heldCounts, held, values];
      performRuns(
        team,
        PAIRS,
        rest.nodeRuns,
        lists.map(({ byteOffset }) => byteOffset),
      );
    } else if (kernels) {
      kernels.pressureMatrix(
        starts.byteOffset,
        this.pairStarts.byteOffset,
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
      const { ranges } = rest.nodeRuns;
      for (let r = 0; r < ranges.length; r += 2) {
        this.addPairs(ranges[r], ranges[r + 1], ringVectors, starts, projection);
      }
    }
    for (let k = 0; k < rest.count; k++) this.diagonal[k] = values[this.starts[k + 1] - 1];
  }

  /** What the velocities of the nodes from `first` to `end` have of it. */
  private addPairs(
    first: number,
    end: number,
    ringVectors: Float64Array,
    starts: Uint32Array,
    { inverseMasses, held, heldCounts }: ContactProjection,
  ): void {
    const { values, pairs } = this;
    let pair = this.pairStarts[first];
    for (let j = first; j < end; j++) {
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
