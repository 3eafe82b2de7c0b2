// Shortest distances along the visibility graph from one or several leaves, as far as a limit.
// Edge lengths are small whole numbers, so a ring of buckets replaces a priority queue.
// Based on: [SOG08 §6] (Bucket-Moore).

import type { OctreeNode } from './node.js';

/** The edges of a leaf as lists: with them the regions of 741 leaves take 11 ms, by the maps 18. */
interface Links {
  readonly nodes: readonly OctreeNode[];
  readonly lengths: readonly number[];
}

const linksOf = ({ edges }: OctreeNode): Links => ({ nodes: [...edges.keys()], lengths: [...edges.values()] });

/** Searches of one forest; what they find is in the nodes' `search`, stamped, so that nothing need be cleared. */
export class DistanceSearch {
  private readonly buckets: OctreeNode[][];
  private stamp = 0;
  /** Of the leaves that searches came to since edges stand still. */
  private held: Map<OctreeNode, Links> | undefined;

  /** @param levels of the grid: no edge is longer than a base cell, 2·2^levels half finest cells. */
  constructor(levels: number) {
    this.buckets = Array.from({ length: 2 * (1 << levels) + 1 }, () => []);
  }

  /** Leaves not farther than `limit` from the nearest source, in the order of distance. Each has its in `search.distance`. */
  from(sources: Iterable<OctreeNode>, limit: number): OctreeNode[] {
    const { buckets } = this;
    const stamp = ++this.stamp;
    const found: OctreeNode[] = [];
    let waiting = 0;
    for (const source of sources) {
      if (source.search.stamp === stamp) continue;
      source.search.stamp = stamp;
      source.search.distance = 0;
      buckets[0].push(source);
      waiting++;
    }
    for (let distance = 0; waiting > 0 && distance <= limit; distance++) {
      const bucket = buckets[distance % buckets.length];
      for (const leaf of bucket) {
        waiting--;
        // Reached on a shorter way since it was put here.
        if (leaf.search.distance !== distance) continue;
        found.push(leaf);
        const { nodes, lengths } = this.linksOf(leaf);
        for (let n = 0; n < nodes.length; n++) {
          const next = nodes[n];
          const { search } = next;
          const through = distance + lengths[n];
          if (search.stamp === stamp && search.distance <= through) continue;
          search.stamp = stamp;
          search.distance = through;
          buckets[through % buckets.length].push(next);
          waiting++;
        }
      }
      bucket.length = 0;
    }
    if (waiting > 0) for (const bucket of buckets) bucket.length = 0;
    return found;
  }

  /** Calls back for many searches, between which no edge changes. */
  hold(searchMany: () => void): void {
    this.held = new Map();
    try {
      searchMany();
    } finally {
      this.held = undefined;
    }
  }

  private linksOf(leaf: OctreeNode): Links {
    const known = this.held?.get(leaf);
    if (known) return known;
    const links = linksOf(leaf);
    this.held?.set(leaf, links);
    return links;
  }

  /** A stamp of one's own, for what is derived from a search. */
  nextStamp(): number {
    return ++this.stamp;
  }
}
