// The edges of a body's surface, leaf by leaf of its tree, and how sharp they are: only where two sharp edges cross do vertices
// miss what triangles do.

import { adjacencyOf } from '../../mesh/adjacency.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import type { Bvh } from '../broad-phase/bvh.js';

/** Edges at rest, shared by all copies of a body. */
export interface BodyEdges {
  readonly count: number;
  /** Two per edge. */
  readonly ends: Uint32Array;
  /** 1 for edges that stand out at rest. */
  readonly sharp: Uint8Array;
  /** Edges of node n: owned[ownedOffsets[n]] … owned[ownedOffsets[n + 1] − 1]; every edge belongs to one leaf. */
  readonly ownedOffsets: Uint32Array;
  readonly owned: Uint32Array;
  /** 1 for nodes with a sharp edge below them. */
  readonly sharpNodes: Uint8Array;
}

/**
 * Cosine of the angle between two triangles from which on the edge between them is sharp: 25°. Over an edge of angle δ and
 * length h another of the same length can dip by h·tan(δ/2)/2 before its ends touch, here by 0.11 h, of which the gap hides 0.05.
 */
const SHARP = 0.906;

export function buildEdges(mesh: TriangleMesh, bvh: Bvh): BodyEdges {
  const { edgeCount, edgeVertices, edgeTriangles, edgeDirections } = adjacencyOf(mesh);
  const sharp = new Uint8Array(edgeCount);
  // A triangle of a closed manifold has three edges.
  const edgesOf = new Uint32Array(mesh.triangles.length);
  const filled = new Uint8Array(mesh.triangles.length / 3);
  for (let e = 0; e < edgeCount; e++) {
    const [low, high] = [edgeVertices[2 * e], edgeVertices[2 * e + 1]];
    let [left, right] = [0, 0];
    for (let side = 0; side < 2; side++) {
      // A closed manifold has two triangles at each edge.
      const t = edgeTriangles[2 * e + side];
      const sum = mesh.triangles[3 * t] + mesh.triangles[3 * t + 1] + mesh.triangles[3 * t + 2];
      if (edgeDirections[2 * e + side] > 0) left = sum - low - high;
      else right = sum - low - high;
      edgesOf[3 * t + filled[t]++] = e;
    }
    sharp[e] = isSharp(mesh.positions, 3 * low, 3 * high, 3 * left, 3 * right) ? 1 : 0;
  }
  const ownedOffsets = new Uint32Array(bvh.nodeCount + 1);
  const owned = new Uint32Array(edgeCount);
  const sharpNodes = new Uint8Array(bvh.nodeCount);
  const taken = new Uint8Array(edgeCount);
  let count = 0;
  for (let node = 0; node < bvh.nodeCount; node++) {
    for (let n = bvh.nodeLinks[node]; n < bvh.nodeLinks[node] + bvh.nodeCounts[node]; n++) {
      for (let k = 3 * bvh.order[n]; k < 3 * bvh.order[n] + 3; k++) {
        const e = edgesOf[k];
        if (taken[e] !== 0) continue;
        taken[e] = 1;
        owned[count++] = e;
        sharpNodes[node] |= sharp[e];
      }
    }
    ownedOffsets[node + 1] = count;
  }
  // Children come after their parent.
  for (let node = bvh.nodeCount - 1; node >= 0; node--) {
    if (bvh.nodeCounts[node] === 0) sharpNodes[node] = sharpNodes[node + 1] | sharpNodes[bvh.nodeLinks[node]];
  }
  return { count: edgeCount, ends: edgeVertices, sharp, ownedOffsets, owned, sharpNodes };
}

/** Whether edge pq is a sharp ridge, l and r being the third corners of the triangles on its left and on its right. */
function isSharp(x: Float64Array, p: number, q: number, l: number, r: number): boolean {
  const ex = x[q] - x[p];
  const ey = x[q + 1] - x[p + 1];
  const ez = x[q + 2] - x[p + 2];
  const lx = x[l] - x[p];
  const ly = x[l + 1] - x[p + 1];
  const lz = x[l + 2] - x[p + 2];
  const rx = x[r] - x[p];
  const ry = x[r + 1] - x[p + 1];
  const rz = x[r + 2] - x[p + 2];
  // Normals of the triangles: e × l, r × e.
  const nx = ey * lz - ez * ly;
  const ny = ez * lx - ex * lz;
  const nz = ex * ly - ey * lx;
  const mx = ry * ez - rz * ey;
  const my = rz * ex - rx * ez;
  const mz = rx * ey - ry * ex;
  const dot = nx * mx + ny * my + nz * mz;
  const size = Math.sqrt((nx * nx + ny * ny + nz * nz) * (mx * mx + my * my + mz * mz));
  return dot <= SHARP * size && nx * rx + ny * ry + nz * rz <= 0;
}
