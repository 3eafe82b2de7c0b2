// How the helper mesh answers to contact, in the space of the contacts alone: with A = LDLᵀ factored beforehand, the matrix with the
// stiffness of contact, A + Σ cᵢ nᵢnᵢᵀ at the helper vertices i that carry contacts, is solved by way of a small dense one (Woodbury's
// identity): A⁻¹ − A⁻¹N (C⁻¹ + NᵀA⁻¹N)⁻¹ NᵀA⁻¹. Where contacts are, and which way they push, changes without factoring A anew.
// Based on: [Hag89].

import { ContactTree } from './contact-tree.js';
import type { SolverRoom } from './solver-room.js';
import type { SparseFactor } from './sparse-factor.js';

/** Stiffnesses whose normals cancel to less than this share push nowhere. */
const CANCELLED = 1e-9;
/** Contacts for which the room has place, at most: 1200 take 12 MB and as many again. */
const MOST_RESERVED = 1200;

export class ContactResponse {
  private readonly tree: ContactTree;
  /** Room for a frame's arrays; frames that need more take it elsewhere, without kernels. */
  private readonly reserve: Float64Array;
  private taken = 0;
  private half: Float64Array = new Float64Array(0);
  /** EᵀA⁻¹E, E the unit vectors of the vertices: the lower half. */
  private inverse: Float64Array = new Float64Array(0);
  /** C⁻¹ + NᵀA⁻¹N, then its upper factor, and 1 over the factor's diagonal. */
  private dense: Float64Array = new Float64Array(0);
  private pivots: Float64Array = new Float64Array(0);
  private scaled: Float64Array = new Float64Array(0);
  /** x of all vertices, then y, then z. */
  private sums: Float64Array = new Float64Array(0);
  private z: Float64Array = new Float64Array(0);
  /** The vertices that contacts press at present, and their unit normals. */
  private active = new Uint32Array(0);
  private normals: Float64Array = new Float64Array(0);
  private activeCount = 0;

  constructor(
    private readonly factor: SparseFactor,
    private readonly room: SolverRoom,
  ) {
    this.tree = new ContactTree(factor.pattern);
    this.reserve = room.numbers(reserveFor(factor.pattern.count, factor.numberCount));
  }

  /** Bytes that it takes of a room. */
  static roomFor(count: number, factorNumbers: number): number {
    return 8 * reserveFor(count, factorNumbers) + 64;
  }

  /** Takes the helper vertices that may carry contacts in this frame: those with a mark. Costs about as much as factoring A. */
  reach(marks: Uint8Array): void {
    const { tree, factor } = this;
    tree.plant(marks);
    const m = tree.vertices.length;
    this.taken = 0;
    this.half = this.take(tree.size);
    this.inverse = this.take(m * m);
    this.dense = this.take(m * m);
    this.pivots = this.take(m);
    this.scaled = this.take(2 * Math.max(m, tree.widest));
    this.sums = this.take(3 * m);
    this.z = this.take(m);
    this.active = new Uint32Array(m);
    this.normals = new Float64Array(3 * m);
    this.activeCount = 0;
    tree.writeUnits(this.half);
    for (const node of tree.nodes) {
      this.spread(node, factor.panels);
      this.square(node);
    }
  }

  private take(count: number): Float64Array {
    const end = this.taken + count + (count % 2);
    if (end > this.reserve.length) return new Float64Array(count);
    const taken = this.reserve.subarray(this.taken, this.taken + count);
    this.taken = end;
    return taken.fill(0);
  }

  /** Finishes the supernode's rows of L⁻¹E and takes them out of the rows below. */
  private spread(node: number, panels: Float64Array): void {
    const { firsts, rowStarts, rows, panelStarts } = this.factor.pattern;
    const { tree, half } = this;
    const width = firsts[node + 1] - firsts[node];
    const height = rowStarts[node + 1] - rowStarts[node];
    const count = tree.counts[node];
    const start = tree.starts[node];
    const kernels = this.room.kernelsFor(half, panels);
    const base = half.byteOffset;
    const placeOf = (r: number): number => tree.placeOf(rows[rowStarts[node] + r], tree.lows[node]);
    for (let r = 1; r < height; r++) {
      const factors = panelStarts[node] + r * width;
      const used = Math.min(r, width);
      const to = placeOf(r);
      const from = panels.byteOffset + 8 * factors;
      if (kernels && r >= width && r + 1 < height) {
        const second = placeOf(++r);
        kernels.spreadPair(base + 8 * to, base + 8 * second, from, base + 8 * start, used, count, count);
      } else if (kernels) kernels.spreadHalf(base + 8 * to, from, base + 8 * start, used, count, count);
      else spreadHalf(half, to, panels, factors, half, start, used, count, count);
    }
  }

