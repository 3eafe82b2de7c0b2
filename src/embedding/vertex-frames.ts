// How the surface at each vertex of the simulation mesh is turned and stretched against its rest state: a gradient G, the
// matrix that carries small vectors at rest to where they are now.
// G is the least-squares fit over the edges of the ring and the unit normal, G = Σ e⊗u + n⊗m with e = xⱼ − xᵢ and
// u = A⁻¹e⁰, m = s·A⁻¹n⁰, A = Σ e⁰⊗e⁰ + s·n⁰⊗n⁰, s the mean of |e⁰|²: exact under rigid motion, and, but for the normal's
// length, which stays 1, under linear maps of a flat ring. It needs no rotation to be extracted.

import { solveSymmetric } from '../math/mat3.js';
import { buildAdjacency } from '../mesh/adjacency.js';
import { vertexNormals } from '../mesh/measure.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { CALMING_ROUNDS } from './tuning.js';

/** Share of A's trace that keeps it solvable where a ring is flat and without width; far below what single precision shows. */
const SOLVE_FLOOR = 1e-10;

/** Rest data of the frames; immutable and shared by all copies of a body. */
export interface FrameRest {
  readonly mesh: TriangleMesh;
  /** Unit normals at rest. */
  readonly normals: Float64Array;
  /** Mean length of the edges at each vertex [m]. */
  readonly edgeLengths: Float64Array;
  /** Neighbours of vertex i, from offsets[i] to offsets[i + 1]. */
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  /** u of each of them [1/m]. */
  readonly edgeFactors: Float64Array;
  /** m of each vertex. */
  readonly normalFactors: Float64Array;
}

/** The frames now, and working memory. */
export interface Frames {
  /** Unit normals. */
  readonly normals: Float64Array;
  /** G, row by row, calmed. */
  readonly gradients: Float64Array;
  readonly scratch: Float64Array;
  /** Mean of all G. */
  readonly meanGradient: Float64Array;
}

export const createFrames = (count: number): Frames => ({
  normals: new Float64Array(3 * count),
  gradients: new Float64Array(9 * count),
  scratch: new Float64Array(9 * count),
  meanGradient: new Float64Array(9),
});

