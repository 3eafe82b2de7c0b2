// LDLᵀ of a sparse symmetric positive definite matrix, supernode by supernode, and solutions for three right sides at once:
// the x, y and z of every vertex.
// Based on: [NP93], left-looking.

import { ANYWHERE, type SolverRoom } from './solver-room.js';
import type { SparsePattern } from './sparse-symbolic.js';

export class SparseFactor {
  /** The matrix: the lower half, where the factor's panels have it. Callers add to it at `slotOf`. */
  readonly matrix: Float64Array;
  readonly panels: Float64Array;
  private readonly diagonal: Float64Array;
  /** 1 over the diagonal D. */
  readonly inverses: Float64Array;
  /** Row of the panel at hand for each row of the matrix. */
  private readonly local: Uint32Array;
  /** Supernodes that still have to change each supernode: the first of a list, and the next in it. */
  private readonly head: Int32Array;
  private readonly next: Int32Array;
  /** The row at which each supernode goes on changing others. */
  private readonly resume: Uint32Array;
  /** A row times the diagonal, and the sums of its products with other rows. */
  private readonly scaled: Float64Array;
  private readonly sums: Float64Array;
  /** Right sides and solutions in the factor's order, four numbers per row, the last of which is nothing. */
  readonly x: Float64Array;
  /** The pattern's arrays, where kernels see them. */
  private readonly firsts: Uint32Array;
  private readonly rowStarts: Uint32Array;
  private readonly rows: Uint32Array;
  private readonly panelStarts: Uint32Array;
  private readonly places: Uint32Array;
  /** All supernodes. */
  private readonly nodes: Uint32Array;

  constructor(
    readonly pattern: SparsePattern,
    private readonly room: SolverRoom = ANYWHERE,
  ) {
    const { count, firsts, panelStarts } = pattern;
    const nodeCount = firsts.length - 1;
    const size = panelStarts[nodeCount];
    this.matrix = new Float64Array(size);
    this.panels = room.numbers(size);
    this.diagonal = new Float64Array(count);
    this.inverses = room.numbers(count);
    this.local = new Uint32Array(count);
    this.head = new Int32Array(nodeCount);
    this.next = new Int32Array(nodeCount);
    this.resume = new Uint32Array(nodeCount);
    let widest = 1;
    for (let node = 0; node < nodeCount; node++) widest = Math.max(widest, firsts[node + 1] - firsts[node]);
    this.sums = new Float64Array(count);
    this.scaled = new Float64Array(widest);
    this.x = room.numbers(4 * count);
    this.firsts = room.indices(firsts);
    this.rowStarts = room.indices(pattern.rowStarts);
    this.rows = room.indices(pattern.rows);
    this.panelStarts = room.indices(panelStarts);
    this.places = room.indices(pattern.places);
    this.nodes = room.indices(Uint32Array.from({ length: nodeCount }, (_, node) => node));
  }

  /** Numbers in the panels, zeros that columns share included. */
  get numberCount(): number {
    return this.panels.length;
  }

