// How deep the vertices of one body lie inside another now: for reports and tests, not for the step.

import type { Vec3 } from '../../math/vec3.js';
import { boundsOf } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { buildTriangleTree, castRay, closestPoint, type TriangleTree } from '../../mesh/triangle-tree.js';

/** No edge of a regular mesh lies along it. */
const RAY: Vec3 = [0.36, 0.48, 0.8];

/** Depth of the deepest of `points` inside the closed surface of `triangles` over `positions` [m]; 0 where none is inside. */
export function depthInside(
  points: ArrayLike<number>,
  positions: ArrayLike<number>,
  triangles: TriangleMesh['triangles'],
): number {
  const [low, high] = boundsOf(positions);
  const [lowest, highest] = boundsOf(points);
  if ([0, 1, 2].some((c) => lowest[c] > high[c] || highest[c] < low[c])) return 0;
  const tree = buildTriangleTree(positions, triangles);
  let deepest = 0;
  for (let k = 0; k < points.length; k += 3) {
    const point: Vec3 = [points[k], points[k + 1], points[k + 2]];
    if ([0, 1, 2].some((c) => point[c] < low[c] || point[c] > high[c]) || !isWithin(tree, point)) continue;
    deepest = Math.max(deepest, closestPoint(tree, point)?.distance ?? 0);
  }
  return deepest;
}

/**
 * Whether the surface winds round a point: in one direction more triangles are met from inside than from outside. The first
 * one alone does not tell where a body is folded into itself.
 */
function isWithin(tree: TriangleTree, point: Vec3): boolean {
  const seen = new Set<number>();
  const skip = (triangle: number) => seen.has(triangle);
  let winding = 0;
  for (let hit = castRay(tree, point, RAY, { skip }); hit; hit = castRay(tree, point, RAY, { skip })) {
    seen.add(hit.triangle);
    winding += isMetFromInside(tree, hit.triangle) ? 1 : -1;
  }
  return winding > 0;
}

function isMetFromInside({ positions, triangles }: TriangleTree, triangle: number): boolean {
  const [a, b, c] = [0, 1, 2].map((corner) => 3 * triangles[3 * triangle + corner]);
  const u = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
  const v = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
  const along =
    (u[1] * v[2] - u[2] * v[1]) * RAY[0] + (u[2] * v[0] - u[0] * v[2]) * RAY[1] + (u[0] * v[1] - u[1] * v[0]) * RAY[2];
  return along > 0;
}
