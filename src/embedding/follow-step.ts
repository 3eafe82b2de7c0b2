// A visible mesh follows its simulation mesh through a cut, or into one of its parts: it is cut along the same faces, which close it, and
// what is bound on either side of them stays on its side.

import { vertexNormals } from '../mesh/measure.js';
import type { MeshCut, MeshPart, MeshStep } from '../mesh/mesh-descent.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildTriangleTree } from '../mesh/triangle-tree.js';
import { NearestPoint } from '../mesh/triangle-tree-nearest.js';
import { type CutTriangles, cutTriangles } from './cut-triangles.js';
import type { Embedding } from './embedding-types.js';
import { FaceSheet } from './face-sheet.js';
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
  const found = cutTriangles(mesh, new FaceSheet(cage, step));
  rebind(mesh, cage, step, found);
  addFaces(mesh, cage, step);
}

/** Triangles of the simulation mesh at the cut, by side, as what can be bound to. */
class Pieces {
  private readonly nearest: NearestPoint;

  constructor(
    private readonly cage: TriangleMesh,
    private readonly list: readonly number[],
  ) {
    const corners = list.flatMap((t) => [...cage.triangles.subarray(3 * t, 3 * t + 3)]);
    this.nearest = new NearestPoint(buildTriangleTree(cage.positions, corners));
  }

  /** Binds a vertex to the point of them that is nearest to where it was bound, or else to itself. */
  bind(mesh: ShownMesh, vertex: number, from: readonly number[]): void {
    const { nearest, cage, list } = this;
    nearest.find(from[0], from[1], from[2]);
    for (let c = 0; c < 3; c++) {
      mesh.boundCorners[3 * vertex + c] = cage.triangles[3 * list[nearest.triangle] + c];
      mesh.boundWeights[3 * vertex + c] = nearest.weights[c];
      mesh.offsets[3 * vertex + c] = mesh.positions[3 * vertex + c] - nearest.point[c];
    }
  }
}

/** Binds what hung on triangles that were cut, and the new vertices, to pieces on their own side. */
function rebind(mesh: ShownMesh, cage: TriangleMesh, step: MeshCut, { first, sides, before }: CutTriangles): void {
  const { sources, before: old } = step;
  const oldCount = old.positions.length / 3;
  const keyOf = (a: number, b: number, c: number): number => (a * oldCount + b) * oldCount + c;
  const sideOf = (t: number): number => {
    for (let k = 3 * t; k < 3 * t + 3; k++) {
      const side = step.sides[cage.triangles[k] - oldCount];
      if (side !== undefined && side !== 0) return side;
    }
    return 0;
  };
  const isNew = (t: number): boolean => cage.triangles.subarray(3 * t, 3 * t + 3).some((vertex) => vertex >= oldCount);
  const bySource = new Map<number, number[]>();
  const bySide = new Map<number, number[]>([
    [1, []],
    [-1, []],
    [0, []],
  ]);
  sources.forEach((source, t) => {
    if (!isNew(t)) return;
    const [a, b, c] = old.triangles.subarray(3 * source, 3 * source + 3);
    const key = keyOf(a, b, c);
    const known = bySource.get(key);
    if (known) known.push(t);
    else bySource.set(key, [t]);
    const side = sideOf(t);
    for (const one of side === 0 ? [1, -1, 0] : [side, 0]) (bySide.get(one) as number[]).push(t);
  });
  const made = new Map<string, Pieces>();
  const piecesOf = (name: string, list: readonly number[]): Pieces => {
    const known = made.get(name) ?? new Pieces(cage, list);
    made.set(name, known);
    return known;
  };
  const listOf = (side: number): readonly number[] => bySide.get(side) as number[];
  for (let i = 0; i < first; i++) {
    const k = 3 * i;
    const key = keyOf(mesh.boundCorners[k], mesh.boundCorners[k + 1], mesh.boundCorners[k + 2]);
    const own = bySource.get(key);
    if (!own) continue;
    const side = before[i];
    const list = own.filter((t) => sideOf(t) === side || sideOf(t) === 0);
    const name = `${list.length > 0 ? key : ''} ${side}`;
    const from = [0, 1, 2].map((c) => mesh.positions[k + c] - mesh.offsets[k + c]);
    piecesOf(name, list.length > 0 ? list : listOf(side)).bind(mesh, i, from);
  }
  sides.forEach((side, n) => {
    const at = 3 * (first + n);
    const list = listOf(side).length > 0 ? listOf(side) : listOf(0);
    piecesOf(` ${side}`, list).bind(mesh, first + n, mesh.positions.slice(at, at + 3));
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
