// A closed mesh after a cut, and where all of it comes from.

import type { TriangleMesh } from '../../../mesh/triangle-mesh.js';
import type { VertexOrigin } from './cut-vertices.js';

export interface SurfaceCut {
  readonly mesh: TriangleMesh;
  /** Of the vertices beyond those of the mesh that was cut. */
  readonly origins: readonly VertexOrigin[];
  /** Their coordinates in the patch's plane [m], two each. */
  readonly charts: readonly number[];
  /** The first of the triangles that are cut faces: above's and below's by turns. */
  readonly firstFace: number;
  /** The triangle of the mesh before that each one up to there is, or is a piece of. */
  readonly sources: readonly number[];
  /** Whether both sides have the same faces; true unless told otherwise. */
  readonly isPaired?: boolean;
}