/** Makes vectors unit vectors; one without a length stays as `previous` had it. */
function normalizeAll(vectors: Float64Array, previous: Float64Array | undefined): void {
  for (let k = 0; k < vectors.length; k += 3) {
    const [x, y, z] = [vectors[k], vectors[k + 1], vectors[k + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    const scale = length > 0 && Number.isFinite(length) ? 1 / length : 0;
    vectors[k] = scale > 0 ? x * scale : (previous?.[k] ?? 0);
    vectors[k + 1] = scale > 0 ? y * scale : (previous?.[k + 1] ?? 1);
    vectors[k + 2] = scale > 0 ? z * scale : (previous?.[k + 2] ?? 0);
  }
}

export function buildFrameRest(mesh: TriangleMesh): FrameRest {
  const { positions, triangles } = mesh;
  const { neighbourOffsets: offsets, neighbours, vertexCount } = buildAdjacency(mesh);
  const normals = vertexNormals(positions, triangles);
  normalizeAll(normals, undefined);
  const edgeLengths = new Float64Array(vertexCount);
  const edgeFactors = new Float64Array(3 * neighbours.length);
  const normalFactors = new Float64Array(3 * vertexCount);
  const edges = new Float64Array(edgeFactors.length);
  const matrix = new Float64Array(6);
  const solved = new Float64Array(3);
  for (let i = 0; i < vertexCount; i++) {
    const [from, to] = [offsets[i], offsets[i + 1]];
    matrix.fill(0);
    let squares = 0;
    for (let n = from; n < to; n++) {
      const edge = edges.subarray(3 * n, 3 * n + 3);
      for (let c = 0; c < 3; c++) edge[c] = positions[3 * neighbours[n] + c] - positions[3 * i + c];
      addSquare(matrix, edge, 1);
      const square = edge[0] ** 2 + edge[1] ** 2 + edge[2] ** 2;
      squares += square;
      edgeLengths[i] += Math.sqrt(square) / (to - from);
    }
    const share = to > from ? squares / (to - from) : 0;
    const normal = normals.subarray(3 * i, 3 * i + 3);
    addSquare(matrix, normal, share);
    const floor = SOLVE_FLOOR * (matrix[0] + matrix[3] + matrix[5]);
    for (let n = from; n < to; n++) {
      solveSymmetric(matrix, floor, edges.subarray(3 * n, 3 * n + 3), solved);
      edgeFactors.set(solved, 3 * n);
    }
    solveSymmetric(matrix, floor, normal, solved);
    for (let c = 0; c < 3; c++) normalFactors[3 * i + c] = share * solved[c];
  }
  return { mesh, normals, edgeLengths, offsets, neighbours, edgeFactors, normalFactors };
}

/** Adds share·v⊗v to a symmetric matrix [xx, xy, xz, yy, yz, zz]. */
function addSquare(matrix: Float64Array, [x, y, z]: Float64Array, share: number): void {
  matrix[0] += share * x * x;
  matrix[1] += share * x * y;
  matrix[2] += share * x * z;
  matrix[3] += share * y * y;
  matrix[4] += share * y * z;
  matrix[5] += share * z * z;
}

/** Writes the frames for positions in the mesh's own order. */
export function writeFrames(rest: FrameRest, positions: Float64Array, out: Frames): void {
  const { normals, gradients } = out;
  vertexNormals(positions, rest.mesh.triangles, normals);
  normalizeAll(normals, rest.normals);
  const { offsets, neighbours, edgeFactors, normalFactors } = rest;
  gradients.fill(0);
  for (let i = 0; i + 1 < offsets.length; i++) {
    const [v, g] = [3 * i, 9 * i];
    addProduct(gradients, g, normals[v], normals[v + 1], normals[v + 2], normalFactors, v);
    for (let n = offsets[i]; n < offsets[i + 1]; n++) {
      const w = 3 * neighbours[n];
      const x = positions[w] - positions[v];
      const y = positions[w + 1] - positions[v + 1];
      const z = positions[w + 2] - positions[v + 2];
      addProduct(gradients, g, x, y, z, edgeFactors, 3 * n);
    }
  }
  calmGradients(rest, out);
}

/** Adds (x, y, z)⊗factors to the matrix at g. */
function addProduct(
  matrices: Float64Array,
  g: number,
  x: number,
  y: number,
  z: number,
  factors: Float64Array,
  f: number,
): void {
  for (let c = 0; c < 3; c++) {
    matrices[g + c] += x * factors[f + c];
    matrices[g + 3 + c] += y * factors[f + c];
    matrices[g + 6 + c] += z * factors[f + c];
  }
}

/** Takes means over neighbours, and the mean of all. */
function calmGradients({ offsets, neighbours }: FrameRest, frames: Frames): void {
  const { gradients, scratch, meanGradient } = frames;
  for (let round = 0; round < CALMING_ROUNDS; round++) {
    // An even number of rounds ends in `gradients`.
    const [from, to] = round % 2 === 0 ? [gradients, scratch] : [scratch, gradients];
    for (let i = 0; i + 1 < offsets.length; i++) {
      const share = 1 / (1 + offsets[i + 1] - offsets[i]);
      for (let c = 0; c < 9; c++) {
        let sum = from[9 * i + c];
        for (let n = offsets[i]; n < offsets[i + 1]; n++) sum += from[9 * neighbours[n] + c];
        to[9 * i + c] = share * sum;
      }
    }
  }
  const count = offsets.length - 1;
  meanGradient.fill(0);
  for (let k = 0; k < 9 * count; k++) meanGradient[k % 9] += gradients[k] / count;
}
