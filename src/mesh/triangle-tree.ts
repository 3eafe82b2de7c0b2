// A static tree of boxes over a mesh's triangles: building is apart from querying, this is both.

export { buildTriangleTree, type TriangleTree } from './triangle-tree-build.js';
export {
  type ClosestPoint,
  castRay,
  closestPoint,
  overlappingPairs,
  type RayHit,
  type TreeQueryOptions,
} from './triangle-tree-queries.js';