  /** Adds what the supernode has of EᵀA⁻¹E = (L⁻¹E)ᵀ D⁻¹ (L⁻¹E). */
  private square(node: number): void {
    const { firsts } = this.factor.pattern;
    const { inverses } = this.factor;
    const { tree, half, inverse, scaled } = this;
    const m = tree.vertices.length;
    const width = firsts[node + 1] - firsts[node];
    const count = tree.counts[node];
    const start = tree.starts[node];
    const out = tree.lows[node] * (m + 1);
    const kernels = this.room.kernelsFor(half, inverse, inverses, scaled);
    if (kernels) {
      const d = inverses.byteOffset + 8 * firsts[node];
      const [to, from] = [inverse.byteOffset + 8 * out, half.byteOffset + 8 * start];
      kernels.squareHalf(to, m, from, d, width, count, scaled.byteOffset);
      return;
    }
    for (let a = 0; a < count; a++) {
      for (let k = 0; k < width; k++) scaled[k] = -(inverses[firsts[node] + k] * half[start + k * count + a]);
      spreadHalf(inverse, out + a * m, scaled, 0, half, start, width, count, a + 1);
    }
  }

  /**
   * Takes the contacts' stiffness, per helper vertex, and the sums of stiffness × normal; false where rounding leaves no matrix to solve.
   * Vertices that were not marked are left out.
   */
  press(stiffness: Float64Array, pushes: Float64Array): boolean {
    const { active, normals, inverse, pivots, scaled } = this;
    const { vertices } = this.tree;
    const m = vertices.length;
    let n = 0;
    for (let v = 0; v < m; v++) {
      const i = vertices[v];
      const [x, y, z] = [pushes[3 * i], pushes[3 * i + 1], pushes[3 * i + 2]];
      const size = Math.sqrt(x * x + y * y + z * z);
      if (!(size > CANCELLED * stiffness[i])) continue;
      active[n] = v;
      normals[3 * n] = x / size;
      normals[3 * n + 1] = y / size;
      normals[3 * n + 2] = z / size;
      n++;
    }
    this.activeCount = n;
    const dense = this.dense.subarray(0, n * n);
    for (let i = 0; i < n; i++) {
      const [x, y, z] = [normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]];
      for (let j = i; j < n; j++) {
        const across = x * normals[3 * j] + y * normals[3 * j + 1] + z * normals[3 * j + 2];
        dense[i * n + j] = across * inverse[active[j] * m + active[i]];
      }
      dense[i * n + i] += 1 / stiffness[vertices[active[i]]];
    }
    const kernels = this.room.kernelsFor(dense, pivots, scaled);
    if (kernels) return kernels.factorDense(dense.byteOffset, n, pivots.byteOffset, scaled.byteOffset) !== 0;
    return factorDense(dense, n, pivots, scaled);
  }

  /** Solves with A and the contacts for three right sides, three numbers per helper vertex. */
  solve(b: Float64Array, out: Float64Array): void {
    this.factor.forward(b);
    if (this.activeCount > 0) this.correct();
    this.factor.backward(out);
  }

  /** Between the two halves of a solve with A, where x = D⁻¹L⁻¹b. */
  private correct(): void {
    const { firsts } = this.factor.pattern;
    const { x, inverses } = this.factor;
    const { tree, half, sums, active, normals, z, activeCount } = this;
    const m = tree.vertices.length;
    const kernels = this.room.kernelsFor(half, x, sums, inverses);
    sums.fill(0);
    for (const node of tree.nodes) {
      const [first, count, low, start] = [firsts[node], tree.counts[node], tree.lows[node], tree.starts[node]];
      const width = firsts[node + 1] - first;
      if (kernels) {
        const from = half.byteOffset + 8 * start;
        kernels.project(from, x.byteOffset + 32 * first, width, count, sums.byteOffset + 8 * low, m);
      } else project(half, start, x, 4 * first, width, count, sums, low, m);
    }
    for (let i = 0; i < activeCount; i++) {
      const v = active[i];
      z[i] = normals[3 * i] * sums[v] + normals[3 * i + 1] * sums[m + v] + normals[3 * i + 2] * sums[2 * m + v];
    }
    this.solveDense();
    sums.fill(0);
    for (let i = 0; i < activeCount; i++) {
      for (let k = 0; k < 3; k++) sums[k * m + active[i]] = normals[3 * i + k] * z[i];
    }
    for (const node of tree.nodes) {
      const [first, count, low, start] = [firsts[node], tree.counts[node], tree.lows[node], tree.starts[node]];
      const width = firsts[node + 1] - first;
      if (kernels) {
        const [from, d] = [half.byteOffset + 8 * start, inverses.byteOffset + 8 * first];
        kernels.addPulls(from, x.byteOffset + 32 * first, d, width, count, sums.byteOffset + 8 * low, m);
      } else addPulls(half, start, x, 4 * first, inverses, first, width, count, sums, low, m);
    }
  }

  private solveDense(): void {
    const { dense, pivots, z, activeCount: n } = this;
    const kernels = this.room.kernelsFor(dense, pivots, z);
    if (kernels) kernels.solveDense(dense.byteOffset, n, pivots.byteOffset, z.byteOffset);
    else solveDense(dense, n, pivots, z);
  }
}

