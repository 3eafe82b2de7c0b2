// The mesh type that everything shares. Immutable by convention: functions return new meshes.

/**
 * Triangles over shared vertices, counter-clockwise seen from outside.
 * `positions` holds x, y, z per vertex [m]; `triangles` three vertex indices per triangle.
 */
export interface TriangleMesh {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

/** Axis-aligned box: lowest and highest corner [m]. */
export type Bounds = readonly [readonly [number, number, number], readonly [number, number, number]];

export const vertexCount = (mesh: TriangleMesh): number => mesh.positions.length / 3;
export const triangleCount = (mesh: TriangleMesh): number => mesh.triangles.length / 3;
