// From a mesh and a solver to the immutable rest data that all copies of a body share.

import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { findProblems, type MeshProblem } from '../mesh/validate.js';
import { buildSurfaceRest, type SurfaceRest } from './surface/rest.js';
import { type SurfaceSolver, surface } from './surface/settings.js';
import { buildVolumeRest, type VolumeRest } from './volume/rest.js';

/** A body at rest, ready to be added to worlds any number of times. */
export interface Prepared {
  /** The mesh as given: `body.positions` follows its numbering. */
  readonly mesh: TriangleMesh;
  readonly solver: SurfaceSolver;
  readonly surface: SurfaceRest;
  readonly volume: VolumeRest;
}

/** A mesh that cannot be simulated, with every reason. */
export class MeshError extends Error {
  override readonly name = 'MeshError';
  constructor(readonly problems: readonly MeshProblem[]) {
    super(`the mesh cannot be simulated: ${problems.map((p) => `${p.code} (${p.message})`).join('; ')}`);
  }
}

/**
 * Builds paths, regions and inner pairs for a closed triangle mesh.
 * @throws MeshError where the mesh is not a single closed, oriented 2-manifold.
 */
export function prepare(mesh: TriangleMesh, solver: SurfaceSolver = surface()): Prepared {
  const problems = findProblems(mesh);
  if (problems.length > 0) throw new MeshError(problems);
  const rest = buildSurfaceRest(mesh, solver.settings);
  return { mesh, solver, surface: rest, volume: buildVolumeRest(rest.mesh) };
}
