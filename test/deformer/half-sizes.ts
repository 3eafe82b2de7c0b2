// Meshes as the deformer's core sees them: the box centred on the origin, its longest side 2.

import { boundsOf, centreOf } from '../../src/mesh/measure.js';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js';

export function inHalfSizes(mesh: TriangleMesh): TriangleMesh {
  const bounds = boundsOf(mesh.positions);
  const centre = centreOf(bounds);
  const half = Math.max(...[0, 1, 2].map((k) => bounds[1][k] - bounds[0][k])) / 2;
  return { positions: mesh.positions.map((x, i) => (x - centre[i % 3]) / half), triangles: mesh.triangles };
}
