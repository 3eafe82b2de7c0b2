// Divergence and gradient over the one-rings of nodes, as one vector for each pair of neighbours: one volume per node, so that
// linear tetrahedra do not lock.
// Based on: G. Irving, C. Schroeder, R. Fedkiw, Volume conserving finite element simulations, 2007, §3.

import type { ContactProjection } from './contact-projection.js';
import { FORCES, RING_VECTORS } from './kernel-layout.js';
import { TetraMemory } from './memory.js';
import { Placed } from './placed.js';
import { type TetraRest, writeFaceVectors } from './rest.js';
import { NODE_CHUNK, RingProduct } from './ring-product.js';
import { performRuns } from './runs.js';

export class RingOperator {
  /** d_kj = ¼ Σ_t b_tj [m²] over the tetrahedra that k and j share, along the neighbours k of each j; 4 numbers each. */
  readonly vectors: Float64Array;
  readonly starts: Uint32Array;
  private readonly columns: Uint32Array;
  private readonly slots: Uint32Array;
  private readonly tetrahedra: Uint32Array;
  private readonly runs: Uint32Array;
  private readonly faces = new Float64Array(12);
  private readonly placed: Placed;
  private readonly product: RingProduct;
  /** Whether the product has these vectors. */
  private isTaken = false;

  constructor(
    private readonly rest: TetraRest,
    private readonly memory = TetraMemory.onHeap(),
  ) {
    this.starts = memory.share(rest.neighbours.starts);
    this.columns = memory.share(rest.neighbours.columns);
    this.slots = memory.share(rest.neighbours.slots);
    this.tetrahedra = memory.share(rest.mesh.tetrahedra);
    this.runs = memory.share(rest.tetraRuns.ranges);
    this.vectors = memory.reals(4 * rest.neighbours.columns.length);
    this.placed = new Placed(rest.count);
    this.product = new RingProduct(rest, memory);
  }

  /** Takes the vectors to positions x [m]. */
  place(x: Float64Array): void {
    const { rest, vectors, slots, faces, tetrahedra } = this;
    const { kernels, team } = this.memory;
    if (!this.placed.moveTo(x)) return;
    this.isTaken = false;
    if (team) {
      vectors.fill(0);
      const runs = this.runs.byteOffset;
      const words = [runs, x.byteOffset, tetrahedra.byteOffset, slots.byteOffset, vectors.byteOffset];
      performRuns(team, RING_VECTORS, rest.tetraRuns, words);
      return;
    }
    if (kernels) {
      const [corners, places, entries] = [tetrahedra.byteOffset, slots.byteOffset, vectors.length / 4];
      kernels.ringVectors(x.byteOffset, corners, places, rest.tetraCount, vectors.byteOffset, entries);
      return;
    }
    vectors.fill(0);
    const { ranges } = rest.tetraRuns;
    for (let r = 0; r < ranges.length; r += 2) {
      for (let t = ranges[r]; t < ranges[r + 1]; t++) {
        writeFaceVectors(x, tetrahedra, t, faces, 0);
        this.addFaces(t);
      }
    }
  }

  /** A quarter of each of a tetrahedron's face vectors, for its four corners. */
  private addFaces(t: number): void {
    const { vectors, slots, faces } = this;
    for (let j = 0; j < 4; j++) {
      const [bx, by, bz] = [faces[3 * j] / 4, faces[3 * j + 1] / 4, faces[3 * j + 2] / 4];
      for (let k = 0; k < 4; k++) {
        const to = 4 * slots[16 * t + 4 * j + k];
        vectors[to] += bx;
        vectors[to + 1] += by;
        vectors[to + 2] += bz;
      }
    }
  }

  /** (div v)ₖ = ¼ Σ_t Σ_j b_tj·v_j [m³/s] for v [m/s]: the rate at which the volume of each one-ring changes. */
  divergence(v: Float64Array, out: Float64Array): void {
    const { starts, columns, vectors, rest } = this;
    const { kernels } = this.memory;
    if (kernels) {
      const [rows, across, ring] = [starts.byteOffset, columns.byteOffset, vectors.byteOffset];
      kernels.divergence(rows, across, ring, rest.count, v.byteOffset, out.byteOffset);
      return;
    }
    out.fill(0);
    for (let j = 0; j < rest.count; j++) this.addAlong(j, v[3 * j], v[3 * j + 1], v[3 * j + 2], out);
  }

  /** −grad p: force of nodal pressures p [Pa] on the nodes [N], Σ_t b_tj p̄_t; p > 0 expands. The transpose of div. */
  writeForce(p: Float64Array, out: Float64Array): void {
    const { starts, columns, vectors, rest } = this;
    const { kernels, team } = this.memory;
    const [rows, across, ring] = [starts.byteOffset, columns.byteOffset, vectors.byteOffset];
    if (team) {
      team.performChunks(FORCES, NODE_CHUNK, rest.count, [rows, across, ring, p.byteOffset, out.byteOffset]);
      return;
    }
    if (kernels) {
      kernels.pressureForce(rows, across, ring, rest.count, p.byteOffset, out.byteOffset);
      return;
    }
    for (let j = 0; j < rest.count; j++) this.writeForceAt(j, p, out, 3 * j);
  }

  /** y = div P M⁻¹ divᵀ x, in single precision. */
  multiply(projection: ContactProjection, x: Float64Array, y: Float64Array): void {
    if (!this.isTaken) this.product.take(this.vectors);
    this.isTaken = true;
    this.product.multiply(projection, x, y);
  }

  /** Σ_k d_kj p_k. */
  private writeForceAt(j: number, p: Float64Array, out: Float64Array, to: number): void {
    const { starts, columns, vectors } = this;
    let [x, y, z] = [0, 0, 0];
    for (let s = starts[j]; s < starts[j + 1]; s++) {
      const value = p[columns[s]];
      x += vectors[4 * s] * value;
      y += vectors[4 * s + 1] * value;
      z += vectors[4 * s + 2] * value;
    }
    out[to] = x;
    out[to + 1] = y;
    out[to + 2] = z;
  }

  /** Adds d_kj·v for each neighbour k of j. */
  private addAlong(j: number, vx: number, vy: number, vz: number, out: Float64Array): void {
    const { starts, columns, vectors } = this;
    for (let s = starts[j]; s < starts[j + 1]; s++) {
      out[columns[s]] += vectors[4 * s] * vx + vectors[4 * s + 1] * vy + vectors[4 * s + 2] * vz;
    }
  }
}
