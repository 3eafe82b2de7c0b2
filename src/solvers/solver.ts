// What a solver is: a value with settings and behaviour. `surface({ stiffness: 0.5 })` carries what its settings mean, how a mesh is
// prepared for it and the model that moves a body; nothing outside its folder knows its name.

import { buildContactRest, type ContactRest } from '../contact/contact-body.js';
import type { StateTree } from '../math/state-tree.js';
import type { TetraMesh } from '../mesh/tetrahedralise/tetra-mesh.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { type Fields, readFields } from './fields.js';
import { type CheckedMaps, orderMap } from './maps.js';
import type { Model } from './model.js';
import type { ModelCoupling } from './model-coupling.js';
import { buildParts, type PartRest, spreadParts, weighParts } from './parts.js';
import type { SolverRest } from './solver-rest.js';
import type { SolverSettings } from './solver-settings.js';
import type { VolumeRest } from './volume/rest.js';

export type { BodyStructure, KernelRest, ParticleRest, SolverRest } from './solver-rest.js';

/** A body at rest, ready to be added to worlds any number of times. */
export interface Prepared<S extends SolverSettings = SolverSettings> extends SolverRest {
  readonly solver: Solver<S>;
  /** The mesh as given, or the shell's own where the solver makes another: `body.positions` follows its numbering. */
  readonly mesh: TriangleMesh;
  readonly volume: VolumeRest;
  /** Its closed parts, one unless its solver takes meshes of several. */
  readonly parts: readonly PartRest[];
  readonly contact: ContactRest;
  /** What is painted on it, by vertex of the mesh. */
  readonly maps: CheckedMaps;
}

/** What a model is told of the body that it is made for. */
export interface ModelBody {
  /** Its mass [kg]. */
  readonly mass: number;
  /** Whether kernels may do what the model does: on backends that run kernels. */
  readonly kernels: boolean;
  /** Threads that may share the work of a large body; its bits do not depend on them. One unless given. */
  readonly threads?: number;
}

/** A way to be soft: settings, what they mean, how a mesh is prepared for it, and the model of one body. */
export interface Solver<S extends SolverSettings = SolverSettings, R extends SolverRest = SolverRest> {
  readonly type: string;
  readonly settings: S;
  readonly fields: Fields;
  /** Whether it takes meshes of several closed parts. */
  readonly parts: boolean;
  /** Whether its model comes back from what is done to it in a world by itself; broken bodies of the others are drawn back as wholes. */
  readonly recovers: boolean;
  /** Whether its bodies keep their volume. */
  readonly keepsVolume: boolean;
  /** The same solver with other settings, checked; what is left out has its default. */
  with(options: object): Solver<S, R>;
  /** What a checked mesh becomes, with what is painted on it. */
  prepare(mesh: TriangleMesh, maps: CheckedMaps): R;
  /** Where models have a `structure`: what a mesh becomes that has it, of a body that was added with `made`. Throws where it cannot be. */
  revive?(mesh: TriangleMesh, made: R, structure: StateTree): R;
  /** The same of a solid mesh, its nodes painted; undefined where the solver takes surfaces only. */
  prepareSolid?(mesh: TetraMesh, maps: CheckedMaps): R;
  /** The model of one body. */
  create(rest: R, body: ModelBody): Model<S>;
  /** Where models meet each other within their solves: what takes those of a world through a substep. The same for all settings. */
  readonly couple?: () => ModelCoupling;
}

