// Incomplete Cholesky factors of the pressure matrix over its own pattern, in single precision: they only precondition. Rows are filled
// up to fours with entries of nothing, and kept a second time by columns, so that both sweeps are sums over rows.
// Based on: J. Meijerink, H. van der Vorst, An iterative solution method for linear systems of which the coefficient matrix
// is a symmetric M-matrix, 1977.

import type { KernelTeam } from '../../kernels/kernel-team.js';
import type { EliminationOrder } from './elimination-order.js';
import { BACKWARD, FACTOR, FORWARD, MIRRORED } from './kernel-layout.js';
import { TetraMemory } from './memory.js';
import { EMPTY, LEAST_PIVOT } from './tuning.js';

/**
 * The diagonal is raised by this before it is factored. With 0.1 % hundreds of pivots fail on ten thousand tetrahedra, and
 * the solve seems to converge at once. Where pivots fail all the same, the next one is tried. In a ball of 4296 that lies on a floor
 * 2 % fails in every other step, 6 % in one of six, and takes no more iterations (28.3 a step).
 */
const SHIFTS = [0.06, 0.2];

const { fround } = Math;

/** Entries of a task. */
const ENTRY_CHUNK = 16384;

/** Rows without their diagonals, each of a multiple of four entries. */
interface Rows {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
}

/** Where factors lie: shared by all copies of a body. */
export interface FactorPattern {
  /** Nodes in the order in which they are eliminated; places of rows and columns are in this order. */
  readonly order: Uint32Array;
  readonly lower: Rows;
  readonly upper: Rows;
  /** Ends of the chains: rows of the first two need nothing of each other, those of the last need both. One chain where a body is small. */
  readonly chains: Uint32Array;
  /** For each entry of the lower rows, its place in the matrix and in the upper rows; for those that fill rows up, behind both. */
  readonly sources: Uint32Array;
  readonly mirror: Uint32Array;
  /** For each entry of the lower rows, the places of its column's row that its own row has columns in common with: first and end. */
  readonly spans: Uint32Array;
}

/** For a matrix whose lower triangle has these rows, ascending, diagonal last. */
export function buildFactorPattern(
  starts: Uint32Array,
  columns: Uint32Array,
  { order, chains }: EliminationOrder,
): FactorPattern {
  const count = order.length;
  const places = new Uint32Array(count);
  order.forEach((node, k) => {
    places[node] = k;
  });
  const rows = Array.from({ length: count }, (): [column: number, source: number][] => []);
  const sizes = new Uint32Array(count);
  for (let node = 0; node < count; node++) {
    for (let s = starts[node]; s < starts[node + 1] - 1; s++) {
      const [a, b] = [places[node], places[columns[s]]];
      rows[Math.max(a, b)].push([Math.min(a, b), s]);
      sizes[Math.min(a, b)]++;
    }
  }
  const lower = padded(Uint32Array.from(rows, (row) => row.length));
  const upper = padded(sizes);
  const next = upper.starts.slice();
  const sources = new Uint32Array(lower.columns.length).fill(columns.length);
  const mirror = new Uint32Array(lower.columns.length).fill(upper.columns.length);
  rows.forEach((row, k) => {
    row.sort((a, b) => a[0] - b[0]);
    row.forEach(([column, source], i) => {
      const s = lower.starts[k] + i;
      lower.columns[s] = column;
      sources[s] = source;
      mirror[s] = next[column]++;
      upper.columns[mirror[s]] = k;
    });
  });
  return { order, chains, lower, upper, sources, mirror, spans: spansOf(lower, sources, columns.length) };
}

/** In fours, as rows are summed; entries that fill rows up, from `filled` on, have none. */
function spansOf({ starts, columns }: Rows, sources: Uint32Array, filled: number): Uint32Array {
  const spans = new Uint32Array(2 * columns.length);
  const rowOf = new Int32Array(starts.length - 1).fill(-1);
  for (let k = 0; k < rowOf.length; k++) {
    for (let s = starts[k]; s < starts[k + 1] && sources[s] < filled; s++) {
      const l = columns[s];
      let [first, end] = [starts[l], starts[l]];
      for (let t = starts[l]; t < starts[l + 1] && sources[t] < filled; t++) {
        if (rowOf[columns[t]] !== k) continue;
        if (end === starts[l]) first = t - (t % 4);
        end = t - (t % 4) + 4;
      }
      spans[2 * s] = first;
      spans[2 * s + 1] = end;
      rowOf[l] = k;
    }
  }
  return spans;
}

