// The faces of a cut as a sheet through space at rest: on which side of it a point is, and whether the cut goes through there.

import { vertexNormals } from '../mesh/measure.js';
import type { MeshCut } from '../mesh/mesh-descent.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildTriangleTree } from '../mesh/triangle-tree.js';
import { NearestPoint } from '../mesh/triangle-tree-nearest.js';

/** A weight below this is none: the point is on the edge. */
const ON_EDGE = 1e-9;

export class FaceSheet {
  /** Of the point looked at last: how far above the sheet it is, and how far from it [m]. */
  height = 0;
  distance = 0;
  /** Whether the cut goes through where the sheet is nearest to it: not where it ends inside the solid. */
  isOpen = false;
  private readonly normals: Float64Array;
  private readonly nearest: NearestPoint;
  private readonly triangles: Uint32Array;
  /** 1 for each edge, from a corner of a triangle to the next, and for each vertex where the cut ends inside. */
  private readonly frontEdges: Uint8Array;
  private readonly frontVertices: Uint8Array;

  /** @param faces those above the cut that it is made of. */
  constructor(
    { positions, triangles: all }: TriangleMesh,
    { sides, before }: Pick<MeshCut, 'sides' | 'before'>,
    faces: readonly number[],
  ) {
    const first = before.positions.length / 3;
    const isShared = (vertex: number): boolean => sides[vertex - first] === 0;
    const corners: number[] = [];
    // Above's faces look down, the sheet looks up.
    for (const face of faces) corners.push(all[3 * face + 2], all[3 * face + 1], all[3 * face]);
    const triangles = Uint32Array.from(corners);
    const count = positions.length / 3;
    const next = (k: number): number => triangles[k % 3 === 2 ? k - 2 : k + 1];
    const known = new Set<number>();
    for (let k = 0; k < triangles.length; k++) known.add(triangles[k] * count + next(k));
    this.frontEdges = new Uint8Array(triangles.length);
    this.frontVertices = new Uint8Array(count);
    for (let k = 0; k < triangles.length; k++) {
      if (!isShared(triangles[k])) continue;
      this.frontVertices[triangles[k]] = 1;
      if (isShared(next(k)) && !known.has(next(k) * count + triangles[k])) this.frontEdges[k] = 1;
    }
    this.triangles = triangles;
    this.normals = vertexNormals(positions, triangles);
    this.nearest = new NearestPoint(buildTriangleTree(positions, triangles));
  }

  look(x: number, y: number, z: number): void {
    const { nearest, triangles, normals, frontEdges, frontVertices } = this;
    nearest.find(x, y, z);
    const { point, weights, triangle } = nearest;
    let [nx, ny, nz] = [0, 0, 0];
    this.isOpen = true;
    for (let c = 0; c < 3; c++) {
      const vertex = triangles[3 * triangle + c];
      nx += weights[c] * normals[3 * vertex];
      ny += weights[c] * normals[3 * vertex + 1];
      nz += weights[c] * normals[3 * vertex + 2];
      const isOnEdge = weights[c] < ON_EDGE && frontEdges[3 * triangle + ((c + 1) % 3)] === 1;
      if (isOnEdge || (weights[c] > 1 - ON_EDGE && frontVertices[vertex] === 1)) this.isOpen = false;
    }
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    this.height = ((x - point[0]) * nx + (y - point[1]) * ny + (z - point[2]) * nz) / length;
    this.distance = nearest.distance;
  }
}
