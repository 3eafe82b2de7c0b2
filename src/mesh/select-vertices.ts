// Chooses vertices of a mesh by where they are: for pins, attachments and whatever else takes a set of vertices.

import { expectPositive, expectVector, showInput } from '../math/expect.js';
import type { Vec3 } from '../math/vec3.js';
import { type TriangleMesh, vertexCount } from './triangle-mesh.js';

/** A box by its lowest and highest corner, or a ball; its surface belongs to it [m]. */
export type VertexRegion =
  | { readonly box: readonly [Vec3, Vec3] }
  | { readonly sphere: { readonly centre: Vec3; readonly radius: number } };

/**
 * The vertices of a mesh that lie in a region, ascending.
 * @example
 * ```ts
 * const top = selectVertices(icosphere(), { box: [[-1, 0.8, -1], [1, 1, 1]] });
 * ```
 */
export function selectVertices(mesh: TriangleMesh, region: VertexRegion): number[] {
  const { positions } = mesh;
  const contains = testOf(region);
  const selected: number[] = [];
  for (let vertex = 0; vertex < vertexCount(mesh); vertex++) {
    if (contains(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2])) selected.push(vertex);
  }
  return selected;
}

/** How far a point is from a region [m]; 0 inside. */
export function distanceFrom(region: VertexRegion): (x: number, y: number, z: number) => number {
  testOf(region);
  if ('sphere' in region) {
    const { centre, radius } = region.sphere;
    return (x, y, z) =>
      Math.max(0, Math.sqrt((x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2) - radius);
  }
  const [low, high] = region.box;
  const beside = (x: number, c: number): number => Math.max(low[c] - x, 0, x - high[c]);
  return (x, y, z) => Math.sqrt(beside(x, 0) ** 2 + beside(y, 1) ** 2 + beside(z, 2) ** 2);
}

function testOf(region: VertexRegion): (x: number, y: number, z: number) => boolean {
  if ('box' in region) {
    const [low, high] = region.box;
    expectVector('box[0]', low);
    expectVector('box[1]', high);
    return (x, y, z) => x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] && z >= low[2] && z <= high[2];
  }
  const { centre, radius } = region.sphere;
  expectVector('sphere.centre', centre);
  expectPositive('sphere.radius', radius);
  return (x, y, z) => (x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2 <= radius * radius;
}

/** Throws where a list is not one of vertices of a mesh that has `count` of them. */
export function expectVertices(what: string, vertices: ArrayLike<number>, count: number): void {
  if (typeof vertices?.length !== 'number') {
    throw new RangeError(`${what}: expected a list of vertices, got ${showInput(vertices)}`);
  }
  if (vertices.length === 0) throw new RangeError(`${what}: expected at least one vertex, got none`);
  const last = count - 1;
  const wrong = Array.from(vertices).find((vertex) => !(Number.isInteger(vertex) && vertex >= 0 && vertex <= last));
  if (wrong !== undefined)
    throw new RangeError(`${what}: expected vertices from 0 to ${last}, got ${showInput(wrong)}`);
}
