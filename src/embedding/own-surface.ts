// A visible mesh that is the simulation mesh itself, triangle by triangle, is cut as that is: each triangle becomes the pieces that the
// simulation's became, with the same vertices, so that it stays on the surface however often it is cut. By the faces in space alone,
// where edges are cut is off by as much as the faces bend: a hundred cuts in a pile took it 0.8 % of the size away.

import { boundsOf, diagonalOf } from '../mesh/measure.js';
import type { MeshCut } from '../mesh/mesh-descent.js';
import { findPieces } from '../mesh/mesh-pieces.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { ShownMesh } from './shown-mesh.js';

/** Rounding of weights, and of places in sizes of the mesh. */
const ROUNDING = 1e-9;

/** A number for a triangle of a mesh of so many vertices, the same whichever corner is first. */
export function keyOfTriangle(a: number, b: number, c: number, count: number): number {
  if (b < a && b < c) return (b * count + c) * count + a;
  if (c < a && c < b) return (c * count + a) * count + b;
  return (a * count + b) * count + c;
}

/** What of a simulation mesh a mesh is that shows it. */
export interface OwnSurface {
  /** The vertex that each one shown is; −1 where it is none. */
  readonly vertices: Int32Array;
  /** The triangle that each one shown is, with whichever corner first; −1 where it hangs together with one that is none. */
  readonly triangles: Int32Array;
}

/** What of the simulation mesh vertices and triangles shown are. The faces of cuts are its own, whatever else is shown. */
export function findOwnSurface(mesh: ShownMesh, cage: TriangleMesh): OwnSurface {
  const vertices = findOwnVertices(mesh, cage);
  const count = cage.positions.length / 3;
  const known = new Map<number, number>();
  for (let t = 0; 3 * t < cage.triangles.length; t++) {
    const [a, b, c] = cage.triangles.subarray(3 * t, 3 * t + 3);
    known.set(keyOfTriangle(a, b, c, count), t);
  }
  const { pieceOf, count: pieceCount } = findPieces(mesh);
  const isOwn = new Uint8Array(pieceCount).fill(1);
  const triangles = Int32Array.from({ length: mesh.triangles.length / 3 }, (_, t) => {
    const [a, b, c] = [0, 1, 2].map((k) => vertices[mesh.triangles[3 * t + k]]);
    const own = Math.min(a, b, c) < 0 ? undefined : known.get(keyOfTriangle(a, b, c, count));
    if (own === undefined) isOwn[pieceOf[mesh.triangles[3 * t]]] = 0;
    return own ?? -1;
  });
  return { vertices, triangles: triangles.map((own, t) => (isOwn[pieceOf[mesh.triangles[3 * t]]] === 1 ? own : -1)) };
}

function findOwnVertices(mesh: ShownMesh, { positions }: TriangleMesh): Int32Array {
  const near = ROUNDING * diagonalOf(boundsOf(positions));
  return Int32Array.from({ length: mesh.count }, (_, i) => {
    const k = [3 * i, 3 * i + 1, 3 * i + 2].find((n) => mesh.boundWeights[n] > 1 - ROUNDING);
    if (k === undefined) return -1;
    const own = mesh.boundCorners[k];
    const isThere = [0, 1, 2].every((c) => Math.abs(mesh.positions[3 * i + c] - positions[3 * own + c]) <= near);
    return isThere ? own : -1;
  });
}

/** Adds the pieces that the simulation's triangles became of which `given`, those shown before the cut, are own ones. */
export function cutOwnSurface(
  mesh: ShownMesh,
  cage: TriangleMesh,
  cut: MeshCut,
  own: OwnSurface,
  given: Pick<ShownMesh, 'triangles' | 'sources'>,
): void {
  const { sources, before, origin } = cut;
  const oldCount = before.positions.length / 3;
  const pieces = new Map<number, number[]>();
  sources.forEach((source, t) => {
    pieces.set(source, [...(pieces.get(source) ?? []), t]);
  });
  const made = new Map<string, number>();
  own.triangles.forEach((source, t) => {
    if (source < 0) return;
    const shown = new Map(given.triangles.slice(3 * t, 3 * t + 3).map((vertex) => [own.vertices[vertex], vertex]));
    /** The vertex shown for a new one: another one for each side of a seam. */
    const showNew = (vertex: number): number => {
      const between: [number, number][] = [];
      for (let k = 3 * vertex; k < 3 * vertex + 3; k++) {
        if (origin.weights[k] > 0) between.push([shown.get(origin.corners[k]) as number, origin.weights[k]]);
      }
      const name = [vertex, ...between.map(([corner]) => corner)].join(' ');
      const known = made.get(name);
      if (known !== undefined) return known;
      const added = mesh.addBetween(between);
      made.set(name, added);
      return added;
    };
    for (const piece of pieces.get(source) ?? []) {
      const corners = cage.triangles.subarray(3 * piece, 3 * piece + 3);
      corners.forEach((vertex, corner) => {
        const own = vertex < oldCount ? (shown.get(vertex) as number) : showNew(vertex);
        mesh.bindToCorner(own, corners, corner);
        mesh.triangles.push(own);
      });
      mesh.sources.push(given.sources[t]);
    }
  });
}
