// Numbers that a file has for each vertex beside its place, such as colours, and how they get to a mesh made from that one.

import type { TriangleMesh } from './triangle-mesh.js';
import { buildTriangleTree } from './triangle-tree.js';
import { NearestPoint } from './triangle-tree-nearest.js';

/** A number per vertex, by name: `COLOR_0.r`, `_STIFFNESS` (glTF), `quality`, `red` (PLY). */
export type VertexAttributes = Readonly<Record<string, Float64Array>>;

/** A mesh with numbers per vertex besides its positions. */
export interface AttributedMesh extends TriangleMesh {
  /** Those that were asked for and that the file has. */
  readonly attributes?: VertexAttributes;
}

/**
 * Attributes for a mesh that was made from another one, by welding, mending or building a cage around it: those of the nearest
 * point of the surface it came from, between the corners of its triangle. What kept its place keeps its numbers; of vertices
 * in one place that had different ones, those of the triangle that comes first.
 */
export function transferAttributes(
  from: TriangleMesh,
  attributes: VertexAttributes,
  to: TriangleMesh,
): VertexAttributes {
  const nearest = new NearestPoint(buildTriangleTree(from.positions, from.triangles));
  const count = to.positions.length / 3;
  const names = Object.keys(attributes);
  const moved = Object.fromEntries(names.map((name) => [name, new Float64Array(count)]));
  for (let v = 0; v < count; v++) {
    if (!nearest.find(to.positions[3 * v], to.positions[3 * v + 1], to.positions[3 * v + 2])) continue;
    const corners = from.triangles.subarray(3 * nearest.triangle, 3 * nearest.triangle + 3);
    for (const name of names) {
      for (let k = 0; k < 3; k++) moved[name][v] += nearest.weights[k] * attributes[name][corners[k]];
    }
  }
  return moved;
}
