// Lists of different lengths, one per vertex, as columns: the k-th entries of all lists side by side, longest lists first. Invocations that
// are neighbours read entries that are neighbours, and there is nothing to fill up. [CDD11 §4, fig. 2]

import { accumulate } from '../../mesh/counting-sort.js';

export class NeighbourColumns {
  /** The vertex of each invocation. */
  readonly order: Uint32Array;
  /** Where each column begins, and where the last one ends. */
  readonly begins: Uint32Array;
  /** Where each entry of the lists is. */
  readonly places: Uint32Array;

  /** @param starts those of vertex v are starts[v] … starts[v + 1] − 1. */
  constructor(starts: Uint32Array) {
    const count = starts.length - 1;
    const valence = (v: number) => starts[v + 1] - starts[v];
    let most = 0;
    for (let v = 0; v < count; v++) most = Math.max(most, valence(v));
    // Counted by how far they are from the longest.
    const ranks = new Uint32Array(most + 2);
    for (let v = 0; v < count; v++) ranks[most - valence(v) + 1]++;
    accumulate(ranks);
    // Lists longer than k come before those that are not.
    this.begins = new Uint32Array(most + 1);
    for (let k = 0; k < most; k++) this.begins[k + 1] = this.begins[k] + ranks[most - k];
    this.order = new Uint32Array(count);
    this.places = new Uint32Array(starts[count]);
    for (let v = 0; v < count; v++) {
      const rank = ranks[most - valence(v)]++;
      this.order[rank] = v;
      for (let k = 0; k < valence(v); k++) this.places[starts[v] + k] = this.begins[k] + rank;
    }
  }

  /** As the shaders read it, see columns.wgsl. */
  words(): Uint32Array {
    const { begins, order } = this;
    const out = new Uint32Array(1 + begins.length + order.length);
    out[0] = begins.length - 1;
    out.set(begins, 1);
    out.set(order, 1 + begins.length);
    return out;
  }
}
