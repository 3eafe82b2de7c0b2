// Which rows of a sparse symmetric matrix are joined.

import { accumulate } from '../mesh/counting-sort.js';

/** Neighbours of each vertex, itself not among them: those of v from starts[v] to starts[v + 1]. */
export interface Graph {
  readonly starts: Uint32Array;
  readonly neighbours: Uint32Array;
}

/** Joined vertices of each vertex, from pairs in any order, doubles and loops allowed. */
export function graphOf(count: number, a: ArrayLike<number>, b: ArrayLike<number>): Graph {
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < a.length; i++) {
    starts[a[i] + 1]++;
    starts[b[i] + 1]++;
  }
  accumulate(starts);
  const all = new Uint32Array(2 * a.length);
  const next = starts.slice();
  for (let i = 0; i < a.length; i++) {
    all[next[a[i]]++] = b[i];
    all[next[b[i]]++] = a[i];
  }
  const kept = new Uint32Array(count + 1);
  const neighbours = new Uint32Array(all.length);
  const seenBy = new Int32Array(count).fill(-1);
  let used = 0;
  for (let v = 0; v < count; v++) {
    seenBy[v] = v;
    for (let i = starts[v]; i < starts[v + 1]; i++) {
      if (seenBy[all[i]] === v) continue;
      seenBy[all[i]] = v;
      neighbours[used++] = all[i];
    }
    kept[v + 1] = used;
  }
  return { starts: kept, neighbours: neighbours.slice(0, used) };
}