function padded(sizes: Uint32Array): Rows {
  const starts = new Uint32Array(sizes.length + 1);
  for (let k = 0; k < sizes.length; k++) starts[k + 1] = starts[k] + 4 * Math.ceil(sizes[k] / 4);
  return { starts, columns: new Uint32Array(starts[sizes.length]) };
}

export class IncompleteCholesky {
  /** L without its diagonal by rows and by columns; and the inverses of that. */
  private readonly byRow: Float32Array;
  private readonly byColumn: Float32Array;
  private readonly inverses: Float32Array;
  /** One row of L at its columns, for each chain; zeros between rows. */
  private readonly row: Float32Array;
  private readonly result: Float32Array;
  private readonly lower: Rows;
  private readonly upper: Rows;
  private readonly order: Uint32Array;
  private readonly sources: Uint32Array;
  private readonly mirror: Uint32Array;
  private readonly spans: Uint32Array;
  private readonly chains: Uint32Array;
  /** Whether each chain was factored. */
  private readonly factored: Uint32Array;

  constructor(
    { order, chains, lower, upper, sources, mirror, spans }: FactorPattern,
    private readonly count: number,
    private readonly memory = TetraMemory.onHeap(),
  ) {
    const share = ({ starts, columns }: Rows) => ({ starts: memory.share(starts), columns: memory.share(columns) });
    [this.lower, this.upper] = [share(lower), share(upper)];
    [this.order, this.sources, this.mirror] = [memory.share(order), memory.share(sources), memory.share(mirror)];
    this.spans = memory.share(spans);
    this.byRow = memory.singles(lower.columns.length);
    this.byColumn = memory.singles(upper.columns.length + 1);
    [this.inverses, this.result] = [memory.singles(count), memory.singles(count)];
    this.row = memory.singles((chains.length - 1) * count);
    this.chains = memory.share(chains);
    this.factored = memory.wholes(chains.length - 1);
  }

  /** L·Lᵀ of a matrix by the rows of its lower triangle, diagonal last; false where a pivot fails. */
  factor(starts: Uint32Array, values: Float64Array): boolean {
    let mean = 0;
    for (let k = 0; k < this.count; k++) mean += values[starts[k + 1] - 1] / this.count;
    return SHIFTS.some((shift) => this.factorShifted(starts, values, shift, mean));
  }

  /** Rows of zeros get a pivot of their own. */
  private factorShifted(starts: Uint32Array, values: Float64Array, shift: number, mean: number): boolean {
    const { byRow, byColumn, inverses, row, lower, order, sources, spans, mirror, count } = this;
    const { kernels, team } = this.memory;
    if (team) return this.factorChains(team, starts, values, [shift, mean]);
    if (kernels) {
      const isFactored = kernels.factor(
        order.byteOffset,
        starts.byteOffset,
        values.byteOffset,
        values.length,
        lower.starts.byteOffset,
        lower.columns.byteOffset,
        sources.byteOffset,
        spans.byteOffset,
        mirror.byteOffset,
        byRow.byteOffset,
        byColumn.byteOffset,
        inverses.byteOffset,
        row.byteOffset,
        count,
        shift,
        mean,
      );
      return isFactored !== 0;
    }
    for (let k = 0; k < count; k++) {
      const [first, end] = [lower.starts[k], lower.starts[k + 1]];
      const diagonal = values[starts[order[k] + 1] - 1];
      let pivot = fround(diagonal * (1 + shift));
      const isEmpty = !(diagonal > EMPTY * mean);
      for (let s = first; s < end && sources[s] < values.length; s++) {
        const l = lower.columns[s];
        // Columns that row k does not have are zeros in `row`.
        const sum = rowDot(lower, byRow, row, l);
        const value = fround(values[sources[s]]);
        const entry = isEmpty ? 0 : fround(fround(value - sum) * inverses[l]);
        byRow[s] = entry;
        row[l] = entry;
        pivot = fround(pivot - fround(entry * entry));
      }
      for (let s = first; s < end; s++) row[lower.columns[s]] = 0;
      if (isEmpty) pivot = fround(mean > 0 ? mean : 1);
      else if (!(pivot > LEAST_PIVOT * diagonal)) return false;
      inverses[k] = fround(1 / fround(Math.sqrt(pivot)));
    }
    for (let s = 0; s < mirror.length; s++) byColumn[mirror[s]] = byRow[s];
    return true;
  }