const reserveFor = (count: number, factorNumbers: number): number => {
  const most = Math.min(MOST_RESERVED, count >> 1);
  return 3 * factorNumbers + 2 * most * (most + 5);
};

/** row[v] ← row[v] − Σ factors[k]·block[k][v] over `used` rows of the block, which are `stride` numbers apart. */
function spreadHalf(
  out: Float64Array,
  row: number,
  factors: Float64Array,
  first: number,
  block: Float64Array,
  start: number,
  used: number,
  stride: number,
  count: number,
): void {
  for (let k = 0, from = start; k < used; k++, from += stride) {
    const factor = factors[first + k];
    for (let v = 0; v < count; v++) out[row + v] -= factor * block[from + v];
  }
}

/** Upper factor U of a dense symmetric matrix, in place in its upper half: UᵀD⁻¹U, D the diagonal of U. */
function factorDense(matrix: Float64Array, n: number, pivots: Float64Array, scaled: Float64Array): boolean {
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) scaled[k] = pivots[k] * matrix[k * n + i];
    spreadHalf(matrix, i * n + i, scaled, 0, matrix, i, i, n, n - i);
    const pivot = matrix[i * n + i];
    if (!(pivot > 0 && pivot < Infinity)) return false;
    pivots[i] = 1 / pivot;
  }
  return true;
}

/** z ← (UᵀD⁻¹U)⁻¹ z; the sums of the way back are those of every second column. */
function solveDense(u: Float64Array, n: number, pivots: Float64Array, z: Float64Array): void {
  for (let i = 0; i < n; i++) {
    z[i] *= pivots[i];
    for (let j = i + 1; j < n; j++) z[j] -= z[i] * u[i * n + j];
  }
  for (let i = n - 1; i >= 0; i--) {
    const sums = [0, 0];
    for (let j = i + 1; j < n; j++) sums[(j - i - 1) % 2] += u[i * n + j] * z[j];
    z[i] -= pivots[i] * (sums[0] + sums[1]);
  }
}

/** sums ← sums + half × x for `rows` rows of x: x, y and z of the sums are `apart` numbers apart. */
function project(
  half: Float64Array,
  start: number,
  x: Float64Array,
  first: number,
  rows: number,
  count: number,
  sums: Float64Array,
  low: number,
  apart: number,
): void {
  for (let k = 0, h = start; k < rows; k++, h += count) {
    const [fx, fy, fz] = [x[first + 4 * k], x[first + 4 * k + 1], x[first + 4 * k + 2]];
    for (let v = 0; v < count; v++) {
      sums[low + v] += half[h + v] * fx;
      sums[low + apart + v] += half[h + v] * fy;
      sums[low + 2 * apart + v] += half[h + v] * fz;
    }
  }
}

/** x ← x − inverses × half × pulls for `rows` rows of x, in sums of the even and of the odd columns. */
function addPulls(
  half: Float64Array,
  start: number,
  x: Float64Array,
  first: number,
  inverses: Float64Array,
  firstInverse: number,
  rows: number,
  count: number,
  pulls: Float64Array,
  low: number,
  apart: number,
): void {
  for (let k = 0, h = start; k < rows; k++, h += count) {
    for (let c = 0; c < 3; c++) {
      const from = low + c * apart;
      let even = 0;
      let odd = 0;
      for (let v = 0; v < count; v += 2) even += half[h + v] * pulls[from + v];
      for (let v = 1; v < count; v += 2) odd += half[h + v] * pulls[from + v];
      x[first + 4 * k + c] -= inverses[firstInverse + k] * (even + odd);
    }
  }
}
