// A mesh to be looked at, as its file has it: seams, texture coordinates, parts and all. It is a `TriangleMesh`, so that
// everything that takes one takes it too; what is simulated is made from it by `makeSimulatable`.

import type { AttributedMesh } from './vertex-attributes.js';

/** A run of vertices and of triangles that are drawn together; parts follow each other without gaps. */
export interface MeshPart {
  /** Of the node, mesh, object or group in the file; '' where it has none. */
  readonly name: string;
  /** Name of the material; '' where it has none. */
  readonly material: string;
  /** Number of the material in the file, null where there is none. */
  readonly materialIndex: number | null;
  readonly firstVertex: number;
  readonly vertexCount: number;
  readonly firstTriangle: number;
  readonly triangleCount: number;
}

/** Attributes hold zeros for the vertices of parts that do not have them, and are null where no part does. */
export interface VisibleMesh extends AttributedMesh {
  /** x, y, z per vertex, unit length. */
  readonly normals: Float32Array | null;
  /** x, y, z and the sign of the bitangent per vertex. */
  readonly tangents: Float32Array | null;
  /** u, v per vertex. */
  readonly uvs: Float32Array | null;
  readonly parts: readonly MeshPart[];
}

/**
 * A mesh without attributes as one part.
 * @example
 * ```ts
 * const visible = asVisibleMesh(icosphere(), 'ball');
 * ```
 */
export function asVisibleMesh(mesh: AttributedMesh, name = ''): VisibleMesh {
  const part = {
    name,
    material: '',
    materialIndex: null,
    firstVertex: 0,
    vertexCount: mesh.positions.length / 3,
    firstTriangle: 0,
    triangleCount: mesh.triangles.length / 3,
  };
  return { ...mesh, normals: null, tangents: null, uvs: null, parts: [part] };
}
