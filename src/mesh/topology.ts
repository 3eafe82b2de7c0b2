// How a mesh hangs together, from its indices alone: open and non-manifold edges, fans at vertices, components,
// and whether one winding can be chosen for all triangles.

import { buildAdjacency, type MeshAdjacency } from './adjacency.js';
import type { TriangleMesh } from './triangle-mesh.js';

/**
 * `closed`: there are triangles and every edge has exactly two.
 * `manifold`: no edge has more than two triangles and the triangles at every vertex are one fan, joined by edges.
 * A mesh with a border can be manifold; two bodies touching in one shared vertex are closed but not manifold.
 * A component is a set of triangles joined by shared vertices; vertices without triangles belong to none.
 */
export interface MeshTopology {
  readonly adjacency: MeshAdjacency;
  readonly closed: boolean;
  readonly manifold: boolean;
  /** Every edge is run along equally often in both directions, so the volume does not depend on the origin. */
  readonly balanced: boolean;
  /** Edges with one triangle. */
  readonly openEdges: Uint32Array;
  /** Edges with more than two triangles. */
  readonly crowdedEdges: Uint32Array;
  /** Vertices with several fans. */
  readonly splitVertices: Uint32Array;
  /** Vertices in no triangle. */
  readonly looseVertices: Uint32Array;
  readonly componentCount: number;
  /** Component of each triangle; triangles that adjacency leaves out have `NO_COMPONENT`. */
  readonly triangleComponents: Uint32Array;
  readonly winding: WindingCheck;
}

/** Result of walking over all edges with two triangles. */
export interface WindingCheck {
  /** 1 for triangles to be turned so that each patch agrees with its first triangle. */
  readonly turned: Uint8Array;
  /** Number of the patch of each triangle: triangles joined by edges with exactly two triangles. */
  readonly patches: Uint32Array;
  readonly patchCount: number;
  /** 1 for patches in which no winding agrees everywhere (a Möbius strip in them). */
  readonly oneSided: Uint8Array;
  /** Edges whose two triangles run along it in the same direction. */
  readonly clashingEdges: Uint32Array;
}

export const NO_COMPONENT = 0xffffffff;

/** Smallest index of each set of a growing union; path halving keeps it near linear. */
export class UnionFind {
  private readonly parent: Uint32Array;

  constructor(capacity: number) {
    this.parent = new Uint32Array(capacity);
    this.reset(capacity);
  }

  /** Starts again with the first `count` items apart. */
  reset(count: number): void {
    for (let i = 0; i < count; i++) this.parent[i] = i;
  }

  find(i: number): number {
    const { parent } = this;
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  }

  /** Joins two sets; returns false where they were one already. */
  union(a: number, b: number): boolean {
    const p = this.find(a);
    const q = this.find(b);
    if (p === q) return false;
    if (p < q) this.parent[q] = p;
    else this.parent[p] = q;
    return true;
  }
}

function findComponents(adjacency: MeshAdjacency, triangles: Uint32Array) {
  const triangleCount = Math.floor(triangles.length / 3);
  const sets = new UnionFind(adjacency.vertexCount);
  for (let e = 0; e < adjacency.edgeCount; e++) {
    sets.union(adjacency.edgeVertices[2 * e], adjacency.edgeVertices[2 * e + 1]);
  }
  const number = new Uint32Array(adjacency.vertexCount).fill(NO_COMPONENT);
  const triangleComponents = new Uint32Array(triangleCount).fill(NO_COMPONENT);
  let componentCount = 0;
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
    if (Math.max(a, b, c) >= adjacency.vertexCount || a === b || b === c || c === a) continue;
    const root = sets.find(a);
    if (number[root] === NO_COMPONENT) number[root] = componentCount++;
    triangleComponents[t] = number[root];
  }
  return { triangleComponents, componentCount };
}

/** Vertices whose triangles, joined by the edges at that vertex, fall apart into several groups. */
function findSplitVertices(adjacency: MeshAdjacency, triangles: Uint32Array): number[] {
  const { vertexTriangleOffsets: offsets, vertexTriangles } = adjacency;
  const split: number[] = [];
  // Marks a neighbouring vertex with the fan number seen across the edge to it; reset by visiting the same again.
  const fanAcross = new Int32Array(adjacency.vertexCount).fill(-1);
  let mostTriangles = 0;
  for (let v = 0; v < adjacency.vertexCount; v++) mostTriangles = Math.max(mostTriangles, offsets[v + 1] - offsets[v]);
  const fans = new UnionFind(mostTriangles);
  for (let v = 0; v < adjacency.vertexCount; v++) {
    const start = offsets[v];
    const count = offsets[v + 1] - start;
    if (count < 2) continue;
    fans.reset(count);
    let fanCount = count;
    for (let i = 0; i < count; i++) {
      const t = vertexTriangles[start + i];
      for (let k = 0; k < 3; k++) {
        const other = triangles[3 * t + k];
        if (other === v) continue;
        if (fanAcross[other] < 0) fanAcross[other] = i;
        else if (fans.union(fanAcross[other], i)) fanCount--;
      }
    }
    for (let i = 0; i < count; i++) {
      const t = vertexTriangles[start + i];
      for (let k = 0; k < 3; k++) fanAcross[triangles[3 * t + k]] = -1;
    }
    if (fanCount > 1) split.push(v);
  }
  return split;
}

