// What all copies of a body of tetrahedra share: shapes at rest, volumes, who is whose neighbour.

import { expectNumber } from '../../math/expect.js';
import { boundaryOf, sixVolume, type TetraBoundary, type TetraMesh } from '../../mesh/tetrahedralise/tetra-mesh.js';
import { colourRuns, LARGE, oneRun, type Runs } from './runs.js';

export interface TetraRest {
  readonly mesh: TetraMesh;
  /** Nodes and tetrahedra. */
  readonly count: number;
  readonly tetraCount: number;
  /** The outside, whose vertices are the particles that the world sees. */
  readonly boundary: TetraBoundary;
  /** V⁰ of each tetrahedron [m³]. */
  readonly volumes: Float64Array;
  /** V⁰ₖ of each node's one-ring: a quarter of each of its tetrahedra [m³]. */
  readonly ringVolumes: Float64Array;
  /** ∇N of the four corners in the rest state [1/m], 12 numbers per tetrahedron. */
  readonly gradients: Float64Array;
  /** Share of the body's mass at each node; Σ = 1. */
  readonly massShares: Float64Array;
  /** Mean factor on the density. */
  readonly massFactor: number;
  /** Factor on the stiffness of each tetrahedron. */
  readonly stiffness: Float64Array;
  readonly neighbours: Neighbours;
  /** In which order tetrahedra are summed up at their nodes, and nodes at their neighbours. */
  readonly tetraRuns: Runs;
  readonly nodeRuns: Runs;
  /** Mean distance of neighbouring nodes [m]. */
  readonly spacing: number;
  /** Diagonal of the bounding box [m]. */
  readonly size: number;
}

/** Rows of a sparse matrix over nodes that share a tetrahedron, the node itself included. */
export interface Neighbours {
  /** Row i is `columns[starts[i] … starts[i + 1]]`, ascending. */
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  /** Place in `columns` of each pair of corners of each tetrahedron, 16 per tetrahedron. */
  readonly slots: Uint32Array;
}

/** Tetrahedra and nodes of a run: a few per colour and thread at 20 k tetrahedra, and few enough to stay in a processor's second cache. */
const TETRA_RUN = 256;
const NODE_RUN = 64;

/** A thousandth or a thousand times as stiff next to each other is what one step's solve still bears. */
export const STIFFNESS_FACTORS = [1e-3, 1e3] as const;

/** What may differ from tetrahedron to tetrahedron. */
export interface TetraPaint {
  /** Factors on Young's modulus, one per tetrahedron. */
  readonly stiffness?: ArrayLike<number>;
  /** Factors on the density, one per tetrahedron. */
  readonly density?: ArrayLike<number>;
}

/** @throws RangeError where a tetrahedron has no volume, or names a node that is not there. */
export function buildTetraRest(mesh: TetraMesh, paint: TetraPaint = {}): TetraRest {
  const { positions, tetrahedra } = mesh;
  const count = positions.length / 3;
  const tetraCount = tetrahedra.length / 4;
  const stiffness = factorsOf('stiffness', paint.stiffness, tetraCount);
  const density = factorsOf('density', paint.density, tetraCount);
  const volumes = new Float64Array(tetraCount);
  const ringVolumes = new Float64Array(count);
  const massShares = new Float64Array(count);
  const gradients = new Float64Array(12 * tetraCount);
  let mass = 0;
  for (let t = 0; t < tetraCount; t++) {
    const six = sixVolume(positions, tetrahedra, t);
    if (!(six > 0)) throw new RangeError(`tetrahedra: expected positive volumes, got ${six / 6} at tetrahedron ${t}`);
    volumes[t] = six / 6;
    mass += volumes[t] * density[t];
    for (let k = 0; k < 4; k++) {
      ringVolumes[tetrahedra[4 * t + k]] += volumes[t] / 4;
      massShares[tetrahedra[4 * t + k]] += (volumes[t] * density[t]) / 4;
    }
    writeFaceVectors(positions, tetrahedra, t, gradients, 12 * t);
    for (let k = 12 * t; k < 12 * t + 12; k++) gradients[k] /= volumes[t];
  }
  for (let n = 0; n < count; n++) {
    if (!(ringVolumes[n] > 0)) throw new RangeError(`tetrahedra: expected every node in one, got none at node ${n}`);
    massShares[n] /= mass;
  }
  const neighbours = buildNeighbours(tetrahedra, count);
  const isLarge = tetraCount >= LARGE;
  const { starts, columns } = neighbours;
  return {
    mesh,
    count,
    tetraCount,
    boundary: boundaryOf(mesh),
    volumes,
    ringVolumes,
    gradients,
    massShares,
    massFactor: mass / volumes.reduce((sum, volume) => sum + volume, 0),
    stiffness,
    neighbours,
    tetraRuns: isLarge ? colourRuns(tetraCount, TETRA_RUN, tetrahedra, (t) => 4 * t, count) : oneRun(tetraCount),
    nodeRuns: isLarge ? colourRuns(count, NODE_RUN, columns, (n) => starts[n], count) : oneRun(count),
    spacing: meanSpacing(positions, neighbours),
    size: diagonal(positions),
  };
}

