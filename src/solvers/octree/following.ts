// The nodes follow the surface: what contact, volume, pins and the user did to the vertices is handed to the nodes that carry
// them. The lattice's method, with a matrix between nodes (on a hand 21 000 numbers) instead of the influences (75 000), twice a pass.

import type { Skin } from './skin.js';
import { PASSES } from './tuning.js';

/** Numbers per node: velocity and position. */
export const FOLLOW_STRIDE = 6;

/** NᵀMN, by rows: how nodes share vertices, in shares of the body's mass. */
export interface FollowMatrix {
  readonly offsets: Uint32Array;
  readonly columns: Uint32Array;
  readonly entries: Float64Array;
}

export function buildFollowMatrix({ offsets, nodes, weights, loads, massShares }: Skin): FollowMatrix {
  // Influences by node first, so that a row is found by those of its vertices.
  const count = loads.length;
  const starts = new Uint32Array(count + 1);
  for (const node of nodes) starts[node + 1]++;
  for (let a = 0; a < count; a++) starts[a + 1] += starts[a];
  const ends = starts.slice();
  const vertices = new Uint32Array(nodes.length);
  const own = new Float64Array(nodes.length);
  for (let i = 0; i < massShares.length; i++) {
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const at = ends[nodes[e]]++;
      vertices[at] = i;
      own[at] = massShares[i] * weights[e];
    }
  }
  const rows = new Uint32Array(count + 1);
  const columns: number[] = [];
  const entries: number[] = [];
  const sums = new Float64Array(count);
  /** The row that last found each node, from 1. */
  const marks = new Uint32Array(count);
  for (let a = 0; a < count; a++) {
    const found: number[] = [];
    for (let n = starts[a]; n < starts[a + 1]; n++) {
      const i = vertices[n];
      for (let e = offsets[i]; e < offsets[i + 1]; e++) {
        const node = nodes[e];
        if (marks[node] !== a + 1) {
          marks[node] = a + 1;
          sums[node] = 0;
          found.push(node);
        }
        sums[node] += own[n] * weights[e];
      }
    }
    found.sort((m, n) => m - n);
    for (const node of found) {
      columns.push(node);
      entries.push(sums[node]);
    }
    rows[a + 1] = columns.length;
  }
  return { offsets: rows, columns: Uint32Array.from(columns), entries: Float64Array.from(entries) };
}

/**
 * Writes Σ m·w·(what a vertex is wanted to change by) of each node: in velocity, then in position. `velocities` and `positions`
 * are where the vertices are, the `carried` ones where the nodes have them.
 */
export function gatherMissing(
  { offsets, nodes, weights, massShares }: Skin,
  velocities: Float64Array,
  positions: Float64Array,
  carriedVelocities: Float64Array,
  carried: Float64Array,
  missing: Float64Array,
): void {
  missing.fill(0);
  for (let i = 0, k = 0; i < massShares.length; i++, k += 3) {
    const m = massShares[i];
    const u = m * (velocities[k] - carriedVelocities[k]);
    const v = m * (velocities[k + 1] - carriedVelocities[k + 1]);
    const w = m * (velocities[k + 2] - carriedVelocities[k + 2]);
    const x = m * (positions[k] - carried[k]);
    const y = m * (positions[k + 1] - carried[k + 1]);
    const z = m * (positions[k + 2] - carried[k + 2]);
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const row = FOLLOW_STRIDE * nodes[e];
      const weight = weights[e];
      missing[row] += weight * u;
      missing[row + 1] += weight * v;
      missing[row + 2] += weight * w;
      missing[row + 3] += weight * x;
      missing[row + 4] += weight * y;
      missing[row + 5] += weight * z;
    }
  }
}

/**
 * Writes what brings the interpolation N of the nodes' moves nearest to the changes wanted. Each pass gives every node the mean, by
 * mass and weight, of what its vertices still miss: Jacobi's method with lumped masses on the least squares
 * Σ m‖wanted − N·moves‖², whose matrix has its eigenvalues between 0 and 1. What is not followed has no mean: each pass gives
 * the nodes all momentum that is missing. `missing` is used up.
 */
export function solveMoves(
  { offsets, columns, entries }: FollowMatrix,
  loads: Float64Array,
  missing: Float64Array,
  passMoves: Float64Array,
  moves: Float64Array,
): void {
  moves.fill(0);
  for (let pass = 0; ; pass++) {
    for (let a = 0, row = 0; a < loads.length; a++) {
      const share = loads[a] > 0 ? 1 / loads[a] : 0;
      for (let c = 0; c < FOLLOW_STRIDE; c++, row++) {
        passMoves[row] = share * missing[row];
        moves[row] += passMoves[row];
      }
    }
    if (pass === PASSES - 1) return;
    for (let a = 0, row = 0; a < loads.length; a++, row += FOLLOW_STRIDE) {
      let [u, v, w] = [0, 0, 0];
      let [x, y, z] = [0, 0, 0];
      for (let n = offsets[a]; n < offsets[a + 1]; n++) {
        const from = FOLLOW_STRIDE * columns[n];
        const entry = entries[n];
        u += entry * passMoves[from];
        v += entry * passMoves[from + 1];
        w += entry * passMoves[from + 2];
        x += entry * passMoves[from + 3];
        y += entry * passMoves[from + 4];
        z += entry * passMoves[from + 5];
      }
      missing[row] -= u;
      missing[row + 1] -= v;
      missing[row + 2] -= w;
      missing[row + 3] -= x;
      missing[row + 4] -= y;
      missing[row + 5] -= z;
    }
  }
}

/** Adds N·moves to how vertices are carried: to velocities with `part` 0, to positions with `part` 3. */
export function followMoves(
  { offsets, nodes, weights }: Skin,
  moves: Float64Array,
  part: 0 | 3,
  carried: Float64Array,
): void {
  for (let i = 0, k = 0; k < carried.length; i++, k += 3) {
    let [x, y, z] = [0, 0, 0];
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const row = FOLLOW_STRIDE * nodes[e] + part;
      x += weights[e] * moves[row];
      y += weights[e] * moves[row + 1];
      z += weights[e] * moves[row + 2];
    }
    carried[k] += x;
    carried[k + 1] += y;
    carried[k + 2] += z;
  }
}

/** Length of the longest difference between two lists of vectors, of those that are not held. */
export function longestDifference(a: Float64Array, b: Float64Array, held: Uint8Array): number {
  let longest2 = 0;
  for (let i = 0, k = 0; i < held.length; i++, k += 3) {
    if (held[i] !== 0) continue;
    const x = a[k] - b[k];
    const y = a[k + 1] - b[k + 1];
    const z = a[k + 2] - b[k + 2];
    longest2 = Math.max(longest2, x * x + y * y + z * z);
  }
  return Math.sqrt(longest2);
}
