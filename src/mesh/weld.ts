// Merges vertices in one place, so that a surface cut along seams (for its normals, its texture, or by a file format
// without shared vertices) becomes closed again.
// Based on: A. Guéziec, G. Taubin, F. Lazarus, B. Horn, Cutting and stitching: converting sets of polygons to manifold
// surfaces, 2001. Vertices are merged only by stitching open edges that lie on each other, and by collapsing edges
// without length. Merging every pair in one place is simpler and was rejected: it ruins two closed bodies that touch.

import { buildAdjacency } from './adjacency.js';
import { groupCoincidentVertices } from './coincident-vertices.js';
import { boundsOf, diagonalOf } from './measure.js';
import { stitchOpenEdges } from './stitch.js';
import { analyseTopology, UnionFind } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** What counts as the same place. */
export interface WeldOptions {
  /** Vertices this close are in one place, as a share of the bounding box's diagonal; 0 for equal positions only. */
  readonly tolerance?: number;
}

/** 1e-6 is sixteen steps of single precision: seams computed twice close, and features that small are no features. */
export const WELD_DEFAULTS: Required<WeldOptions> = { tolerance: 1e-6 };

/** A mesh without duplicate vertices, and which vertex became which. */
export interface Welded {
  readonly mesh: TriangleMesh;
  /** Vertices that became part of another. */
  readonly merged: number;
  /** Triangles that lost their area by merging. */
  readonly droppedTriangles: number;
  /** Vertices of the result that share their place with an earlier one because merging them would spoil the surface. */
  readonly keptApart: number;
  /** New vertex of each old one; `NO_VERTEX` for a vertex all of whose triangles were dropped. */
  readonly vertexMap: Uint32Array;
}

/** Stands for no vertex in lists of vertices. */
export const NO_VERTEX = 0xffffffff;

/** Rounds of welding again with the groups at fault taken apart; a mesh that still has faults then is left as it is. */
const ROUNDS = 12;

/** Corners of each triangle after merging; collapsed triangles are left out. */
function mapTriangles(triangles: Uint32Array, sets: UnionFind, vertexCount: number): Uint32Array {
  const mapped = new Uint32Array(triangles.length);
  // What is out of range is for `validate` to name, not for us to hide.
  const target = (v: number) => (v < vertexCount ? sets.find(v) : v);
  let length = 0;
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const a = target(triangles[i]);
    const b = target(triangles[i + 1]);
    const c = target(triangles[i + 2]);
    if (a === b || b === c || c === a) continue;
    mapped[length++] = a;
    mapped[length++] = b;
    mapped[length++] = c;
  }
  return mapped.slice(0, length);
}

/** Merges vertices of one triangle that are in one place. */
function collapseShortEdges(triangles: Uint32Array, heads: Uint32Array, sets: UnionFind): void {
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[i + k];
      const b = triangles[i + ((k + 1) % 3)];
      if (a !== b && heads[a] !== undefined && heads[a] === heads[b]) sets.union(a, b);
    }
  }
}

/** Takes apart groups in which merging made an edge with too many triangles or a vertex with several fans. */
function separateFaults(mesh: TriangleMesh, sets: UnionFind, heads: Uint32Array): boolean {
  const setSizes = new Uint32Array(heads.length);
  for (let v = 0; v < heads.length; v++) setSizes[sets.find(v)]++;
  const { adjacency, crowdedEdges, splitVertices } = analyseTopology(mesh);
  const faults = new Set<number>();
  const blame = (vertex: number) => {
    if (setSizes[vertex] > 1) faults.add(heads[vertex]);
  };
  for (const v of splitVertices) blame(v);
  for (const e of crowdedEdges) {
    blame(adjacency.edgeVertices[2 * e]);
    blame(adjacency.edgeVertices[2 * e + 1]);
  }
  if (faults.size === 0) return false;
  for (let v = 0; v < heads.length; v++) if (faults.has(heads[v])) heads[v] = v;
  return true;
}

/** Numbers the sets that are still in use; vertices without triangles go to a used one in their place. */
function numberVertices(mesh: TriangleMesh, sets: UnionFind, places: Uint32Array, kept: Uint32Array) {
  const count = places.length;
  const used = new Uint8Array(count);
  for (let i = 0; i < kept.length; i++) used[kept[i]] = 1;
  const hadTriangle = new Uint8Array(count);
  for (let i = 0; i < mesh.triangles.length; i++) hadTriangle[mesh.triangles[i]] = 1;
  const usedInPlace = new Uint32Array(count).fill(NO_VERTEX);
  for (let v = 0; v < count; v++) if (used[v] && usedInPlace[places[v]] === NO_VERTEX) usedInPlace[places[v]] = v;
  const numbers = new Uint32Array(count).fill(NO_VERTEX);
  const vertexMap = new Uint32Array(count).fill(NO_VERTEX);
  const originals: number[] = [];
  for (let v = 0; v < count; v++) {
    let target = sets.find(v);
    if (!used[target]) target = usedInPlace[places[v]] !== NO_VERTEX ? usedInPlace[places[v]] : places[v];
    if (!used[target] && hadTriangle[v]) continue;
    if (numbers[target] === NO_VERTEX) {
      numbers[target] = originals.length;
      originals.push(target);
    }
    vertexMap[v] = numbers[target];
  }
  return { vertexMap, originals };
}

/**
 * Welds a mesh; a closed manifold stays one, and vertices keep their order and the position of the first merged.
 * @example
 * ```ts
 * const { mesh } = weld(icosphere(), { tolerance: 1e-6 });
 * ```
 */
export function weld(mesh: TriangleMesh, options: WeldOptions = {}): Welded {
  const { tolerance } = { ...WELD_DEFAULTS, ...options };
  const { positions, triangles } = mesh;
  const places = groupCoincidentVertices(positions, tolerance * diagonalOf(boundsOf(positions)));
  const heads = places.slice();
  const sets = new UnionFind(places.length);
  let kept = triangles;
  for (let round = 0; ; round++) {
    sets.reset(places.length);
    if (round < ROUNDS) {
      collapseShortEdges(triangles, heads, sets);
      const collapsed = { positions, triangles: mapTriangles(triangles, sets, places.length) };
      stitchOpenEdges(collapsed, buildAdjacency(collapsed), heads, sets);
    }
    kept = mapTriangles(triangles, sets, places.length);
    if (round === ROUNDS || !separateFaults({ positions, triangles: kept }, sets, heads)) break;
  }

  const { vertexMap, originals } = numberVertices(mesh, sets, places, kept);
  const newPositions = new Float64Array(3 * originals.length);
  originals.forEach((v, i) => {
    newPositions.set(positions.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  const seen = new Set(originals.map((v) => places[v]));
  return {
    mesh: { positions: newPositions, triangles: kept.map((v) => (v < places.length ? vertexMap[v] : v)) },
    merged: places.length - originals.length,
    droppedTriangles: (triangles.length - kept.length) / 3,
    keptApart: originals.length - seen.size,
    vertexMap,
  };
}
