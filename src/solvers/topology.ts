// What a body becomes when it gets a new topology.

import type { StateTree } from '../math/state-tree.js';
import { recordStep } from '../mesh/mesh-descent.js';
import { copyMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { findProblems } from '../mesh/validate.js';
import { type CheckedMaps, MAP_NAMES, type MapName } from './maps.js';
import { MeshError } from './prepare.js';
import { completeRest, type Prepared } from './solver.js';
import type { SolverRest } from './solver-rest.js';
import { carryValues, type Origin, type TopologyChange } from './topology-change.js';

/** Most that the weights of a vertex may miss of 1. */
const ROUNDING = 1e-9;

/** What a body becomes; throws where the change is none that it can make. */
export function prepareChange(before: Prepared, change: TopologyChange): Prepared {
  const { mesh: given, origin, rest, cut, isChecked } = change;
  const mesh = isChecked ? given : expectTopology(before, given);
  expectOrigin(origin, mesh.positions.length / 3, before.particles.count);
  if (cut) recordStep(mesh, { kind: 'cut', before: before.mesh, origin, ...cut });
  else if (origin.isPart) {
    const vertices = origin.corners.filter((_, k) => k % 3 === 0);
    recordStep(mesh, { kind: 'part', before: before.mesh, vertices });
  }
  return complete(before, mesh, rest, carryMaps(before.maps, origin));
}

/** The same of a mesh whose rest data has to be found anew: from the mesh, or from the structure that a model had of it. */
export function prepareTopology(
  before: Prepared,
  given: TriangleMesh,
  maps: CheckedMaps,
  structure?: StateTree,
): Prepared {
  const mesh = expectTopology(before, given);
  const { solver } = before;
  const rest = structure && solver.revive ? solver.revive(mesh, before, structure) : solver.prepare(mesh, maps);
  return complete(before, mesh, rest, maps);
}

const complete = ({ solver }: Prepared, mesh: TriangleMesh, rest: SolverRest, maps: CheckedMaps): Prepared =>
  Object.freeze({ ...completeRest(mesh, rest, maps), solver });

function expectTopology({ solver }: Prepared, given: TriangleMesh): TriangleMesh {
  const mesh = copyMesh('mesh', given);
  const problems = findProblems(mesh, { parts: solver.parts });
  if (problems.length > 0) throw new MeshError(problems);
  return mesh;
}

function expectOrigin({ corners, weights }: Origin, count: number, before: number): void {
  if (corners.length !== 3 * count || weights.length !== 3 * count) {
    throw new RangeError(`origin: expected 3 corners and weights for each of ${count} vertices, got ${corners.length}`);
  }
  const wrong = corners.findIndex((corner) => !(corner < before));
  if (wrong >= 0) throw new RangeError(`origin: expected corners from 0 to ${before - 1}, got ${corners[wrong]}`);
  for (let k = 0; k < weights.length; k += 3) {
    const sum = weights[k] + weights[k + 1] + weights[k + 2];
    if (Math.abs(sum - 1) <= ROUNDING) continue;
    throw new RangeError(`origin: expected weights that sum to 1, got ${sum} at vertex ${k / 3}`);
  }
}

function carryMaps(maps: CheckedMaps, origin: Origin): CheckedMaps {
  const carried: Partial<Record<MapName, Float64Array>> = {};
  for (const name of MAP_NAMES) {
    const map = maps[name];
    if (map) carried[name] = carryValues(origin, map, 1);
  }
  return Object.freeze(carried);
}
