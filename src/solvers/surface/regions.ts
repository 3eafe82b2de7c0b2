// Regions: all vertices within ω edges of a particle, as intervals of path order.
// Based on: DBB11 §4 "Fast Summation"; intervals that continue across consecutive paths are one.

import { type NeighbourLists, type Patch, PatchSearch } from './patch-search.js';

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

/** Writes all vertices within `rings` edges of vertex i into `members`, ring by ring, and i into their `seen`; returns how many they are. */
export function gatherRings(
  { neighbourOffsets: lists, neighbours: others }: NeighbourLists,
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
export function buildRegions(neighbours: NeighbourLists, rings: number): Regions {
  const count = neighbours.neighbourOffsets.length - 1;
  const sizes = new Uint32Array(count);
  const offsets = new Uint32Array(count + 1);
  const search = new PatchSearch(neighbours);
  const patches: Patch[] = [];
  for (let first = 0; first < count; first++) {
    if (search.isTaken(first)) continue;
    const patch = search.takePatch(first, rings);
    patches.push(patch);
    patch.vertices.forEach((vertex, n) => {
      offsets[vertex + 1] = patch.offsets[n + 1] - patch.offsets[n];
    });
  }
  for (let i = 0; i < count; i++) offsets[i + 1] += offsets[i];
  const begins = new Uint32Array(offsets[count]);
  const ends = new Uint32Array(offsets[count]);
  for (const patch of patches) {
    patch.vertices.forEach((vertex, n) => {
      let at = offsets[vertex];
      for (let e = patch.offsets[n]; e < patch.offsets[n + 1]; e++, at++) {
        begins[at] = patch.begins[e];
        ends[at] = patch.ends[e];
        sizes[vertex] += ends[at] - begins[at];
      }
    });
  }
  return { count, sizes, offsets, begins, ends };
}

/** Mean number of intervals per region; 2ω+1 is the best a regular mesh allows. */
export const meanIntervals = (regions: Regions): number => regions.begins.length / regions.count;
