// How the helper mesh answers to contact, in the space of the contacts alone: with A = LDLᵀ factored beforehand, the matrix with the
// stiffness of contact, A + Σ cᵢ nᵢnᵢᵀ at the helper vertices i that carry contacts, is solved by way of a small dense one (Woodbury's
// identity): A⁻¹ − A⁻¹N (C⁻¹ + NᵀA⁻¹N)⁻¹ NᵀA⁻¹. Where contacts are, and which way they push, changes without factoring A anew.
// Based on: [Hag89].

import { InverseColumns } from './inverse-columns.js';
import type { SolverRoom } from './solver-room.js';
import type { SparseFactor } from './sparse-factor.js';

/** Stiffnesses whose normals cancel to less than this share push nowhere. */
const CANCELLED = 1e-9;
/** Contacts whose stiffness and normal have changed by less than this since they were pressed are as they were. */
const NEAR_RATIO = 1.3;
const NEAR_COSINE = 0.9975;
/** Contacts for which the room has place, at most: 1200 take 12 MB. Frames with more take it elsewhere, without kernels. */
const MOST_RESERVED = 1200;

export class ContactResponse {
  private readonly columns: InverseColumns;
  /** C⁻¹ + NᵀA⁻¹N, then its upper factor; 1 over the factor's diagonal; room for factoring; right sides and solutions. */
  private dense: Float64Array;
  private pivots: Float64Array;
  private scaled: Float64Array;
  private z: Float64Array;
  /** The vertices that contacts press at present, by their number among the columns', and their unit normals. */
  private readonly active: Uint32Array;
  private readonly normals: Float64Array;
  private readonly stiffnesses: Float64Array;
  private activeCount = 0;
  /** The same for what is asked for next. */
  private readonly chosen: {
    readonly active: Uint32Array;
    readonly normals: Float64Array;
    readonly stiffnesses: Float64Array;
  };
  private diagonal: Float64Array = new Float64Array(0);
  /** The supernodes above them in the elimination tree, ascending: all that their rows of a solution need. */
  private readonly nodes: Uint32Array;
  private nodeCount = 0;
  private readonly isAbove: Uint8Array;
  /** Rows of a solution at those supernodes, four numbers each as in the factor's own. */
  private readonly part: Float64Array;

  /** @param carriers the helper vertices that carry the surface. */
  constructor(
    private readonly factor: SparseFactor,
    carriers: Uint32Array,
    private readonly room: SolverRoom,
  ) {
    const { count, firsts } = factor.pattern;
    this.columns = new InverseColumns(factor, carriers);
    const most = mostReserved(count);
    this.dense = room.numbers(most * most);
    this.pivots = room.numbers(most);
    this.scaled = room.numbers(2 * most);
    this.z = room.numbers(most);
    this.active = new Uint32Array(this.columns.vertices.length);
    this.normals = new Float64Array(3 * this.active.length);
    this.stiffnesses = new Float64Array(this.active.length);
    this.chosen = {
      active: this.active.slice(),
      normals: this.normals.slice(),
      stiffnesses: this.stiffnesses.slice(),
    };
    this.nodes = room.indices(new Uint32Array(firsts.length - 1));
    this.isAbove = new Uint8Array(firsts.length - 1);
    this.part = room.numbers(4 * count);
  }

  /** Bytes that it takes of a room. */
  static roomFor(count: number, nodeCount: number): number {
    const most = mostReserved(count);
    return 8 * (most * (most + 4) + 4 * count) + 4 * nodeCount + 128;
  }

  /** To be called when A has changed. @param diagonal of A. */
  forget(diagonal: Float64Array): void {
    this.columns.forget();
    this.diagonal = diagonal;
    this.activeCount = 0;
  }

  /**
   * Takes the contacts' stiffness, per helper vertex, and the sums of stiffness × normal. Those below `least` times A's own diagonal are left
   * to the descent. With `keep` contacts that are nearly what they were change nothing: false.
   */
  press(stiffness: Float64Array, pushes: Float64Array, least = 0, keep = false): boolean {
    const n = this.choose(stiffness, pushes, least);
    const { active, normals, stiffnesses, chosen } = this;
    if (keep && n === this.activeCount && this.isNear(n)) return false;
    active.set(chosen.active.subarray(0, n));
    normals.set(chosen.normals.subarray(0, 3 * n));
    stiffnesses.set(chosen.stiffnesses.subarray(0, n));
    this.activeCount = n;
    this.climb();
    this.columns.prepare(active.subarray(0, n));
    if (n > this.pivots.length) {
      this.dense = new Float64Array(n * n);
      this.pivots = new Float64Array(n);
      this.scaled = new Float64Array(2 * n);
      this.z = new Float64Array(n);
    }
    this.fillDense();
    const { dense, pivots, scaled } = this;
    const kernels = this.room.kernelsFor(dense);
    const isPositive = kernels
      ? kernels.factorDense(dense.byteOffset, n, pivots.byteOffset, scaled.byteOffset) !== 0
      : factorDense(dense, n, pivots, scaled);
    // Rounding has left no matrix to solve: steps go without contacts.
    if (!isPositive) this.activeCount = 0;
    return true;
  }

