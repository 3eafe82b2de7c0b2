// A visible mesh follows its simulation mesh through a cut, or into one of its parts: it is cut along the same faces, which close it, and
// what is bound on either side of them stays on its side.

import { vertexNormals } from '../mesh/measure.js';
import type { MeshCut, MeshPart, MeshStep } from '../mesh/mesh-descent.js';
import { findPieces } from '../mesh/mesh-pieces.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildTriangleTree } from '../mesh/triangle-tree.js';
import { NearestPoint } from '../mesh/triangle-tree-nearest.js';
import { CutPlaces } from './cut-places.js';
import { type CutTriangles, cutTriangles } from './cut-triangles.js';
import type { Embedding } from './embedding-types.js';
import { FaceSheet } from './face-sheet.js';
import { cutOwnSurface, findOwnSurface, keyOfTriangle } from './own-surface.js';
import { ShownMesh } from './shown-mesh.js';
import { buildFrameRest } from './vertex-frames.js';

/** The embedding after a step of the simulation mesh, of what was embedded in the one before. */
export function followStep(prior: Embedding, cage: TriangleMesh, step: MeshStep): Embedding {
  const mesh = new ShownMesh(prior);
  if (step.kind === 'part') followPart(mesh, step);
  else followCut(mesh, cage, step);
  return mesh.finish(prior, cage, buildFrameRest(cage));
}

/** What hangs on the vertices of the part stays. */
function followPart(mesh: ShownMesh, { vertices }: MeshPart): void {
  const numbers = new Map(Array.from(vertices, (vertex, n) => [vertex, n]));
  mesh.keep((vertex) => numbers.has(mesh.boundCorners[3 * vertex]));
  mesh.boundCorners.forEach((corner, k) => {
    mesh.boundCorners[k] = numbers.get(corner) as number;
  });
}

function followCut(mesh: ShownMesh, cage: TriangleMesh, step: MeshCut): void {
  if (3 * step.sources.length === cage.triangles.length) return;
  const own = findOwnSurface(mesh, step.before);
  const { triangles, sources } = mesh;
  mesh.triangles = triangles.filter((_, k) => own.triangles[Math.trunc(k / 3)] < 0);
  mesh.sources = sources.filter((_, t) => own.triangles[t] < 0);
  if (mesh.triangles.length > 0) cutAlongFaces(mesh, cage, step);
  cutOwnSurface(mesh, cage, step, own, { triangles, sources });
  addFaces(mesh, cage, step);
}

/** Cuts a mesh that is another one than the simulation's along the faces of the cut. */
function cutAlongFaces(mesh: ShownMesh, cage: TriangleMesh, step: MeshCut): void {
  const { pieceOf } = findPieces(step.before);
  const pieceAfter = followPieces(cage, step, pieceOf);
  const faces = new Map<number, number[]>();
  for (let t = step.sources.length; 3 * t < cage.triangles.length; t += 2) {
    const piece = pieceAfter(t);
    faces.set(piece, [...(faces.get(piece) ?? []), t]);
  }
  const sheets = new Map([...faces].map(([piece, list]) => [piece, new FaceSheet(cage, step, list)]));
  const pieces = Uint32Array.from({ length: mesh.count }, (_, vertex) => pieceOf[mesh.boundCorners[3 * vertex]]);
  const isCut = new Uint8Array(step.before.triangles.length / 3);
  for (const t of listCut(cage, step)) isCut[step.sources[t]] = 1;
  const places = new CutPlaces(step.before, isCut, mesh.boundCorners.slice());
  const sides = rebind(mesh, cage, step);
  const found = cutTriangles(mesh, sheets, pieces, sides, places);
  bindNew(mesh, cage, step, found, pieceAfter);
}

/** The closed piece of the mesh before that each triangle after a cut is of: cuts part pieces and join none. */
function followPieces(
  cage: TriangleMesh,
  { sources, before }: MeshCut,
  pieceOf: Uint32Array,
): (triangle: number) => number {
  const { pieceOf: partOf, count } = findPieces(cage);
  const pieces = new Uint32Array(count);
  sources.forEach((source, t) => {
    pieces[partOf[cage.triangles[3 * t]]] = pieceOf[before.triangles[3 * source]];
  });
  return (t) => pieces[partOf[cage.triangles[3 * t]]];
}

/** Triangles of the simulation mesh at the cut, as what can be bound to. */
class Pieces {
  private readonly nearest: NearestPoint;

  constructor(
    private readonly cage: TriangleMesh,
    private readonly list: readonly number[],
  ) {
    const corners = list.flatMap((t) => [...cage.triangles.subarray(3 * t, 3 * t + 3)]);
    this.nearest = new NearestPoint(buildTriangleTree(cage.positions, corners));
  }

  /** Binds a vertex to the point of them that is nearest to where it was bound, or else to itself; returns the triangle. */
  bind(mesh: ShownMesh, vertex: number, from: readonly number[]): number {
    const { nearest, cage, list } = this;
    nearest.find(from[0], from[1], from[2]);
    for (let c = 0; c < 3; c++) {
      mesh.boundCorners[3 * vertex + c] = cage.triangles[3 * list[nearest.triangle] + c];
      mesh.boundWeights[3 * vertex + c] = nearest.weights[c];
      mesh.offsets[3 * vertex + c] = mesh.positions[3 * vertex + c] - nearest.point[c];
    }
    return list[nearest.triangle];
  }
}

