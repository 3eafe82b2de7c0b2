// The mesh type that everything shares. Immutable by convention: functions return new meshes.

import { showInput } from '../math/expect.js';

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

/**
 * Number of vertices of a mesh.
 * @example
 * ```ts
 * console.log(vertexCount(icosphere({ detail: 0 }))); // 12
 * ```
 */
export const vertexCount = (mesh: TriangleMesh): number => mesh.positions.length / 3;
/**
 * Number of triangles of a mesh.
 * @example
 * ```ts
 * console.log(triangleCount(icosphere({ detail: 0 }))); // 20
 * ```
 */
export const triangleCount = (mesh: TriangleMesh): number => mesh.triangles.length / 3;

const isNumberList = (value: unknown): value is ArrayLike<number> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** Throws where a value is not made like a mesh; `place` is what the user calls it. */
export function expectMesh(place: string, mesh: TriangleMesh): void {
  for (const field of ['positions', 'triangles'] as const) {
    const value: unknown = mesh?.[field];
    if (isNumberList(value)) continue;
    const words = field === 'positions' ? 'x, y, z per vertex' : 'three vertices per triangle';
    throw new RangeError(`${place}.${field}: expected an array of numbers, ${words}, got ${showInput(value)}`);
  }
}

/** A mesh of its own arrays; plain lists and arrays of other numbers will do as well. */
export function copyMesh(place: string, mesh: TriangleMesh): TriangleMesh {
  expectMesh(place, mesh);
  return Object.freeze({ positions: Float64Array.from(mesh.positions), triangles: Uint32Array.from(mesh.triangles) });
}