  private factorChains(
    team: KernelTeam,
    starts: Uint32Array,
    values: Float64Array,
    shiftAndMean: readonly number[],
  ): boolean {
    const { byRow, byColumn, inverses, row, lower, order, sources, mirror, count, chains, factored } = this;
    const matrix = [order.byteOffset, starts.byteOffset, values.byteOffset, values.length];
    const lists = [lower.starts, lower.columns, sources, byRow, inverses, factored, row];
    const words = [
      chains.byteOffset,
      0,
      ...matrix,
      ...lists.map(({ byteOffset }) => byteOffset),
      count,
      this.spans.byteOffset,
    ];
    team.perform(FACTOR, 0, 2, words, shiftAndMean);
    if (!factored[0] || !factored[1]) return false;
    team.perform(FACTOR, 2, 3, words, shiftAndMean);
    if (!factored[2]) return false;
    const copied = [mirror.byteOffset, byRow.byteOffset, byColumn.byteOffset];
    team.performChunks(MIRRORED, ENTRY_CHUNK, mirror.length, copied);
    return true;
  }

  /** z = (L·Lᵀ)⁻¹·r. */
  solve(r: Float64Array, z: Float64Array): void {
    const { byRow, byColumn, inverses, result, lower, upper, order, count } = this;
    const { kernels, team } = this.memory;
    if (team) {
      const lists = [
        order,
        lower.starts,
        lower.columns,
        byRow,
        upper.starts,
        upper.columns,
        inverses,
        r,
        result,
        byColumn,
        z,
      ];
      const words = [this.chains.byteOffset, 0, ...lists.map(({ byteOffset }) => byteOffset)];
      team.perform(FORWARD, 0, 2, words);
      team.perform(FORWARD, 2, 3, words);
      team.perform(BACKWARD, 2, 3, words);
      team.perform(BACKWARD, 0, 2, words);
      return;
    }
    if (kernels) {
      kernels.solveFactors(
        order.byteOffset,
        lower.starts.byteOffset,
        lower.columns.byteOffset,
        byRow.byteOffset,
        upper.starts.byteOffset,
        upper.columns.byteOffset,
        byColumn.byteOffset,
        inverses.byteOffset,
        r.byteOffset,
        result.byteOffset,
        z.byteOffset,
        count,
      );
      return;
    }
    for (let k = 0; k < count; k++) {
      result[k] = fround(fround(fround(r[order[k]]) - rowDot(lower, byRow, result, k)) * inverses[k]);
    }
    for (let k = count - 1; k >= 0; k--) {
      result[k] = fround(fround(result[k] - rowDot(upper, byColumn, result, k)) * inverses[k]);
      z[order[k]] = result[k];
    }
  }
}

/** Σ values·x over a row, in four sums. */
function rowDot({ starts, columns }: Rows, values: Float32Array, x: Float32Array, row: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let s = starts[row]; s < starts[row + 1]; s += 4) {
    a = fround(a + fround(values[s] * x[columns[s]]));
    b = fround(b + fround(values[s + 1] * x[columns[s + 1]]));
    c = fround(c + fround(values[s + 2] * x[columns[s + 2]]));
    d = fround(d + fround(values[s + 3] * x[columns[s + 3]]));
  }
  return fround(fround(a + b) + fround(c + d));
}