/** Walks from triangle to triangle over edges with exactly two triangles and compares their directions. */
function checkWinding(adjacency: MeshAdjacency, triangleCount: number): WindingCheck {
  const { edgeTriangleOffsets, edgeTriangles, edgeDirections, edgeCount } = adjacency;
  // Across corner 3t + k: the neighbour over an edge with two triangles, and whether the two clash.
  const neighbour = new Int32Array(3 * triangleCount).fill(-1);
  const clash = new Uint8Array(3 * triangleCount);
  const used = new Uint8Array(triangleCount);
  const clashing: number[] = [];
  for (let e = 0; e < edgeCount; e++) {
    const i = edgeTriangleOffsets[e];
    if (edgeTriangleOffsets[e + 1] - i !== 2) continue;
    const [t, u] = [edgeTriangles[i], edgeTriangles[i + 1]];
    const same = edgeDirections[i] === edgeDirections[i + 1] ? 1 : 0;
    if (same) clashing.push(e);
    neighbour[3 * t + used[t]] = u;
    clash[3 * t + used[t]++] = same;
    neighbour[3 * u + used[u]] = t;
    clash[3 * u + used[u]++] = same;
  }

  const turned = new Uint8Array(triangleCount);
  const patches = new Uint32Array(triangleCount).fill(NO_COMPONENT);
  const oneSided: number[] = [];
  const queue = new Uint32Array(triangleCount);
  for (let first = 0; first < triangleCount; first++) {
    if (patches[first] !== NO_COMPONENT) continue;
    const patch = oneSided.length;
    oneSided.push(0);
    patches[first] = patch;
    queue[0] = first;
    let length = 1;
    for (let head = 0; head < length; head++) {
      const t = queue[head];
      for (let k = 3 * t; k < 3 * t + used[t]; k++) {
        const u = neighbour[k];
        if (patches[u] === NO_COMPONENT) {
          patches[u] = patch;
          turned[u] = turned[t] ^ clash[k];
          queue[length++] = u;
        } else if (turned[u] !== (turned[t] ^ clash[k])) oneSided[patch] = 1;
      }
    }
  }
  return {
    turned,
    patches,
    patchCount: oneSided.length,
    oneSided: Uint8Array.from(oneSided),
    clashingEdges: Uint32Array.from(clashing),
  };
}

/**
 * Looks at everything that does not need positions.
 * @example
 * ```ts
 * const { closed, componentCount } = analyseTopology(torus());
 * ```
 */
export function analyseTopology(mesh: TriangleMesh, adjacency = buildAdjacency(mesh)): MeshTopology {
  const { edgeTriangleOffsets, edgeDirections, vertexTriangleOffsets } = adjacency;
  const triangleCount = Math.floor(mesh.triangles.length / 3);
  const open: number[] = [];
  const crowded: number[] = [];
  let balanced = true;
  for (let e = 0; e < adjacency.edgeCount; e++) {
    const count = edgeTriangleOffsets[e + 1] - edgeTriangleOffsets[e];
    if (count === 1) open.push(e);
    else if (count > 2) crowded.push(e);
    let sum = 0;
    for (let i = edgeTriangleOffsets[e]; i < edgeTriangleOffsets[e + 1]; i++) sum += edgeDirections[i];
    if (sum !== 0) balanced = false;
  }
  const loose: number[] = [];
  for (let v = 0; v < adjacency.vertexCount; v++) {
    if (vertexTriangleOffsets[v + 1] === vertexTriangleOffsets[v]) loose.push(v);
  }
  const split = findSplitVertices(adjacency, mesh.triangles);
  return {
    adjacency,
    closed: adjacency.edgeCount > 0 && open.length === 0 && crowded.length === 0,
    manifold: crowded.length === 0 && split.length === 0,
    balanced,
    openEdges: Uint32Array.from(open),
    crowdedEdges: Uint32Array.from(crowded),
    splitVertices: Uint32Array.from(split),
    looseVertices: Uint32Array.from(loose),
    ...findComponents(adjacency, mesh.triangles),
    winding: checkWinding(adjacency, triangleCount),
  };
}
