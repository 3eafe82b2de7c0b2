// Which rows of L⁻¹E are not zero, for the unit vectors E of some vertices: those of the supernodes above them in the elimination tree.
// In the tree's postorder the vertices below a supernode follow each other, so that its rows are one dense block.

import type { SparsePattern } from './sparse-symbolic.js';

export class ContactTree {
  /** The vertices, in the factor's order. */
  vertices: Uint32Array = new Uint32Array(0);
  /** The supernodes above any of them, ascending. */
  nodes: Uint32Array = new Uint32Array(0);
  /** For each supernode the first vertex below it, how many there are, and where its block begins: a row per column, a number per vertex. */
  readonly lows: Uint32Array;
  readonly counts: Uint32Array;
  readonly starts: Uint32Array;
  /** Numbers in all blocks, and columns of the widest supernode. */
  size = 0;
  readonly widest: number;
  private readonly back: Uint32Array;

  constructor(private readonly pattern: SparsePattern) {
    const { firsts, places, count } = pattern;
    const nodeCount = firsts.length - 1;
    this.lows = new Uint32Array(nodeCount);
    this.counts = new Uint32Array(nodeCount);
    this.starts = new Uint32Array(nodeCount);
    this.back = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.back[places[i]] = i;
    let widest = 0;
    for (let node = 0; node < nodeCount; node++) widest = Math.max(widest, firsts[node + 1] - firsts[node]);
    this.widest = widest;
  }

  /** Takes the vertices that have a mark. */
  plant(marks: Uint8Array): void {
    const { firsts, rowStarts, rows, nodeOf } = this.pattern;
    const { lows, counts, starts } = this;
    this.vertices = this.back.filter((vertex) => marks[vertex] !== 0);
    const highs = new Uint32Array(counts.length);
    lows.fill(this.vertices.length);
    this.vertices.forEach((vertex, v) => {
      const node = nodeOf[this.pattern.places[vertex]];
      lows[node] = Math.min(lows[node], v);
      highs[node] = v + 1;
    });
    this.size = 0;
    for (let node = 0; node < counts.length; node++) {
      counts[node] = Math.max(0, highs[node] - lows[node]);
      if (counts[node] === 0) continue;
      starts[node] = this.size;
      const width = firsts[node + 1] - firsts[node];
      this.size += counts[node] * width;
      const below = rowStarts[node] + width;
      if (below === rowStarts[node + 1]) continue;
      const parent = nodeOf[rows[below]];
      lows[parent] = Math.min(lows[parent], lows[node]);
      highs[parent] = Math.max(highs[parent], highs[node]);
    }
    this.nodes = Uint32Array.from(counts.keys()).filter((node) => counts[node] > 0);
  }

  /** Where in the blocks the number of a row of the factor and a vertex is. */
  placeOf(row: number, v: number): number {
    const { firsts, nodeOf } = this.pattern;
    const node = nodeOf[row];
    return this.starts[node] + (row - firsts[node]) * this.counts[node] + v - this.lows[node];
  }

  /** E itself. */
  writeUnits(half: Float64Array): void {
    this.vertices.forEach((vertex, v) => {
      half[this.placeOf(this.pattern.places[vertex], v)] = 1;
    });
  }
}
