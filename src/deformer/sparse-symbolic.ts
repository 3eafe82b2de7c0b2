// Where the factor of a sparse symmetric matrix has numbers, found once for all matrices of one pattern: the elimination tree, and
// runs of columns with (nearly) the same rows, the supernodes, each of which is kept as one dense panel.
// Based on: [Liu90].

import { dissect } from './nested-dissection.js';
import type { Graph } from './sparse-graph.js';

export interface SparsePattern {
  readonly count: number;
  /** Row of the factor at which each row of the matrix is. */
  readonly places: Uint32Array;
  /** First column of each supernode, and one past the last. */
  readonly firsts: Uint32Array;
  /** Where each supernode's rows begin in `rows`: its own columns, then those below, ascending. */
  readonly rowStarts: Uint32Array;
  readonly rows: Uint32Array;
  /** Where each supernode's panel begins: row by row, one number for each of its columns. */
  readonly panelStarts: Uint32Array;
  /** The supernode of each column. */
  readonly nodeOf: Uint32Array;
  /** The supernode of the first row below each, its parent in the elimination tree; −1 where there is none. */
  readonly parents: Int32Array;
}

/**
 * Share of zeros that a panel may hold so that columns share it: longer inner loops are worth more than the zeros cost. On a sphere
 * of 1203 vertices 0.2 leaves 319 panels with 84 000 numbers; at 0 there are twice as many panels, at 0.5 a third more numbers.
 */
const ZERO_SHARE = 0.2;

/** @param positions x, y, z per row of the matrix, for the order of elimination. */
export function analysePattern(graph: Graph, positions: Float64Array): SparsePattern {
  const count = graph.starts.length - 1;
  const order = dissect(graph, positions);
  const sorted = postorder(parentsOf(graph, order)).map((i) => order[i]);
  const places = invert(sorted);
  const columns = fillColumns(graph, sorted, places);
  const firsts = findSupernodes(columns);
  const nodeCount = firsts.length - 1;
  const rowStarts = new Uint32Array(nodeCount + 1);
  const panelStarts = new Uint32Array(nodeCount + 1);
  const nodeOf = new Uint32Array(count);
  const rows: number[] = [];
  for (let node = 0; node < nodeCount; node++) {
    const [first, end] = [firsts[node], firsts[node + 1]];
    for (let column = first; column < end; column++) {
      rows.push(column);
      nodeOf[column] = node;
    }
    for (const row of columns[end - 1]) rows.push(row);
    rowStarts[node + 1] = rows.length;
    panelStarts[node + 1] = panelStarts[node] + (rows.length - rowStarts[node]) * (end - first);
  }
  const parents = Int32Array.from({ length: nodeCount }, (_, node) => {
    const below = rowStarts[node] + firsts[node + 1] - firsts[node];
    return below < rowStarts[node + 1] ? nodeOf[rows[below]] : -1;
  });
  return { count, places, firsts, rowStarts, rows: Uint32Array.from(rows), panelStarts, nodeOf, parents };
}

const invert = (order: Uint32Array): Uint32Array => {
  const places = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) places[order[i]] = i;
  return places;
};

/** The elimination tree: the next column that each one changes, or −1. */
function parentsOf({ starts, neighbours }: Graph, order: Uint32Array): Int32Array {
  const places = invert(order);
  const parents = new Int32Array(order.length).fill(-1);
  const ancestors = new Int32Array(order.length).fill(-1);
  for (let j = 0; j < order.length; j++) {
    for (let i = starts[order[j]]; i < starts[order[j] + 1]; i++) {
      // Climb from each earlier column, and shorten the way for those who come later.
      for (let k = places[neighbours[i]]; k < j && k !== -1; ) {
        const next = ancestors[k];
        ancestors[k] = j;
        if (next === -1) parents[k] = j;
        k = next;
      }
    }
  }
  return parents;
}

/** Columns so that each follows its whole subtree. */
function postorder(parents: Int32Array): Uint32Array {
  const count = parents.length;
  const head = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  for (let j = count - 1; j >= 0; j--) {
    if (parents[j] < 0) continue;
    next[j] = head[parents[j]];
    head[parents[j]] = j;
  }
  const order = new Uint32Array(count);
  let placed = 0;
  const stack: number[] = [];
  for (let root = 0; root < count; root++) {
    if (parents[root] >= 0) continue;
    stack.push(root);
    while (stack.length > 0) {
      const j = stack[stack.length - 1];
      const child = head[j];
      if (child >= 0) {
        head[j] = next[child];
        stack.push(child);
      } else {
        order[placed++] = j;
        stack.pop();
      }
    }
  }
  return order;
}

/** Rows below the diagonal in each column of the factor, ascending. */
function fillColumns({ starts, neighbours }: Graph, order: Uint32Array, places: Uint32Array): Uint32Array[] {
  const count = order.length;
  const columns: Uint32Array[] = [];
  const children: number[][] = Array.from({ length: count }, () => []);
  const seenBy = new Int32Array(count).fill(-1);
  for (let j = 0; j < count; j++) {
    const rows: number[] = [];
    const add = (row: number): void => {
      if (row <= j || seenBy[row] === j) return;
      seenBy[row] = j;
      rows.push(row);
    };
    for (let i = starts[order[j]]; i < starts[order[j] + 1]; i++) add(places[neighbours[i]]);
    for (const child of children[j]) for (const row of columns[child]) add(row);
    columns[j] = Uint32Array.from(rows).sort();
    if (rows.length > 0) children[columns[j][0]].push(j);
  }
  return columns;
}

/** Runs of columns, each the parent of the one before, whose rows differ by few. */
function findSupernodes(columns: readonly Uint32Array[]): Uint32Array {
  const firsts = [0];
  let numbers = columns.length > 0 ? columns[0].length + 1 : 0;
  for (let j = 1; j < columns.length; j++) {
    const first = firsts[firsts.length - 1];
    const width = j - first + 1;
    const filled = numbers + columns[j].length + 1;
    const panel = width * columns[j].length + (width * (width + 1)) / 2;
    if (columns[j - 1][0] === j && filled >= (1 - ZERO_SHARE) * panel) numbers = filled;
    else {
      firsts.push(j);
      numbers = columns[j].length + 1;
    }
  }
  if (columns.length > 0) firsts.push(columns.length);
  return Uint32Array.from(firsts);
}
