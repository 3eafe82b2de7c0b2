// From a mesh and a solver to the immutable rest data that all copies of a body share.

import { buildContactRest, type ContactRest } from '../contact/contact-body.js';
import { showInput } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import { copyMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { findProblems, type MeshProblem } from '../mesh/validate.js';
import { buildLatticeRest, type LatticeRest } from './lattice/rest.js';
import { type LatticeSolver, lattice } from './lattice/settings.js';
import { buildFoldRest, type FoldRest } from './recovery/folds.js';
import { buildPushField } from './surface/push-field.js';
import { buildSurfaceRest, type SurfaceRest } from './surface/rest.js';
import { type SurfaceSolver, surface } from './surface/settings.js';
import { buildVolumeRest, type VolumeRest } from './volume/rest.js';
import { VOLUME_DEFAULTS, type VolumeSettings, volumeSettings } from './volume/settings.js';

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
export function prepare(given: TriangleMesh, solver: Solver = surface()): Prepared {
  const mesh = copyMesh('mesh', given);
  const chosen = copySolver(solver);
  const problems = findProblems(mesh);
  if (problems.length > 0) throw new MeshError(problems);
  const folds = buildFoldRest(mesh);
  if (chosen.type === 'lattice') {
    const rest = buildLatticeRest(mesh, chosen.settings);
    const volume = evenAreas(buildVolumeRest(rest.mesh));
    const contact = buildContactRest(rest.mesh, volume.size, volume.pairs.lengths);
    const { type } = chosen;
    return Object.freeze({ type, mesh, solver: chosen, particles: rest, lattice: rest, volume, contact, folds });
  }
  const rest = buildSurfaceRest(mesh, chosen.settings);
  const whole = buildVolumeRest(rest.mesh);
  const volume = { ...whole, pushes: buildPushField(rest, whole.pushAreas) };
  const contact = buildContactRest(rest.mesh, volume.size, volume.pairs.lengths);
  const { type } = chosen;
  return Object.freeze({ type, mesh, solver: chosen, particles: rest, surface: rest, volume, contact, folds });
}

/** A solver of one's own, checked: one may have been put together by hand. */
function copySolver(solver: Solver): Solver {
  if (solver?.settings && solver.type === 'lattice') return lattice(solver.settings);
  if (solver?.settings && solver.type === 'surface') return surface(solver.settings);
  throw new RangeError(`solver: expected surface({ … }) or lattice({ … }), got ${showInput(solver)}`);
}

/** Throws where a value is not what `prepare` gives; a mesh is told what it lacks. */
export function expectPrepared(place: string, value: Prepared): void {
  const isOne = typeof value === 'object' && value !== null && 'particles' in value && 'solver' in value;
  if (isOne) return;
  const isMesh = typeof value === 'object' && value !== null && 'positions' in value;
  const got = isMesh ? 'a mesh: prepare(mesh) makes a body of it' : showInput(value);
  throw new RangeError(`${place}: expected what prepare() returns, got ${got}`);
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

/** Settings of a body that may change while the world runs. */
export interface LiveSettings {
  /** s, 0…1: share of the way to the elastic goal per 5 ms. */
  readonly stiffness?: number;
  /** k, 0…1: share of the non-rigid velocity taken away per 5 ms. */
  readonly damping?: number;
  /** The volume constraint: what is to change of it, true to turn it on, false to turn it off. */
  readonly volume?: Partial<VolumeSettings> | boolean;
}

export const LIVE_SETTINGS = ['stiffness', 'damping', 'volume'] as const satisfies (keyof LiveSettings)[];

/**
 * New settings in place of all that a body has, checked like those of a new solver.
 * @throws RangeError where some are missing, differ in what went into the rest data, or are those of another solver.
 */
export function replaceSettings(solver: Solver, given: SolverSettings): SolverSettings {
  const own = Object.keys(solver.settings);
  expectKnownFields('settings', given, [...new Set([...own, ...Object.keys(PREPARED_SETTINGS)])]);
  expectPreparedSettings('settings', solver, given);
  const missing = own.find((name) => (given as object)[name as never] === undefined);
  if (missing === undefined) return copySolver({ type: solver.type, settings: given } as Solver).settings;
  const live = LIVE_SETTINGS.filter((name) => name in given).join(', ') || '…';
  throw new RangeError(
    `settings: expected all of them, ${missing} is missing; body.set({ ${live} }) changes what it is given and leaves the rest`,
  );
}

/**
 * A body's settings with some of them changed.
 * @throws RangeError where one is out of its range or belongs to the rest data.
 */
export function changeSettings(solver: Solver, now: SolverSettings, changes: LiveSettings): SolverSettings {
  expectPreparedSettings('set', solver, { ...solver.settings, ...changes });
  const { stiffness = now.stiffness, damping = now.damping } = changes;
  const settings = { ...now, stiffness, damping, volume: changeVolume(now.volume, changes.volume) };
  return copySolver({ type: solver.type, settings } as Solver).settings;
}

function changeVolume(now: VolumeSettings | false, change: LiveSettings['volume']): VolumeSettings | false {
  if (change === undefined) return now;
  if (change === true) return now === false ? VOLUME_DEFAULTS : now;
  return typeof change === 'object' && now !== false ? volumeSettings({ ...now, ...change }) : volumeSettings(change);
}

function expectPreparedSettings(place: string, solver: Solver, given: object): void {
  for (const [name, words] of Object.entries(PREPARED_SETTINGS)) {
    const [own, wanted] = [solver.settings, given].map((settings) => settings[name as never]);
    if (wanted === undefined || wanted === own) continue;
    throw new RangeError(`${place}: the ${words} belongs to the prepared body; prepare it anew to change it`);
  }
}
