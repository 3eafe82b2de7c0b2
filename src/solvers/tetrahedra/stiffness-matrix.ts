// The elastic system as a symmetric matrix of 3×3 blocks over neighbouring nodes: the upper half is kept, diagonal first.

import { ROWS } from './kernel-layout.js';
import { TetraMemory } from './memory.js';
import type { TetraRest } from './rest.js';
import { performRuns, type Runs } from './runs.js';

/** Corners of the ten pairs of a tetrahedron, in the order of `slots`. */
export const PAIRS: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 3],
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
];

export class StiffnessMatrix {
  /** Row n is `columns[starts[n] … starts[n + 1]]`, ascending from n itself. */
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  /** Blocks row by row, 9 numbers each. */
  readonly values: Float64Array;
  /** For each pair of corners of each tetrahedron twice the place of its block; odd where it is kept transposed. */
  readonly slots: Uint32Array;
  private readonly count: number;
  private readonly runs: Runs;
  private readonly ranges: Uint32Array;

  constructor(
    rest: TetraRest,
    private readonly memory = TetraMemory.onHeap(),
  ) {
    const { starts: all, columns, slots } = rest.neighbours;
    const { tetrahedra } = rest.mesh;
    this.count = rest.count;
    const starts = new Uint32Array(rest.count + 1);
    // How far a block's place among all is from its place in the upper half, by its row.
    const shifts = new Int32Array(rest.count);
    const upper = new Uint32Array((columns.length + rest.count) / 2);
    for (let n = 0; n < rest.count; n++) {
      let s = all[n];
      while (columns[s] !== n) s++;
      shifts[n] = starts[n] - s;
      starts[n + 1] = starts[n] + all[n + 1] - s;
      upper.set(columns.subarray(s, all[n + 1]), starts[n]);
    }
    const places = new Uint32Array(10 * rest.tetraCount);
    for (let t = 0, to = 0; t < rest.tetraCount; t++) {
      for (let pair = 0; pair < 10; pair++, to++) {
        const [a, b] = PAIRS[pair];
        const [row, column] = [tetrahedra[4 * t + a], tetrahedra[4 * t + b]];
        places[to] =
          row <= column
            ? 2 * (slots[16 * t + 4 * a + b] + shifts[row])
            : 2 * (slots[16 * t + 4 * b + a] + shifts[column]) + 1;
      }
    }
    this.runs = rest.nodeRuns;
    this.ranges = memory.share(this.runs.ranges);
    this.starts = memory.share(starts);
    this.columns = memory.share(upper);
    this.slots = memory.share(places);
    this.values = memory.reals(9 * upper.length);
  }

  /** Adds the block of a pair of a tetrahedron's corners, row by row from `at`. */
  add(t: number, pair: number, block: ArrayLike<number>, at = 0): void {
    const { values } = this;
    const slot = this.slots[10 * t + pair];
    const to = 9 * (slot >> 1);
    if (slot & 1) {
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) values[to + 3 * j + i] += block[at + 3 * i + j];
    } else for (let k = 0; k < 9; k++) values[to + k] += block[at + k];
  }

  /** y = A·x. */
  multiply(x: Float64Array, y: Float64Array): void {
    const { starts, columns, values, count, runs } = this;
    const { kernels, team } = this.memory;
    const [rows, across] = [starts.byteOffset, columns.byteOffset];
    if (team) {
      y.fill(0);
      const words = [this.ranges.byteOffset, rows, across, values.byteOffset, x.byteOffset, y.byteOffset];
      performRuns(team, ROWS, runs, words);
      return;
    }
    if (kernels) {
      kernels.multiplyBlocks(rows, across, values.byteOffset, count, x.byteOffset, y.byteOffset);
      return;
    }
    y.fill(0);
    const { ranges } = runs;
    for (let r = 0; r < ranges.length; r += 2) this.multiplyRows(ranges[r], ranges[r + 1], x, y);
  }

  private multiplyRows(first: number, end: number, x: Float64Array, y: Float64Array): void {
    const { starts, columns, values } = this;
    for (let n = first; n < end; n++) {
      const [k, at] = [3 * n, 9 * starts[n]];
      const [p, q, r] = [x[k], x[k + 1], x[k + 2]];
      let a = values[at] * p + values[at + 1] * q + values[at + 2] * r;
      let b = values[at + 3] * p + values[at + 4] * q + values[at + 5] * r;
      let c = values[at + 6] * p + values[at + 7] * q + values[at + 8] * r;
      for (let s = starts[n] + 1; s < starts[n + 1]; s++) {
        const m = 3 * columns[s];
        const o = 9 * s;
        const [u, v, w] = [x[m], x[m + 1], x[m + 2]];
        a += values[o] * u + values[o + 1] * v + values[o + 2] * w;
        b += values[o + 3] * u + values[o + 4] * v + values[o + 5] * w;
        c += values[o + 6] * u + values[o + 7] * v + values[o + 8] * w;
        y[m] += values[o] * p + values[o + 3] * q + values[o + 6] * r;
        y[m + 1] += values[o + 1] * p + values[o + 4] * q + values[o + 7] * r;
        y[m + 2] += values[o + 2] * p + values[o + 5] * q + values[o + 8] * r;
      }
      y[k] += a;
      y[k + 1] += b;
      y[k + 2] += c;
    }
  }

  /** Adds inertia·M for masses [kg] of the nodes. */
  addMasses(masses: Float64Array, inertia: number): void {
    const { values, starts, count } = this;
    for (let n = 0; n < count; n++) {
      for (let k = 9 * starts[n]; k < 9 * starts[n] + 9; k += 4) values[k] += masses[n] * inertia;
    }
  }
}
