// Who touches whom in a mesh: vertex neighbours, triangles at a vertex, triangles at an edge, as compressed lists.
// Built with two counting sorts over the half-edges, so it is linear in the mesh even with a vertex of huge degree.

import { accumulate, sortByKey } from './counting-sort.js';
import type { TriangleMesh } from './triangle-mesh.js';

/**
 * Compressed lists: the entries of item i are `list[offsets[i]] … list[offsets[i + 1] - 1]`.
 * Any input is accepted: an edge may have one, two or more triangles. Triangles with an index out of range and
 * those that repeat an index, which have no inside and only an edge run along to and fro, are left out.
 */
export interface MeshAdjacency {
  readonly vertexCount: number;
  /** Neighbours of each vertex, ascending. */
  readonly neighbourOffsets: Uint32Array;
  readonly neighbours: Uint32Array;
  /** Triangles at each vertex, ascending. */
  readonly vertexTriangleOffsets: Uint32Array;
  readonly vertexTriangles: Uint32Array;
  readonly edgeCount: number;
  /** Two vertices per edge, the lower first; edges ascend by (lower, higher). */
  readonly edgeVertices: Uint32Array;
  /** Triangles at each edge, ascending. */
  readonly edgeTriangleOffsets: Uint32Array;
  readonly edgeTriangles: Uint32Array;
  /** Beside `edgeTriangles`: +1 where the triangle runs along the edge from lower to higher vertex, −1 otherwise. */
  readonly edgeDirections: Int8Array;
}

/** Triangles at each vertex. */
function listVertexTriangles(triangles: Uint32Array, usable: Uint8Array, vertexCount: number) {
  const offsets = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < 3 * usable.length; i++) if (usable[Math.floor(i / 3)]) offsets[triangles[i] + 1]++;
  accumulate(offsets);
  const next = offsets.slice();
  const list = new Uint32Array(offsets[vertexCount]);
  for (let i = 0; i < 3 * usable.length; i++) {
    const t = Math.floor(i / 3);
    if (usable[t]) list[next[triangles[i]]++] = t;
  }
  return { offsets, list };
}

/** Neighbours from edges in ascending order: filling in that order leaves every list sorted. */
function listNeighbours(edgeVertices: Uint32Array, vertexCount: number) {
  const offsets = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < edgeVertices.length; i++) offsets[edgeVertices[i] + 1]++;
  accumulate(offsets);
  const next = offsets.slice();
  const list = new Uint32Array(edgeVertices.length);
  for (let i = 0; i < edgeVertices.length; i += 2) {
    const low = edgeVertices[i];
    const high = edgeVertices[i + 1];
    list[next[low]++] = high;
    list[next[high]++] = low;
  }
  return { offsets, list };
}

/** Half-edges sorted by (lower, higher, triangle), and their keys. Half-edge 3t + k runs from corner k to the next. */
function sortHalfEdges(triangles: Uint32Array, usable: Uint8Array, vertexCount: number) {
  const low = new Uint32Array(3 * usable.length);
  const high = new Uint32Array(3 * usable.length);
  const items = new Uint32Array(3 * usable.length);
  let count = 0;
  for (let t = 0; t < usable.length; t++) {
    if (!usable[t]) continue;
    for (let k = 0; k < 3; k++) {
      const h = 3 * t + k;
      const from = triangles[h];
      const to = triangles[k === 2 ? 3 * t : h + 1];
      low[h] = Math.min(from, to);
      high[h] = Math.max(from, to);
      items[count++] = h;
    }
  }
  const sorted = sortByKey(sortByKey(items.subarray(0, count), high, vertexCount), low, vertexCount);
  return { sorted, low, high };
}

const known = new WeakMap<Uint32Array, MeshAdjacency>();

/** The lists of a mesh whose triangles never change, built once. */
export function adjacencyOf(mesh: TriangleMesh): MeshAdjacency {
  const { triangles, positions } = mesh;
  const found = known.get(triangles);
  if (found?.vertexCount === Math.floor(positions.length / 3)) return found;
  const adjacency = buildAdjacency(mesh);
  known.set(triangles, adjacency);
  return adjacency;
}

/**
 * Builds all lists at once.
 * @example
 * ```ts
 * const adjacency = buildAdjacency(icosphere());
 * ```
 */
export function buildAdjacency(mesh: TriangleMesh): MeshAdjacency {
  const { triangles } = mesh;
  const vertexCount = Math.floor(mesh.positions.length / 3);
  const usable = new Uint8Array(Math.floor(triangles.length / 3));
  for (let t = 0; t < usable.length; t++) {
    const a = triangles[3 * t];
    const b = triangles[3 * t + 1];
    const c = triangles[3 * t + 2];
    const inRange = a < vertexCount && b < vertexCount && c < vertexCount;
    usable[t] = inRange && a !== b && b !== c && c !== a ? 1 : 0;
  }

  const { sorted, low, high } = sortHalfEdges(triangles, usable, vertexCount);
  const halfCount = sorted.length;
  let edgeCount = 0;
  for (let i = 0; i < halfCount; i++) {
    const h = sorted[i];
    const previous = sorted[i - 1];
    if (i === 0 || low[h] !== low[previous] || high[h] !== high[previous]) edgeCount++;
  }
  const edgeVertices = new Uint32Array(2 * edgeCount);
  const edgeTriangleOffsets = new Uint32Array(edgeCount + 1);
  const edgeTriangles = new Uint32Array(halfCount);
  const edgeDirections = new Int8Array(halfCount);
  let edge = -1;
  for (let i = 0; i < halfCount; i++) {
    const h = sorted[i];
    if (edge < 0 || low[h] !== edgeVertices[2 * edge] || high[h] !== edgeVertices[2 * edge + 1]) {
      edge++;
      edgeVertices[2 * edge] = low[h];
      edgeVertices[2 * edge + 1] = high[h];
      edgeTriangleOffsets[edge] = i;
    }
    edgeTriangles[i] = Math.floor(h / 3);
    edgeDirections[i] = triangles[h] === low[h] ? 1 : -1;
  }
  edgeTriangleOffsets[edgeCount] = halfCount;

  const neighbours = listNeighbours(edgeVertices, vertexCount);
  const vertexTriangles = listVertexTriangles(triangles, usable, vertexCount);
  return {
    vertexCount,
    neighbourOffsets: neighbours.offsets,
    neighbours: neighbours.list,
    vertexTriangleOffsets: vertexTriangles.offsets,
    vertexTriangles: vertexTriangles.list,
    edgeCount,
    edgeVertices,
    edgeTriangleOffsets,
    edgeTriangles,
    edgeDirections,
  };
}