/** What is told of a solver to define it. */
export interface SolverDefinition<S extends SolverSettings, R extends SolverRest> {
  /** Its name in scene files and errors. */
  readonly type: string;
  /** What it is, in a sentence. */
  readonly words: string;
  readonly fields: Fields;
  /** Whether it takes meshes of several closed parts; otherwise they are refused before `prepare`. */
  readonly parts?: boolean;
  /** Whether its model comes back from what is done to it in a world by itself; what was broken by hand is drawn back. */
  readonly recovers?: boolean;
  /** Whether bodies of these settings keep their volume; those that have the constraint unless it says otherwise. */
  keepsVolume?(settings: S): boolean;
  /** Throws RangeError where settings that are each in range do not go together. */
  check?(settings: S): void;
  prepare(mesh: TriangleMesh, settings: S, maps: CheckedMaps): R;
  revive?(mesh: TriangleMesh, settings: S, made: R, structure: StateTree): R;
  /** The same of a solid mesh, where it takes those. */
  prepareSolid?(mesh: TetraMesh, settings: S, maps: CheckedMaps): R;
  create(rest: R, settings: S, body: ModelBody): Model<S>;
  /** Where models meet each other within their solves. */
  readonly couple?: () => ModelCoupling;
}

/** A solver's function: called with options it gives the solver. */
export interface SolverMaker<O extends object, S extends SolverSettings, R extends SolverRest> {
  (options?: O): Solver<S, R>;
  readonly type: string;
  readonly words: string;
  readonly fields: Fields;
}

/**
 * Defines a solver: `export const springs = defineSolver({ type: 'springs', … })`, then `springs({ stiffness: 0.5 })`.
 * @example
 * ```ts
 * const drifting = defineSolver({
 *   type: 'drifting',
 *   words: 'Moves by nothing but its velocities.',
 *   fields: surface.fields,
 *   prepare: (mesh) => surface().prepare(mesh, {}),
 *   create: (_, settings) => ({
 *     settings,
 *     match: (shell, timeStep) => movePositions(shell, timeStep),
 *     damp() {},
 *     reset() {},
 *   }),
 * });
 * const world = await createWorld();
 * world.add(prepare(icosphere({ detail: 2 }), drifting()));
 * ```
 */
export function defineSolver<O extends object, S extends SolverSettings, R extends SolverRest>(
  definition: SolverDefinition<S, R>,
): SolverMaker<O, S, R> {
  const { type, words, fields, parts = false, recovers = false, prepareSolid } = definition;
  const make = (options: object = {}): Solver<S, R> => {
    const settings = readFields(type, fields, options) as unknown as S;
    definition.check?.(settings);
    return Object.freeze({
      type,
      settings,
      fields,
      parts,
      recovers,
      keepsVolume: definition.keepsVolume?.(settings) ?? Boolean(settings.volume),
      with: make,
      prepare: (mesh: TriangleMesh, maps: CheckedMaps = {}) => definition.prepare(mesh, settings, maps),
      revive:
        definition.revive &&
        ((mesh: TriangleMesh, made: R, structure: StateTree) =>
          (definition.revive as NonNullable<typeof definition.revive>)(mesh, settings, made, structure)),
      prepareSolid: prepareSolid && ((mesh: TetraMesh, maps: CheckedMaps) => prepareSolid(mesh, settings, maps)),
      create: (rest: R, body: ModelBody) => definition.create(rest, settings, body),
      couple: definition.couple,
    });
  };
  return Object.assign(make, { type, words, fields });
}

/** Whether a value is a solver: one put together by hand has no behaviour. */
export const isSolver = (value: unknown): value is Solver =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Solver).prepare === 'function' &&
  typeof (value as Solver).create === 'function';

/** Completes what a solver made of a mesh by what contact, volume and recovery need. */
export function completeRest<R extends SolverRest>(given: TriangleMesh, rest: R, painted: CheckedMaps) {
  const { mesh, maps } = rest.shell ?? { mesh: given, maps: painted };
  const plain = buildParts(rest.particles, rest.volume);
  const weights = orderMap(maps.volumeWeight, rest.particles.order);
  const volume = weights ? { ...plain.volume, weights } : plain.volume;
  const parts = weights ? weighParts(plain.parts, weights) : plain.parts;
  const frictions = orderMap(maps.friction, rest.particles.order);
  const shell = spreadParts(rest.particles.mesh, parts, volume.size);
  const contact = buildContactRest(shell, volume.size, volume.pairs.lengths, frictions);
  return { ...rest, mesh, volume, parts, contact, maps };
}