  /** Where in `matrix` the entry of two rows is; the pattern must have it. */
  slotOf(i: number, j: number): number {
    const { places, nodeOf, firsts, rowStarts, rows, panelStarts } = this.pattern;
    const column = Math.min(places[i], places[j]);
    const row = Math.max(places[i], places[j]);
    const node = nodeOf[column];
    let low = rowStarts[node];
    let high = rowStarts[node + 1] - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle] < row) low = middle + 1;
      else high = middle;
    }
    return panelStarts[node] + (low - rowStarts[node]) * (firsts[node + 1] - firsts[node]) + column - firsts[node];
  }

  /** Factors the matrix as it is now; false where it is not positive definite. */
  factor(): boolean {
    const { firsts, nodeOf, rowStarts, rows } = this.pattern;
    const { local, head, next, resume } = this;
    this.panels.set(this.matrix);
    head.fill(-1);
    for (let node = 0; node + 1 < firsts.length; node++) {
      const end = firsts[node + 1];
      const width = end - firsts[node];
      const rowStart = rowStarts[node];
      for (let r = rowStart; r < rowStarts[node + 1]; r++) local[rows[r]] = r - rowStart;
      for (let below = head[node]; below >= 0; ) {
        const following = next[below];
        const from = resume[below];
        let to = from;
        while (to < rowStarts[below + 1] && rows[to] < end) to++;
        this.subtract(below, from, to, node);
        this.enlist(below, to, nodeOf);
        below = following;
      }
      if (!this.factorPanel(node)) return false;
      this.enlist(node, rowStart + width, nodeOf);
    }
    return true;
  }

  /** Puts a supernode on the list of the one that its row `at` belongs to. */
  private enlist(node: number, at: number, nodeOf: Uint32Array): void {
    const { rows, rowStarts } = this.pattern;
    this.resume[node] = at;
    if (at >= rowStarts[node + 1]) return;
    const target = nodeOf[rows[at]];
    this.next[node] = this.head[target];
    this.head[target] = node;
  }

  /** Takes what the finished supernode `below` has in the columns of its rows from…to out of the panel of `node`. */
  private subtract(below: number, from: number, to: number, node: number): void {
    const { firsts, rowStarts, rows, panelStarts } = this.pattern;
    const { panels, diagonal, local, scaled, sums } = this;
    const first = firsts[below];
    const width = firsts[below + 1] - first;
    const base = panelStarts[below] - rowStarts[below] * width;
    const target = panelStarts[node];
    const targetWidth = firsts[node + 1] - firsts[node];
    const end = rowStarts[below + 1];
    for (let c = from; c < to; c++) {
      const at = base + c * width;
      for (let k = 0; k < width; k++) scaled[k] = diagonal[first + k] * panels[at + k];
      this.project(at, width, width, end - c);
      const column = target + rows[c] - firsts[node];
      for (let r = c; r < end; r++) panels[column + local[rows[r]] * targetWidth] -= sums[r - c];
    }
  }

  /**
   * Sums over `used` columns of `scaled` × rows of a panel, from the row that begins at `start`. Four rows at a time: their sums do
   * not wait for each other.
   */
  private project(start: number, width: number, used: number, rowCount: number): void {
    const { panels, scaled, sums } = this;
    let row = 0;
    let p = start;
    for (; row + 3 < rowCount; row += 4, p += 4 * width) {
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let k = 0, p0 = p, p1 = p + width, p2 = p1 + width, p3 = p2 + width; k < used; k++) {
        const factor = scaled[k];
        s0 += factor * panels[p0 + k];
        s1 += factor * panels[p1 + k];
        s2 += factor * panels[p2 + k];
        s3 += factor * panels[p3 + k];
      }
      sums[row] = s0;
      sums[row + 1] = s1;
      sums[row + 2] = s2;
      sums[row + 3] = s3;
    }
    for (; row < rowCount; row++, p += width) {
      let sum = 0;
      for (let k = 0; k < used; k++) sum += scaled[k] * panels[p + k];
      sums[row] = sum;
    }
  }

  /** Dense LDLᵀ of a panel's square top, applied to all its rows. */
  private factorPanel(node: number): boolean {
    const { firsts, rowStarts, panelStarts } = this.pattern;
    const { panels, diagonal, inverses, scaled, sums } = this;
    const first = firsts[node];
    const width = firsts[node + 1] - first;
    const start = panelStarts[node];
    const height = rowStarts[node + 1] - rowStarts[node];
    for (let c = 0; c < width; c++) {
      const at = start + c * width;
      for (let k = 0; k < c; k++) scaled[k] = diagonal[first + k] * panels[at + k];
      this.project(at, width, c, height - c);
      const pivot = panels[at + c] - sums[0];
      if (!(pivot > 0 && pivot < Infinity)) return false;
      diagonal[first + c] = pivot;
      const inverse = 1 / pivot;
      inverses[first + c] = inverse;
      for (let r = c + 1, p = start + r * width + c; r < height; r++, p += width) {
        panels[p] = (panels[p] - sums[r - c]) * inverse;
      }
    }
    return true;
  }

  /** Bytes that a factor takes of a room. */
  static roomFor({ count, firsts, rows, panelStarts }: SparsePattern): number {
    return 8 * (panelStarts[firsts.length - 1] + 5 * count) + 4 * (rows.length + 4 * firsts.length + count) + 128;
  }

  /** Solves for three right sides: `b` and `out` hold three numbers per row and may be the same array. */
  solve(b: Float64Array, out: Float64Array): void {
    this.forward(b);
    this.backward(out);
  }

  /** x = D⁻¹ L⁻¹ b */
  forward(b: Float64Array): void {
    const { count } = this.pattern;
    const { x, inverses, places } = this;
    const kernels = this.room.kernelsFor(x, b);
    if (kernels) kernels.takeRows(count, places.byteOffset, b.byteOffset, x.byteOffset);
    else for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) x[4 * places[i] + k] = b[3 * i + k];
    this.substituteUp('forward', this.nodes, this.nodes.length, x);
    const scaler = this.room.kernelsFor(x);
    if (scaler) scaler.scaleRows(count, inverses.byteOffset, x.byteOffset);
    else for (let i = 0; i < count; i++) for (let k = 4 * i; k < 4 * i + 3; k++) x[k] *= inverses[i];
  }

  /** out = L⁻ᵀ x */
  backward(out: Float64Array): void {
    const { count } = this.pattern;
    const { x, places } = this;
    this.substituteUp('backward', this.nodes, this.nodes.length, x);
    const kernels = this.room.kernelsFor(x, out);
    if (kernels) kernels.giveRows(count, places.byteOffset, x.byteOffset, out.byteOffset);
    else for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = x[4 * places[i] + k];
  }

  /** Rows of some supernodes: `to` ← x. */
  copyRows(nodes: Uint32Array, count: number, to: Float64Array): void {
    const { firsts, x } = this;
    const kernels = this.room.kernelsFor(nodes, x, to);
    if (kernels) kernels.copyRows(count, nodes.byteOffset, firsts.byteOffset, x.byteOffset, to.byteOffset);
    else
      for (let n = 0; n < count; n++)
        for (let i = 4 * firsts[nodes[n]]; i < 4 * firsts[nodes[n] + 1]; i++) to[i] = x[i];
  }

  /** Rows of some supernodes: `to` ← 0. */
  clearRows(nodes: Uint32Array, count: number, to: Float64Array): void {
    const { firsts } = this;
    const kernels = this.room.kernelsFor(nodes, to);
    if (kernels) kernels.clearRows(count, nodes.byteOffset, firsts.byteOffset, to.byteOffset);
    else for (let n = 0; n < count; n++) to.fill(0, 4 * firsts[nodes[n]], 4 * firsts[nodes[n] + 1]);
  }

  /** Rows of some supernodes: x ← x − D⁻¹ part. */
  subtractRows(nodes: Uint32Array, count: number, part: Float64Array): void {
    const { firsts, inverses, x } = this;
    const kernels = this.room.kernelsFor(nodes, part, x);
    if (kernels) {
      const [a, b, c] = [nodes.byteOffset, firsts.byteOffset, inverses.byteOffset];
      kernels.subtractRows(count, a, b, c, part.byteOffset, x.byteOffset);
      return;
    }
    for (let n = 0; n < count; n++) {
      for (let row = firsts[nodes[n]]; row < firsts[nodes[n] + 1]; row++) {
        for (let k = 4 * row; k < 4 * row + 3; k++) x[k] -= inverses[row] * part[k];
      }
    }
  }

  /**
   * x ← L⁻¹ x, or L⁻ᵀ x, at some supernodes with all that are above them in the elimination tree, ascending: rows of other
   * supernodes are neither read nor written. Four numbers per row.
   */
  substituteUp(way: 'forward' | 'backward', nodes: Uint32Array, count: number, x: Float64Array): void {
    const { firsts, rowStarts, rows, panelStarts, panels } = this;
    const kernels = this.room.kernelsFor(panels, x, nodes);
    if (kernels) {
      const [a, b, c, d] = [firsts.byteOffset, rowStarts.byteOffset, rows.byteOffset, panelStarts.byteOffset];
      kernels[way](count, nodes.byteOffset, a, b, c, d, panels.byteOffset, x.byteOffset);
    } else if (way === 'forward') for (let n = 0; n < count; n++) this.eliminate(nodes[n], x);
    else for (let n = count - 1; n >= 0; n--) this.substitute(nodes[n], x);
  }

  /** x ← L⁻¹ x, for the columns of a supernode: its triangle row by row, then sums for the rows below. */
  private eliminate(node: number, x: Float64Array): void {
    const { firsts, rowStarts, rows, panelStarts } = this.pattern;
    const { panels } = this;
    const first = 4 * firsts[node];
    const width = firsts[node + 1] - firsts[node];
    let p = panelStarts[node];
    for (let r = 0; r < width; r++, p += width) {
      for (let k = 0; k < r; k++) subtractRow(x, first + 4 * r, panels[p + k], first + 4 * k);
    }
    for (let r = rowStarts[node] + width; r < rowStarts[node + 1]; r++, p += width) {
      let [sx, sy, sz] = [0, 0, 0];
      for (let k = 0, c = first; k < width; k++, c += 4) {
        sx += panels[p + k] * x[c];
        sy += panels[p + k] * x[c + 1];
        sz += panels[p + k] * x[c + 2];
      }
      const row = 4 * rows[r];
      x[row] -= sx;
      x[row + 1] -= sy;
      x[row + 2] -= sz;
    }
  }

  /** x ← L⁻ᵀ x, for the columns of a supernode: the rows below one after the other, then its triangle. */
  private substitute(node: number, x: Float64Array): void {
    const { firsts, rowStarts, rows, panelStarts } = this.pattern;
    const { panels } = this;
    const first = 4 * firsts[node];
    const width = firsts[node + 1] - firsts[node];
    const start = panelStarts[node];
    let p = start + width * width;
    for (let r = rowStarts[node] + width; r < rowStarts[node + 1]; r++, p += width) {
      for (let k = 0; k < width; k++) subtractRow(x, first + 4 * k, panels[p + k], 4 * rows[r]);
    }
    for (let r = width - 1; r > 0; r--) {
      for (let k = 0; k < r; k++) subtractRow(x, first + 4 * k, panels[start + r * width + k], first + 4 * r);
    }
  }
}

/** The row at `to` ← itself − factor × the row at `from`. */
function subtractRow(x: Float64Array, to: number, factor: number, from: number): void {
  x[to] -= factor * x[from];
  x[to + 1] -= factor * x[from + 1];
  x[to + 2] -= factor * x[from + 2];
}
