// The distance of a point from a closed surface, below 0 inside, by looking at all of its triangles: winding number and nearest points.

import { cross, dot, length, pointAt, subtract } from '../src/math/vec3.js';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.js';
import { buildTriangleTree } from '../src/mesh/triangle-tree.js';
import { NearestPoint } from '../src/mesh/triangle-tree-nearest.js';

export function surfaceDistance({ positions, triangles }: TriangleMesh): (point: ArrayLike<number>) => number {
  const nearest = new NearestPoint(buildTriangleTree(positions, triangles));
  return (point) => {
    nearest.find(point[0], point[1], point[2]);
    let angle = 0;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => subtract(pointAt(positions, triangles[t + k]), pointAt(point, 0)));
      const solid = length(a) * length(b) * length(c);
      const rest = dot(a, b) * length(c) + dot(b, c) * length(a) + dot(c, a) * length(b);
      angle += 2 * Math.atan2(dot(a, cross(b, c)), solid + rest);
    }
    return Math.abs(angle) > 2 * Math.PI ? -nearest.distance : nearest.distance;
  };
}