  /** Writes what would be pressed to `chosen`; returns how many that are. */
  private choose(stiffness: Float64Array, pushes: Float64Array, least: number): number {
    const { active, normals, stiffnesses } = this.chosen;
    const { vertices } = this.columns;
    let n = 0;
    for (let v = 0; v < vertices.length; v++) {
      const i = vertices[v];
      const own = stiffness[i];
      if (!(own > least * this.diagonal[i])) continue;
      const x = pushes[3 * i];
      const y = pushes[3 * i + 1];
      const z = pushes[3 * i + 2];
      const size = Math.sqrt(x * x + y * y + z * z);
      if (!(size > CANCELLED * own)) continue;
      active[n] = v;
      normals[3 * n] = x / size;
      normals[3 * n + 1] = y / size;
      normals[3 * n + 2] = z / size;
      stiffnesses[n] = own;
      n++;
    }
    return n;
  }

  private isNear(n: number): boolean {
    const { active, normals, stiffnesses, chosen } = this;
    for (let i = 0; i < n; i++) {
      const ratio = chosen.stiffnesses[i] / stiffnesses[i];
      if (chosen.active[i] !== active[i] || ratio > NEAR_RATIO || ratio * NEAR_RATIO < 1) return false;
      let cosine = 0;
      for (let k = 3 * i; k < 3 * i + 3; k++) cosine += normals[k] * chosen.normals[k];
      if (cosine < NEAR_COSINE) return false;
    }
    return true;
  }

  /** Lists the supernodes above the vertices that are pressed. */
  private climb(): void {
    const { nodeOf, places, parents } = this.factor.pattern;
    const { nodes, isAbove, active } = this;
    isAbove.fill(0);
    for (let i = 0; i < this.activeCount; i++) {
      let node = nodeOf[places[this.columns.vertices[active[i]]]];
      for (; node >= 0 && isAbove[node] === 0; node = parents[node]) isAbove[node] = 1;
    }
    this.nodeCount = 0;
    for (let node = 0; node < isAbove.length; node++) if (isAbove[node] === 1) nodes[this.nodeCount++] = node;
  }

  private fillDense(): void {
    const { active, normals, dense, columns, stiffnesses, activeCount: n } = this;
    const some = active.subarray(0, n);
    const across = this.scaled;
    for (let i = 0; i < n; i++) {
      const x = normals[3 * i];
      const y = normals[3 * i + 1];
      const z = normals[3 * i + 2];
      for (let j = i, at = 3 * i; j < n; j++, at += 3)
        across[j] = x * normals[at] + y * normals[at + 1] + z * normals[at + 2];
      const column = columns.at(some[i]);
      const row = i * n;
      for (let j = i; j < n; j++) dense[row + j] = across[j] * column[some[j]];
      dense[row + i] += 1 / stiffnesses[i];
    }
  }

  /** Solves with A and the contacts for three right sides, three numbers per helper vertex. */
  solve(b: Float64Array, out: Float64Array): void {
    this.factor.forward(b);
    if (this.activeCount > 0) this.correct();
    this.factor.backward(out);
  }

  /** Between the two halves of a solve with A, where x = D⁻¹L⁻¹b: x ← x − D⁻¹L⁻¹N z, z = (C⁻¹ + NᵀA⁻¹N)⁻¹ NᵀL⁻ᵀx. */
  private correct(): void {
    const { factor, part, nodes, nodeCount, active, normals, z, activeCount: n } = this;
    const { places } = factor.pattern;
    const { vertices } = this.columns;
    factor.copyRows(nodes, nodeCount, part);
    factor.substituteUp('backward', nodes, nodeCount, part);
    for (let i = 0; i < n; i++) {
      const at = 4 * places[vertices[active[i]]];
      z[i] = normals[3 * i] * part[at] + normals[3 * i + 1] * part[at + 1] + normals[3 * i + 2] * part[at + 2];
    }
    this.solveDense();
    factor.clearRows(nodes, nodeCount, part);
    for (let i = 0; i < n; i++) {
      const at = 4 * places[vertices[active[i]]];
      for (let k = 0; k < 3; k++) part[at + k] = normals[3 * i + k] * z[i];
    }
    factor.substituteUp('forward', nodes, nodeCount, part);
    factor.subtractRows(nodes, nodeCount, part);
  }

  private solveDense(): void {
    const { dense, pivots, z, activeCount: n } = this;
    const kernels = this.room.kernelsFor(dense, pivots, z);
    if (kernels) kernels.solveDense(dense.byteOffset, n, pivots.byteOffset, z.byteOffset);
    else solveDense(dense, n, pivots, z);
  }
}

const mostReserved = (count: number): number => Math.min(MOST_RESERVED, count >> 1);

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

/** z ← (UᵀD⁻¹U)⁻¹ z; the sums of the way back are those of every fourth column, and what is left over goes to the first. */
function solveDense(u: Float64Array, n: number, pivots: Float64Array, z: Float64Array): void {
  for (let i = 0; i < n; i++) {
    z[i] *= pivots[i];
    for (let j = i + 1; j < n; j++) z[j] -= z[i] * u[i * n + j];
  }
  for (let i = n - 1; i >= 0; i--) {
    const sums = [0, 0, 0, 0];
    const whole = (n - i - 1) & ~3;
    for (let k = 0; k < n - i - 1; k++) sums[k < whole ? k % 4 : 0] += u[i * n + i + 1 + k] * z[i + 1 + k];
    z[i] -= pivots[i] * (sums[0] + sums[1] + (sums[2] + sums[3]));
  }
}
