// Vertices of a mesh that is being cut: the mesh's own, and new ones with where they come from.

import { pointAt, type Vec3 } from '../../../math/vec3.js';
import type { TriangleMesh } from '../../../mesh/triangle-mesh.js';
import type { CutPatch } from '../patch.js';

/** Where a new vertex comes from: a point of a mesh's edge or triangle, or of the patch inside the solid. */
export interface VertexOrigin {
  /** Vertices of the mesh that it lies between, and their weights; none on the patch. */
  readonly between: readonly (readonly [vertex: number, weight: number])[];
  /** Which side of the cut it belongs to: 1 above, −1 below, 0 where the two are not apart. */
  readonly side: -1 | 0 | 1;
}

/** A corner of the cut faces: in the patch's plane, and as a vertex of either side. */
export interface CapVertex {
  readonly u: number;
  readonly v: number;
  /** The same for both sides where they are not apart. */
  readonly above: number;
  readonly below: number;
}

export class CutVertices {
  readonly positions: number[];
  /** Of the new vertices, in order. */
  readonly origins: VertexOrigin[] = [];
  /** Coordinates of these in the patch's plane [m], two each. */
  readonly charts: number[] = [];

  constructor(
    readonly mesh: TriangleMesh,
    readonly patch: CutPatch,
  ) {
    this.positions = Array.from(mesh.positions);
  }

  get count(): number {
    return this.positions.length / 3;
  }

  private add(
    point: Vec3,
    [u, v]: readonly [number, number],
    between: VertexOrigin['between'],
    side: VertexOrigin['side'],
  ): number {
    this.charts.push(u, v);
    this.positions.push(point[0], point[1], point[2]);
    this.origins.push({ between, side });
    return this.count - 1;
  }

  /**
   * A point of the surface, once for either side or once for both; on a bent patch between two others it is at `straight` of the
   * plane's coordinates, in line with them.
   */
  addOnSurface(between: VertexOrigin['between'], isOpen: boolean, straight?: readonly [number, number]): CapVertex {
    const point: [number, number, number] = [0, 0, 0];
    for (const [vertex, weight] of between) {
      const p = pointAt(this.mesh.positions, vertex);
      for (let c = 0; c < 3; c++) point[c] += weight * p[c];
    }
    const [u, v] = straight && this.patch.isBent ? straight : this.patch.chart(...point);
    const above = this.add(point, [u, v], between, isOpen ? 1 : 0);
    return { u, v, above, below: isOpen ? this.add(point, [u, v], between, -1) : above };
  }

  /** A point of the patch inside the solid. */
  addOnPatch(u: number, v: number, isOpen: boolean): CapVertex {
    const point = this.patch.lift(u, v);
    const above = this.add(point, [u, v], [], isOpen ? 1 : 0);
    return { u, v, above, below: isOpen ? this.add(point, [u, v], [], -1) : above };
  }

  /** Whether a vertex is a new one on an edge of the mesh. */
  isOnEdge(vertex: number): boolean {
    return this.origins[vertex - this.mesh.positions.length / 3]?.between.length === 2;
  }

  /** Moves a vertex on an edge by a share of its length, on both sides of the cut; returns who was moved. */
  moveAlongEdge(vertex: number, share: number): number[] {
    const { positions } = this.mesh;
    const first = positions.length / 3;
    const { between } = this.origins[vertex - first];
    const [[a, atA], [b, atB]] = between;
    const moved = [[a, atA - share] as const, [b, atB + share] as const];
    const twins = [vertex - 1, vertex, vertex + 1].filter((one) => this.origins[one - first]?.between === between);
    for (const twin of twins) {
      this.origins[twin - first] = { ...this.origins[twin - first], between: moved };
      for (let c = 0; c < 3; c++) {
        this.positions[3 * twin + c] = (atA - share) * positions[3 * a + c] + (atB + share) * positions[3 * b + c];
      }
    }
    return twins;
  }
}
