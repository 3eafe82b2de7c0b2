// An order of elimination for small graphs: always the vertex that is joined to the fewest others by then, as far as that can be told cheaply.
// What was eliminated is kept as elements, the sets of vertices that became joined, not as edges.
// Based on: [ADD96].

import type { Graph } from './sparse-graph.js';

/**
 * The vertices in order of elimination.
 * @param last how many come behind all others, in any case, and are not listed: the last ones of the graph.
 */
export function orderByDegree({ starts, neighbours }: Graph, last = 0): Uint32Array {
  const count = starts.length - 1;
  const wanted = count - last;
  const order = new Uint32Array(wanted);
  /** Of each vertex: those that it is joined to by edges, and the elements that it is in. */
  const joined: number[][] = Array.from({ length: count }, (_, v) => [
    ...neighbours.subarray(starts[v], starts[v + 1]),
  ]);
  const elements: number[][] = Array.from({ length: count }, () => []);
  /** Of each element, which has the number of the vertex whose elimination made it: its vertices; how many of them are not in the newest. */
  const members: number[][] = Array.from({ length: count }, () => []);
  const outside = new Int32Array(count);
  const isGone = new Uint8Array(count);
  const seenBy = new Int32Array(count).fill(-1);
  const buckets = new DegreeBuckets(wanted, count);
  for (let v = 0; v < wanted; v++) buckets.put(v, joined[v].length);
  for (let n = 0; n < wanted; n++) {
    const pivot = buckets.takeLeast();
    order[n] = pivot;
    isGone[pivot] = 1;
    const front: number[] = [];
    seenBy[pivot] = n;
    const collect = (v: number): void => {
      if (isGone[v] === 1 || seenBy[v] === n) return;
      seenBy[v] = n;
      front.push(v);
    };
    joined[pivot].forEach(collect);
    for (const element of elements[pivot]) {
      members[element].forEach(collect);
      members[element] = [];
    }
    members[pivot] = front;
    for (const v of front) for (const element of elements[v]) outside[element] = -1;
    for (const v of front) {
      for (const element of elements[v]) {
        if (outside[element] < 0) outside[element] = members[element].length;
        outside[element]--;
      }
    }
    for (const v of front) {
      // Elements that lie within the new one are done with, and edges within it are its own.
      elements[v] = elements[v].filter((element) => members[element].length > 0 && outside[element] > 0);
      joined[v] = joined[v].filter((other) => isGone[other] === 0 && seenBy[other] !== n);
      let degree = joined[v].length + front.length - 1;
      for (const element of elements[v]) degree += outside[element];
      elements[v].push(pivot);
      if (v < wanted) buckets.put(v, Math.min(degree, count - n));
    }
  }
  return order;
}

/** Vertices by their degree: the last that was put comes first. */
class DegreeBuckets {
  private readonly heads: Int32Array;
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  private readonly degrees: Int32Array;
  private least = 0;

  constructor(count: number, mostDegree: number) {
    this.heads = new Int32Array(mostDegree + 1).fill(-1);
    this.next = new Int32Array(count).fill(-1);
    this.previous = new Int32Array(count).fill(-1);
    this.degrees = new Int32Array(count).fill(-1);
  }

  put(v: number, degree: number): void {
    if (this.degrees[v] >= 0) this.remove(v);
    const head = this.heads[degree];
    this.next[v] = head;
    this.previous[v] = -1;
    if (head >= 0) this.previous[head] = v;
    this.heads[degree] = v;
    this.degrees[v] = degree;
    this.least = Math.min(this.least, degree);
  }

  takeLeast(): number {
    while (this.heads[this.least] < 0) this.least++;
    const v = this.heads[this.least];
    this.remove(v);
    return v;
  }

  private remove(v: number): void {
    const [before, after] = [this.previous[v], this.next[v]];
    if (before >= 0) this.next[before] = after;
    else this.heads[this.degrees[v]] = after;
    if (after >= 0) this.previous[after] = before;
    this.degrees[v] = -1;
  }
}
