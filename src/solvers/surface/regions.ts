// Regions: all vertices within ω edges of a particle, as intervals of path order.
// Based on: DBB11 §4 "Fast Summation"; intervals that continue across consecutive paths are one.

import type { MeshAdjacency } from '../../mesh/adjacency.js';

export interface Regions {
  readonly count: number;
  /** |𝓡ᵢ|, vertices in each region. */
  readonly sizes: Uint32Array;
  /** Region i owns the intervals offsets[i] … offsets[i + 1] − 1. */
  readonly offsets: Uint32Array;
  /** First place of each interval. */
  readonly begins: Uint32Array;
  /** Place after the last of each interval. */
  readonly ends: Uint32Array;
}

/** Grows a typed array by doubling; the solver's rest data can hold millions of intervals. */
class GrowingList {
  values = new Uint32Array(1024);
  length = 0;
  /** Among the values from `first` on, which are in order. */
  insert(value: number, first: number): void {
    if (this.length === this.values.length) {
      const larger = new Uint32Array(2 * this.values.length);
      larger.set(this.values);
      this.values = larger;
    }
    const { values } = this;
    let at = this.length++;
    for (; at > first && values[at - 1] > value; at--) values[at] = values[at - 1];
    values[at] = value;
  }
  finish(): Uint32Array {
    return this.values.slice(0, this.length);
  }
}

/** Writes all vertices within `rings` edges of vertex i into `members`, ring by ring, and i into their `seen`; returns how many they are. */
export function gatherRings(
  { neighbourOffsets: lists, neighbours: others }: MeshAdjacency,
  i: number,
  rings: number,
  members: Uint32Array,
  seen: Int32Array,
): number {
  members[0] = i;
  seen[i] = i;
  let [size, ringStart] = [1, 0];
  for (let ring = 0; ring < rings; ring++) {
    const ringEnd = size;
    for (let k = ringStart; k < ringEnd; k++) {
      const vertex = members[k];
      for (let e = lists[vertex]; e < lists[vertex + 1]; e++) {
        const other = others[e];
        if (seen[other] === i) continue;
        seen[other] = i;
        members[size++] = other;
      }
    }
    ringStart = ringEnd;
  }
  return size;
}

/** Regions of `rings` edges for a mesh already numbered in path order. */
export function buildRegions(neighbours: MeshAdjacency, rings: number): Regions {
  const count = neighbours.neighbourOffsets.length - 1;
  const seen = new Int32Array(count).fill(-1);
  const members = new Uint32Array(count);
  const sizes = new Uint32Array(count);
  const offsets = new Uint32Array(count + 1);
  const begins = new GrowingList();
  const ends = new GrowingList();
  for (let i = 0; i < count; i++) {
    const size = gatherRings(neighbours, i, rings, members, seen);
    sizes[i] = size;
    // Only the ends of intervals are put in order: of some hundred members there are some ten.
    const first = begins.length;
    for (let k = 0; k < size; k++) {
      const vertex = members[k];
      if (vertex === 0 || seen[vertex - 1] !== i) begins.insert(vertex, first);
      if (vertex + 1 === count || seen[vertex + 1] !== i) ends.insert(vertex + 1, first);
    }
    offsets[i + 1] = begins.length;
  }
  return { count, sizes, offsets, begins: begins.finish(), ends: ends.finish() };
}

/** Mean number of intervals per region; 2ω+1 is the best a regular mesh allows. */
export const meanIntervals = (regions: Regions): number => regions.begins.length / regions.count;