/**
 * b_j = V ∇N_j of the four corners [m²], a third of the inward area normal of the face opposite; valid for inverted
 * tetrahedra too, where V is negative. Writes 12 numbers at `at`. [ISF07 §3]
 */
export function writeFaceVectors(
  x: ArrayLike<number>,
  tetrahedra: Uint32Array,
  t: number,
  out: Float64Array,
  at: number,
): void {
  const o = 3 * tetrahedra[4 * t];
  const a = 3 * tetrahedra[4 * t + 1];
  const b = 3 * tetrahedra[4 * t + 2];
  const c = 3 * tetrahedra[4 * t + 3];
  const ax = x[a] - x[o];
  const ay = x[a + 1] - x[o + 1];
  const az = x[a + 2] - x[o + 2];
  const bx = x[b] - x[o];
  const by = x[b + 1] - x[o + 1];
  const bz = x[b + 2] - x[o + 2];
  const cx = x[c] - x[o];
  const cy = x[c + 1] - x[o + 1];
  const cz = x[c + 2] - x[o + 2];
  out[at + 3] = (by * cz - bz * cy) / 6;
  out[at + 4] = (bz * cx - bx * cz) / 6;
  out[at + 5] = (bx * cy - by * cx) / 6;
  out[at + 6] = (cy * az - cz * ay) / 6;
  out[at + 7] = (cz * ax - cx * az) / 6;
  out[at + 8] = (cx * ay - cy * ax) / 6;
  out[at + 9] = (ay * bz - az * by) / 6;
  out[at + 10] = (az * bx - ax * bz) / 6;
  out[at + 11] = (ax * by - ay * bx) / 6;
  for (let k = 0; k < 3; k++) out[at + k] = -(out[at + 3 + k] + out[at + 6 + k] + out[at + 9 + k]);
}

function factorsOf(name: string, given: ArrayLike<number> | undefined, count: number): Float64Array {
  if (given === undefined) return new Float64Array(count).fill(1);
  if (given.length !== count) {
    throw new RangeError(`${name}: expected a factor for each of ${count} tetrahedra, got ${given.length}`);
  }
  for (let t = 0; t < count; t++) expectNumber(`${name}[${t}]`, given[t], ...STIFFNESS_FACTORS);
  return Float64Array.from(given);
}

function buildNeighbours(tetrahedra: Uint32Array, count: number): Neighbours {
  const rows = Array.from({ length: count }, (_, n) => new Set<number>([n]));
  for (let t = 0; t < tetrahedra.length; t += 4) {
    for (let i = t; i < t + 4; i++) for (let j = t; j < t + 4; j++) rows[tetrahedra[i]].add(tetrahedra[j]);
  }
  const starts = new Uint32Array(count + 1);
  for (let n = 0; n < count; n++) starts[n + 1] = starts[n] + rows[n].size;
  const columns = new Uint32Array(starts[count]);
  rows.forEach((row, n) => {
    columns.set(Uint32Array.from(row).sort(), starts[n]);
  });
  const slots = new Uint32Array(4 * tetrahedra.length);
  for (let t = 0; t < tetrahedra.length; t += 4) {
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) {
        slots[4 * t + 4 * i + j] = findColumn(starts, columns, tetrahedra[t + i], tetrahedra[t + j]);
      }
    }
  }
  return { starts, columns, slots };
}

/** Place of a column in a row that has it. */
export function findColumn(starts: Uint32Array, columns: Uint32Array, row: number, column: number): number {
  let low = starts[row];
  let high = starts[row + 1] - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns[middle] < column) low = middle + 1;
    else high = middle;
  }
  return low;
}

function meanSpacing(positions: Float64Array, { starts, columns }: Neighbours): number {
  let sum = 0;
  for (let n = 0; n + 1 < starts.length; n++) {
    for (let s = starts[n]; s < starts[n + 1]; s++) {
      const m = 3 * columns[s];
      const x = positions[m] - positions[3 * n];
      const y = positions[m + 1] - positions[3 * n + 1];
      const z = positions[m + 2] - positions[3 * n + 2];
      sum += Math.sqrt(x * x + y * y + z * z);
    }
  }
  return sum / (columns.length - (starts.length - 1));
}

function diagonal(positions: Float64Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < positions.length; k++) {
    low[k % 3] = Math.min(low[k % 3], positions[k]);
    high[k % 3] = Math.max(high[k % 3], positions[k]);
  }
  return Math.sqrt((high[0] - low[0]) ** 2 + (high[1] - low[1]) ** 2 + (high[2] - low[2]) ** 2);
}