/** On which side of a cut a triangle after it is; 0 where none of its vertices says so. */
function sideOf({ triangles }: TriangleMesh, { sides, before }: MeshCut, t: number): number {
  const oldCount = before.positions.length / 3;
  for (let k = 3 * t; k < 3 * t + 3; k++) {
    const side = sides[triangles[k] - oldCount];
    if (side !== undefined && side !== 0) return side;
  }
  return 0;
}

/** Triangles after a cut that are pieces of those before. */
function listCut({ triangles }: TriangleMesh, { sources, before }: MeshCut): number[] {
  const oldCount = before.positions.length / 3;
  const isNew = (t: number): boolean => triangles.subarray(3 * t, 3 * t + 3).some((vertex) => vertex >= oldCount);
  return Array.from(sources, (_, t) => t).filter(isNew);
}

/**
 * Binds what hung on triangles that were cut to the piece that it hung on; returns the sides that it is on by that, 0 for what hangs
 * elsewhere. These count: far from the faces of a cut, and where they bend, a side by their height may be another one.
 */
function rebind(mesh: ShownMesh, cage: TriangleMesh, step: MeshCut): Int8Array {
  const { sources, before } = step;
  const oldCount = before.positions.length / 3;
  const bySource = new Map<number, number[]>();
  for (const t of listCut(cage, step)) {
    const [a, b, c] = before.triangles.subarray(3 * sources[t], 3 * sources[t] + 3);
    const key = keyOfTriangle(a, b, c, oldCount);
    bySource.set(key, [...(bySource.get(key) ?? []), t]);
  }
  const made = new Map<number, Pieces>();
  const sides = new Int8Array(mesh.count);
  for (let i = 0, k = 0; i < sides.length; i++, k += 3) {
    const [a, b, c] = mesh.boundCorners.slice(k, k + 3);
    const key = keyOfTriangle(a, b, c, oldCount);
    const own = bySource.get(key);
    if (!own) continue;
    const pieces = made.get(key) ?? new Pieces(cage, own);
    made.set(key, pieces);
    const from = [0, 1, 2].map((c) => mesh.positions[k + c] - mesh.offsets[k + c]);
    sides[i] = sideOf(cage, step, pieces.bind(mesh, i, from));
  }
  return sides;
}

/** Binds new vertices to what was cut of the triangle that they are on, or else of their own piece, on their own side. */
function bindNew(
  mesh: ShownMesh,
  cage: TriangleMesh,
  step: MeshCut,
  { first, sides, pieces, sources }: CutTriangles,
  pieceOf: (triangle: number) => number,
): void {
  const lists = new Map<string, number[]>();
  const listOf = (kind: string, number: number, side: number): number[] => {
    const name = `${kind} ${number} ${side}`;
    const list = lists.get(name) ?? [];
    lists.set(name, list);
    return list;
  };
  for (const t of listCut(cage, step)) {
    const side = sideOf(cage, step, t);
    for (const one of side === 0 ? [1, -1, 0] : [side, 0]) {
      listOf('all', pieceOf(t), one).push(t);
      listOf('of', step.sources[t], one).push(t);
    }
  }
  const made = new Map<readonly number[], Pieces>();
  sides.forEach((side, n) => {
    const lists = [
      listOf('of', sources[n], side),
      listOf('of', sources[n], 0),
      listOf('all', pieces[n], side),
      listOf('all', pieces[n], 0),
    ];
    const list = lists.find(({ length }) => length > 0) ?? lists[0];
    const own = made.get(list) ?? new Pieces(cage, list);
    made.set(list, own);
    own.bind(mesh, first + n, mesh.positions.slice(3 * (first + n), 3 * (first + n) + 3));
  });
}

/** Adds the faces of the cut, which lie on the simulation mesh's own. */
function addFaces(mesh: ShownMesh, { positions, triangles }: TriangleMesh, { sources, before, charts }: MeshCut): void {
  const oldCount = before.positions.length / 3;
  for (const side of [0, 1]) {
    const faces: number[] = [];
    for (let t = sources.length + side; 3 * t < triangles.length; t += 2) faces.push(t);
    const corners = faces.flatMap((t) => [...triangles.subarray(3 * t, 3 * t + 3)]);
    const normals = vertexNormals(positions, Uint32Array.from(corners));
    const shown = new Map<number, number>();
    corners.forEach((vertex, n) => {
      let own = shown.get(vertex);
      if (own === undefined) {
        const normal = [...normals.subarray(3 * vertex, 3 * vertex + 3)];
        const length = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2) || 1;
        const place = vertex - oldCount;
        own = mesh.addOnFace(
          positions.subarray(3 * vertex, 3 * vertex + 3),
          normal.map((x) => x / length),
          [charts[2 * place], charts[2 * place + 1]],
          corners.slice(n - (n % 3), n - (n % 3) + 3),
          n % 3,
        );
        shown.set(vertex, own);
      }
      mesh.triangles.push(own);
    });
    for (const _ of faces) mesh.sources.push(-1);
  }
}
