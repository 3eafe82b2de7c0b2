// The product that pressure solves repeat, y = div P M⁻¹ divᵀ x, in single precision: solves end at a hundredth of what they begin with, and
// what they find is taken to velocities, and measured, in double precision. Forces and volumes are both sums over a node's
// neighbours, for which each vector is kept twice: no node waits for another, and four numbers go at a time.

import type { ContactProjection } from './contact-projection.js';
import { CHANGES, RATES, TAKEN } from './kernel-layout.js';
import { TetraMemory } from './memory.js';
import { findColumn, type TetraRest } from './rest.js';

const { fround } = Math;

/** Nodes of a task: 5 µs of work. */
export const NODE_CHUNK = 256;

export class RingProduct {
  /** d_kj along the neighbours k of each j; and along the neighbours j of each k. Four numbers each, the last one 0. */
  private readonly out: Float32Array;
  private readonly back: Float32Array;
  /** Place of (k, j) for each (j, k). */
  private readonly mirror: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly columns: Uint32Array;
  private readonly given: Float32Array;
  /** P M⁻¹ divᵀ x, four numbers each. */
  private readonly change: Float32Array;

  constructor(
    private readonly rest: TetraRest,
    private readonly memory = TetraMemory.onHeap(),
  ) {
    const { starts, columns } = rest.neighbours;
    const mirror = new Uint32Array(columns.length);
    for (let j = 0; j < rest.count; j++) {
      for (let s = starts[j]; s < starts[j + 1]; s++) mirror[s] = findColumn(starts, columns, columns[s], j);
    }
    this.starts = memory.share(starts);
    this.columns = memory.share(columns);
    this.mirror = memory.share(mirror);
    [this.out, this.back] = [memory.singles(4 * columns.length), memory.singles(4 * columns.length)];
    [this.given, this.change] = [memory.singles(rest.count), memory.singles(4 * rest.count)];
  }

  /** Takes over the vectors d_kj [m²] of the neighbours k of each j, four numbers each. */
  take(vectors: Float64Array): void {
    const { out, back, mirror } = this;
    const { kernels, team } = this.memory;
    if (team) {
      const words = [vectors.byteOffset, mirror.byteOffset, out.byteOffset, back.byteOffset];
      team.performChunks(TAKEN, 16 * NODE_CHUNK, mirror.length, words);
      return;
    }
    if (kernels) {
      kernels.takeVectors(vectors.byteOffset, mirror.byteOffset, mirror.length, out.byteOffset, back.byteOffset);
      return;
    }
    for (let s = 0; s < mirror.length; s++) {
      for (let c = 0; c < 3; c++) out[4 * s + c] = back[4 * mirror[s] + c] = vectors[4 * s + c];
    }
  }

  /** y = div P M⁻¹ divᵀ x. */
  multiply({ inverseMasses, heldCounts, held }: ContactProjection, x: Float64Array, y: Float64Array): void {
    const { starts, columns, out, back, given, change, rest } = this;
    const { kernels, team } = this.memory;
    if (team) {
      given.set(x);
      const words = [starts, columns, out, back, inverseMasses, heldCounts, held, given, change, y].map(
        ({ byteOffset }) => byteOffset,
      );
      team.performChunks(CHANGES, NODE_CHUNK, rest.count, words);
      team.performChunks(RATES, NODE_CHUNK, rest.count, words);
      return;
    }
    if (kernels) {
      kernels.multiplyRings(
        starts.byteOffset,
        columns.byteOffset,
        out.byteOffset,
        back.byteOffset,
        inverseMasses.byteOffset,
        heldCounts.byteOffset,
        held.byteOffset,
        rest.count,
        x.byteOffset,
        given.byteOffset,
        change.byteOffset,
        y.byteOffset,
      );
      return;
    }
    given.set(x);
    for (let j = 0; j < rest.count; j++) {
      let [ux, uy, uz] = [0, 0, 0];
      for (let s = starts[j]; s < starts[j + 1]; s++) {
        const value = given[columns[s]];
        ux = fround(ux + fround(out[4 * s] * value));
        uy = fround(uy + fround(out[4 * s + 1] * value));
        uz = fround(uz + fround(out[4 * s + 2] * value));
      }
      const mass = fround(inverseMasses[j]);
      ux = fround(ux * mass);
      uy = fround(uy * mass);
      uz = fround(uz * mass);
      for (let h = 9 * j; h < 9 * j + 3 * heldCounts[j]; h += 3) {
        const [nx, ny, nz] = [fround(held[h]), fround(held[h + 1]), fround(held[h + 2])];
        const along = fround(fround(fround(ux * nx) + fround(uy * ny)) + fround(uz * nz));
        ux = fround(ux - fround(along * nx));
        uy = fround(uy - fround(along * ny));
        uz = fround(uz - fround(along * nz));
      }
      change[4 * j] = ux;
      change[4 * j + 1] = uy;
      change[4 * j + 2] = uz;
    }
    for (let k = 0; k < rest.count; k++) {
      let [sx, sy, sz] = [0, 0, 0];
      for (let s = starts[k]; s < starts[k + 1]; s++) {
        const j = 4 * columns[s];
        sx = fround(sx + fround(back[4 * s] * change[j]));
        sy = fround(sy + fround(back[4 * s + 1] * change[j + 1]));
        sz = fround(sz + fround(back[4 * s + 2] * change[j + 2]));
      }
      y[k] = fround(fround(sx + sy) + sz);
    }
  }
}
