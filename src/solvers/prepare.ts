// From a mesh and a solver to the immutable rest data that all copies of a body share.

import { nearLeavesOf } from '../contact/broad-phase/near-leaves.js';
import { showInput } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import { adjacencyOf } from '../mesh/adjacency.js';
import { copyTetraMesh, type TetraMesh } from '../mesh/tetrahedralise/tetra-mesh.js';
import { analyseTopology } from '../mesh/topology.js';
import { copyMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { findProblems, type MeshProblem } from '../mesh/validate.js';
import { defaultSolver } from './built-in.js';
import { type BodyMaps, type CheckedMaps, checkMaps } from './maps.js';
import { foldsOf } from './recovery/folds.js';
import { completeRest, isSolver, type Prepared, type Solver, type SolverRest } from './solver.js';
import type { SolverSettings } from './solver-settings.js';

/** A mesh that cannot be simulated, with every reason. */
export class MeshError extends Error {
  override readonly name = 'MeshError';
  constructor(readonly problems: readonly MeshProblem[]) {
    super(`the mesh cannot be simulated: ${problems.map((p) => `${p.code} (${p.message})`).join('; ')}`);
  }
}

export interface PrepareOptions {
  /** Factors painted on the vertices. */
  readonly maps?: BodyMaps;
}

/** What the default solver makes of a mesh. */
type DefaultSolver = ReturnType<typeof defaultSolver>;
type DefaultPrepared = Prepared<DefaultSolver['settings']> & ReturnType<DefaultSolver['prepare']>;

/**
 * Builds what the solver and the volume constraint need of a closed triangle mesh, or of a mesh of tetrahedra where the solver takes
 * those.
 * @throws MeshError where the mesh is not a single closed, oriented 2-manifold, or several where the solver takes those.
 * @example
 * ```ts
 * const rubber = prepare(duck({ vertices: 600 }), surface({ stiffness: 0.9 })); // once, for any number of bodies
 * ```
 */
export function prepare(mesh: TriangleMesh, solver?: undefined, options?: PrepareOptions): DefaultPrepared;
export function prepare<S extends SolverSettings, R extends SolverRest>(
  mesh: TriangleMesh | TetraMesh,
  solver: Solver<S, R>,
  options?: PrepareOptions,
): Prepared<S> & R;
export function prepare(
  given: TriangleMesh | TetraMesh,
  solver: Solver = defaultSolver() as unknown as Solver,
  options: PrepareOptions = {},
): Prepared {
  expectKnownFields('prepare', options, ['maps']);
  if (!isSolver(solver))
    throw new RangeError(`solver: expected one such as ${defaultSolver.type}({ … }), got ${showInput(solver)}`);
  if (isSolid(given)) return prepareSolid(given, solver, options);
  const mesh = copyMesh('mesh', given);
  const problems = problemsOf(mesh, solver);
  if (problems.length > 0) throw new MeshError(problems);
  const maps = checkMaps(options.maps ?? {}, mesh.positions.length / 3);
  return complete(mesh, solver.prepare(mesh, maps), maps, solver);
}

/** Of a mesh that is ours, and whose adjacency the solver asks for again. */
const problemsOf = (mesh: TriangleMesh, solver: Solver): MeshProblem[] =>
  findProblems(mesh, { topology: analyseTopology(mesh, adjacencyOf(mesh)), parts: solver.parts === true });

const isSolid = (mesh: TriangleMesh | TetraMesh): mesh is TetraMesh =>
  (mesh as Partial<TetraMesh> | undefined)?.tetrahedra !== undefined;

function prepareSolid(given: TetraMesh, solver: Solver, options: PrepareOptions): Prepared {
  if (!solver.prepareSolid) {
    throw new RangeError(`mesh: expected triangles, as ${solver.type} is a solver of surfaces, got tetrahedra`);
  }
  const mesh = copyTetraMesh('mesh', given);
  const maps = checkMaps(options.maps ?? {}, mesh.positions.length / 3);
  const rest = solver.prepareSolid(mesh, maps);
  return complete(rest.particles.mesh, rest, maps, solver);
}

/** A shell of the solver's own is checked like a mesh that is given. */
function complete(mesh: TriangleMesh, rest: SolverRest, maps: CheckedMaps, solver: Solver): Prepared {
  const problems = rest.shell ? problemsOf(rest.shell.mesh, solver) : [];
  if (problems.length > 0) throw new MeshError(problems);
  const prepared = Object.freeze({ ...completeRest(mesh, rest, maps), solver });
  // Found here rather than in a body's first step; of what is cut while it moves they are found when they are asked for.
  foldsOf(prepared.mesh);
  nearLeavesOf(prepared.contact);
  return prepared;
}

/** Throws where a value is not what `prepare` gives; a mesh is told what it lacks. */
export function expectPrepared(place: string, value: Prepared): void {
  const isOne = typeof value === 'object' && value !== null && 'particles' in value && 'solver' in value;
  if (isOne) return;
  const isMesh = typeof value === 'object' && value !== null && 'positions' in value;
  const got = isMesh ? 'a mesh: prepare(mesh) makes a body of it' : showInput(value);
  throw new RangeError(`${place}: expected what prepare() returns, got ${got}`);
}
