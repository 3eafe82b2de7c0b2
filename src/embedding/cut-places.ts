// Where on the surface of a simulation mesh a cut goes through, asked of points between vertices that hang on it: by the triangles around
// those that they hang on. Space alone does not say: the two sides of an older slit lie in the same place at rest, and are cut in
// different ones where the slit was open.

import { nearestOfTriangle } from '../contact/narrow-phase/vertex-triangle.js';
import { adjacencyOf } from '../mesh/adjacency.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildTriangleTree } from '../mesh/triangle-tree.js';
import { NearestPoint } from '../mesh/triangle-tree-nearest.js';
import type { Between } from './shown-mesh.js';

/** How much farther than the nearest triangle one may be and count as one that the point is on, in distances that count as near. */
const SAME_PLACE = 1e-3;

export class CutPlaces {
  /** The triangle that was cut, of the last point that is on one; −1 where nothing is known. */
  triangle = -1;
  private readonly at = new Float64Array(3);
  private readonly looked: Uint32Array;
  private look = 0;
  private readonly anyCut: NearestPoint;

  /**
   * @param mesh before the cut.
   * @param isCut 1 for each of its triangles that was cut.
   * @param corners three of its vertices that each vertex hangs on.
   */
  constructor(
    private readonly mesh: TriangleMesh,
    private readonly isCut: Uint8Array,
    private readonly corners: readonly number[],
  ) {
    this.looked = new Uint32Array(isCut.length);
    const cut = mesh.triangles.filter((_, k) => isCut[Math.trunc(k / 3)] === 1);
    this.anyCut = new NearestPoint(buildTriangleTree(mesh.positions, cut));
  }

  /**
   * Whether a point between vertices is on a triangle that was cut. Where none of those around is as near as `near` [m], as of a visible
   * mesh that is coarser, any that was cut and is so near does.
   */
  has(point: ArrayLike<number>, between: Between, near: number): boolean {
    const { mesh, isCut, at, looked } = this;
    const { vertexTriangleOffsets: offsets, vertexTriangles } = adjacencyOf(mesh);
    const look = ++this.look;
    at.set([point[0], point[1], point[2]]);
    let [least, leastCut, nearest] = [Infinity, Infinity, -1];
    for (const [vertex] of between) {
      for (let k = 3 * vertex; k < 3 * vertex + 3; k++) {
        const corner = this.corners[k];
        for (let n = offsets[corner]; n < offsets[corner + 1]; n++) {
          const t = vertexTriangles[n];
          if (looked[t] === look) continue;
          looked[t] = look;
          const [a, b, c] = mesh.triangles.subarray(3 * t, 3 * t + 3);
          const distance = Math.sqrt(nearestOfTriangle(at, 0, mesh.positions, 3 * a, 3 * b, 3 * c));
          if (distance < least) least = distance;
          if (isCut[t] === 0 || distance >= leastCut) continue;
          leastCut = distance;
          nearest = t;
        }
      }
    }
    if (least <= near) {
      this.triangle = nearest;
      return leastCut <= least + SAME_PLACE * near;
    }
    this.triangle = -1;
    return this.anyCut.find(at[0], at[1], at[2]) && this.anyCut.distance <= near;
  }
}
