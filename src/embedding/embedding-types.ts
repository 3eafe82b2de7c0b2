// What a visible mesh bound to a simulation mesh is made of.

import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { Binding } from './bind.js';
import type { FrameRest } from './vertex-frames.js';

/** A mesh to be looked at, seams and all; a `VisibleMesh` is one, and so is a plain `TriangleMesh`. */
export interface EmbeddableMesh extends TriangleMesh {
  /** x, y, z per vertex; made from the triangles where they are missing, smooth across seams. */
  readonly normals?: ArrayLike<number> | null;
  /** x, y, z and the sign of the bitangent per vertex. */
  readonly tangents?: ArrayLike<number> | null;
}

/** What a visible mesh that was cut has of the one that was given. */
export interface VisibleCut {
  /** Three vertices of the mesh that was given for each vertex, and their weights; all 0 on the faces of cuts. */
  readonly corners: Uint32Array;
  readonly weights: Float64Array;
  /** The triangle that each triangle is, or is a piece of; −1 on the faces of cuts. */
  readonly sources: Int32Array;
  /** Texture coordinates on the faces of cuts [m], two per vertex; 0 elsewhere. */
  readonly uvs: Float64Array;
}

/** Immutable. */
export interface Embedding {
  /** The simulation mesh at rest. */
  readonly cage: TriangleMesh;
  /** What is shown: the mesh that was given, or what is left of it after cuts. */
  readonly visible: EmbeddableMesh;
  /** The mesh that was given. */
  readonly original: EmbeddableMesh;
  /** Of a mesh that was cut. */
  readonly cut?: VisibleCut;
  readonly frameRest: FrameRest;
  readonly binding: Binding;
  /** Unit normals of the visible mesh at rest. */
  readonly normals: Float32Array;
  readonly tangents: Float32Array | null;
}
