// From a mesh and a solver to the immutable rest data that all copies of a body share.

import { buildContactRest, type ContactRest } from '../contact/contact-body.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { findProblems, type MeshProblem } from '../mesh/validate.js';
import { buildLatticeRest, type LatticeRest } from './lattice/rest.js';
import { type LatticeSolver, lattice } from './lattice/settings.js';
import { buildFoldRest, type FoldRest } from './recovery/folds.js';
import { buildPushField } from './surface/push-field.js';
import { buildSurfaceRest, type SurfaceRest } from './surface/rest.js';
import { type SurfaceSettings, type SurfaceSolver, surface } from './surface/settings.js';
import { buildVolumeRest, type VolumeRest } from './volume/rest.js';

export type Solver = SurfaceSolver | LatticeSolver;
export type SolverSettings = Solver['settings'];

/** What every solver's rest data says about the particles: the mesh's vertices, in an order of the solver's choice. */
export interface ParticleRest {
  readonly count: number;
  /** The mesh's own vertex at each place of that order. */
  readonly order: Uint32Array;
  /** The mesh renumbered in that order, where it stands in the file. */
  readonly mesh: TriangleMesh;
  /** Share of the body's mass at each particle; Σ = 1. */
  readonly massShares: Float64Array;
}

interface PreparedMesh {
  /** The mesh as given: `body.positions` follows its numbering. */
  readonly mesh: TriangleMesh;
  readonly particles: ParticleRest;
  readonly volume: VolumeRest;
  readonly contact: ContactRest;
  /** Where the surface can fold. */
  readonly folds: FoldRest;
}

export interface PreparedSurface extends PreparedMesh {
  readonly type: 'surface';
  readonly solver: SurfaceSolver;
  readonly surface: SurfaceRest;
  readonly volume: VolumeRest & { readonly pushes: Float64Array };
}

export interface PreparedLattice extends PreparedMesh {
  readonly type: 'lattice';
  readonly solver: LatticeSolver;
  readonly lattice: LatticeRest;
}

/** A body at rest, ready to be added to worlds any number of times. */
export type Prepared = PreparedSurface | PreparedLattice;

/** A mesh that cannot be simulated, with every reason. */
export class MeshError extends Error {
  override readonly name = 'MeshError';
  constructor(readonly problems: readonly MeshProblem[]) {
    super(`the mesh cannot be simulated: ${problems.map((p) => `${p.code} (${p.message})`).join('; ')}`);
  }
}

/**
 * Builds what the solver and the volume constraint need of a closed triangle mesh.
 * @throws MeshError where the mesh is not a single closed, oriented 2-manifold.
 */
export function prepare(mesh: TriangleMesh, solver?: SurfaceSolver): PreparedSurface;
export function prepare(mesh: TriangleMesh, solver: LatticeSolver): PreparedLattice;
export function prepare(mesh: TriangleMesh, solver: Solver): Prepared;
export function prepare(mesh: TriangleMesh, solver: Solver = surface()): Prepared {
  const problems = findProblems(mesh);
  if (problems.length > 0) throw new MeshError(problems);
  const folds = buildFoldRest(mesh);
  if (solver.type === 'lattice') {
    const rest = buildLatticeRest(mesh, solver.settings);
    const volume = evenAreas(buildVolumeRest(rest.mesh));
    const contact = buildContactRest(rest.mesh, volume.size, volume.pairs.lengths);
    return { type: 'lattice', mesh, solver, particles: rest, lattice: rest, volume, contact, folds };
  }
  const rest = buildSurfaceRest(mesh, solver.settings);
  const whole = buildVolumeRest(rest.mesh);
  const volume = { ...whole, pushes: buildPushField(rest, whole.pushAreas) };
  const contact = buildContactRest(rest.mesh, volume.size, volume.pairs.lengths);
  return { type: 'surface', mesh, solver, particles: rest, surface: rest, volume, contact, folds };
}

/**
 * The volume constraint moves vertices in proportion to their area. Where they hang on a lattice instead of on each
 * other, vertices of unequal area side by side would be pulled apart into spikes, step by step: each counts alike.
 */
function evenAreas(rest: VolumeRest): VolumeRest {
  const mean = rest.areas.reduce((sum, area) => sum + area, 0) / rest.areas.length;
  const areas = rest.areas.map(() => mean);
  return { ...rest, areas, pushAreas: areas };
}

/** Settings that went into the rest data, and what they are called. */
const PREPARED_SETTINGS = { regionSize: 'region size', regionRadius: 'region size', resolution: 'resolution' };

/**
 * New settings for a prepared body, checked like those of a new solver.
 * @throws RangeError where they differ in what went into the rest data, or are those of another solver.
 */
export function changeSettings(solver: Solver, settings: SolverSettings): SolverSettings {
  const prepared: Readonly<Record<string, unknown>> = { ...solver.settings };
  const given: Readonly<Record<string, unknown>> = { ...settings };
  for (const [name, words] of Object.entries(PREPARED_SETTINGS)) {
    if (given[name] === prepared[name]) continue;
    throw new RangeError(`settings: the ${words} belongs to the prepared body; prepare it anew to change it`);
  }
  if (solver.type === 'lattice') return lattice(settings).settings;
  const { regionRadius, regionSize, ...others } = settings as SurfaceSettings;
  // With a radius the rings are not the user's to give.
  return surface(regionRadius === undefined ? { ...others, regionSize } : { ...others, regionRadius }).settings;
}
