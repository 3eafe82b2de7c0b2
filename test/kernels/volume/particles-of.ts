// Shell of a mesh as the volume constraint sees them, without any elasticity.

import { type TriangleMesh, vertexAreas } from '../../../src/index.js';
import type { Shell } from '../../../src/solvers/model.js';

/** At rest where the mesh is, mass by vertex area (1000 kg/m²), nothing changed. */
export function particlesOf(mesh: TriangleMesh): Shell {
  const count = mesh.positions.length / 3;
  return {
    count,
    positions: mesh.positions.slice(),
    starts: mesh.positions.slice(),
    velocities: new Float64Array(3 * count),
    masses: vertexAreas(mesh).map((area) => 1000 * area),
    changes: new Float64Array(count),
    anchored: false,
  };
}
