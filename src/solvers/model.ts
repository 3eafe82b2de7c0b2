// What the step shares with every model of a body: its shell, the closed surface that contact, volume, pins and users see, and
// what a model does in the stages of a step. A model of the shell alone has three methods; the others are for those that move
// more than the shell, as a lattice does.

import type { StateTree } from '../math/state-tree.js';
import type { Vec3 } from '../math/vec3.js';
import type { Blade, BladeStroke, SolidModule } from './blade.js';
import type { DetailedModel } from './detail.js';
import type { ModelContacts, Surroundings } from './model-contacts.js';
import type { SolverRest } from './solver-rest.js';
import type { SolverSettings } from './solver-settings.js';
import type { TopologyChange } from './topology-change.js';

/** The shell of one body during a step, in the solver's own order (3 numbers per particle where vectors). */
export interface Shell {
  readonly count: number;
  /** x [m], the position being built for the end of the step. */
  readonly positions: Float64Array;
  /** xⁿ [m], the position at the start of the step. */
  readonly starts: Float64Array;
  /** v [m/s]. */
  readonly velocities: Float64Array;
  /** m [kg], what an impulse meets. */
  readonly masses: Float64Array;
  /** ‖cᵢ‖ [m], how far the model moved each particle in this step; feeds the volume weights. */
  readonly changes: Float64Array;
  /** Whether pins hold some of them. Momentum then goes through these. */
  anchored: boolean;
}

/** A rigid velocity field: `linear` at `about`, and turning about it. */
export interface RigidField {
  readonly linear: Vec3;
  readonly angular: Vec3;
  readonly about: Vec3;
}

/** What a model moves beside the shell: gravity, impulses on the whole body and its measures reach these as well. */
export interface InnerParticles {
  /** [m], [m/s]: 3 numbers each. */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  /** Share of the body's mass at each, where the shell has not all of it: Σ over shell and these = 1. */
  readonly massShares?: Float64Array;
  /** Where they are in the mesh at rest [m]: a broken body is then drawn back with them. */
  readonly restPositions?: Float64Array;
}

/** Live arrays by name: what of a model outlives a step. A snapshot copies them, and writes them back. */
export type ModelState = Readonly<Record<string, Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array>>;

/** What was asked of a model and is still to be done, such as cuts: handed on where a body gets another model. */
export interface Pending {
  /** As numbers; null where there is nothing. A snapshot holds it. */
  record(): StateTree;
  /**
   * Reads what was recorded; calling what it returns makes that what is to be done.
   * @throws RangeError where it is nothing that can be done.
   */
  read(state: StateTree): () => void;
}

/** One body's elasticity: turns the predicted shell into the elastic one. In double precision, whatever the backend. */
export interface Model<S extends SolverSettings = SolverSettings> {
  settings: S;
  /** Of a model whose regions are the shell's particles: how each is turned (quaternions x, y, z, w). */
  readonly rotations?: Float64Array;
  /** What it moves beside the shell. */
  readonly inner?: InnerParticles;
  /** Of a model that meets obstacles within its `match`: what it touched there in the last substep. */
  readonly contacts?: ModelContacts;
  /** Size of the shape that it goes back to, in sizes at rest: that of a body that is inflated is larger. */
  restScale?: number;
  /**
   * Asked before each step that the body is awake in: its new topology, where it is to have one. The solver then makes another model
   * for it, whose `succeed` comes before its first step.
   */
  adapt?(shell: Shell): TopologyChange | undefined;
  /**
   * Takes over from the model before a change of topology. The shell has the positions and velocities of before, by origin; the model
   * may write others. Momentum is restored afterwards. A model without it is given them by `replace`.
   */
  succeed?(before: Model<S>, shell: Shell): void;
  /**
   * What tells it from a model of the rest data that its body was added with, where the mesh alone does not give that again: a
   * snapshot holds it, and the solver's `revive` makes rest data of it. Undefined where nothing does.
   */
  structure?(made: SolverRest): StateTree;
  /** What is to be done before its next steps. */
  pending?: Pending;
  /** Cuts before the next step. */
  cut?(blade: Blade): void;
  /** Begins a cut that is made bit by bit. */
  beginStroke?(fallback?: SolidModule): BladeStroke;
  /**
   * Of a body in several pieces: what each becomes as a body of its own, as parts of it by origin; one where it is in one piece.
   * A model made of one of these takes over from this model, or from one of another body in the same state.
   */
  divide?(): readonly TopologyChange[];
  /** Of a model with levels of detail: halves and joins cells between steps; returns how many nodes came or went. */
  refine?: DetailedModel['refine'];
  coarsen?: DetailedModel['coarsen'];
  /** Of a model of cells: the one that carries most of each of the shell's particles. */
  cells?(): Uint32Array;
  /** Of a model with a graph of nodes inside: two of them by number for each edge, in the order of `inner`. */
  edges?(): Uint32Array;
  /** Pulls v towards the elastic goals, sets x = xⁿ + Δt·v and `changes`. */
  match(shell: Shell, timeStep: number, around: Surroundings): void;
  /** Damps the non-rigid part of v and sets x = xⁿ + Δt·v. */
  damp(shell: Shell, timeStep: number): void;
  /** Forgets history (warm starts), for a body that was placed anew with the given rotation (quaternion x, y, z, w). */
  reset(rotation: ArrayLike<number>): void;
  /** What outlives a step beside the shell; nothing unless given. */
  state?(): ModelState;
  /** Of a model whose regions are the shell's particles: `reset` for the regions of some of them. */
  turn?(rotation: ArrayLike<number>, places: readonly number[]): void;

  /** Ends what no collector of garbage would: threads of its own. */
  dispose?(): void;

  /** Figures of all of it by name, as reports list them; nothing unless given. */
  figures?(): Readonly<Record<string, number>>;
  /** Numbers by particle, by name, that can be looked at; nothing unless given. */
  views?(): Readonly<Record<string, Float64Array>>;

  // Of a model that moves more than the shell:
  /** The shell is about to be given positions and velocities from outside. */
  replace?(shell: Shell, positions: Float64Array, velocities: Float64Array): void;
  /**
   * Where it has the shell's particles by itself [m], of a model that places all of them in every step: whether a body is broken shows
   * there, as what contact and volume fold of the shell is gone with the next step.
   */
  readonly carried?: Float64Array;
  /** Follows what contact and volume did to the shell. */
  takeOver?(shell: Shell): void;
  /** After `takeOver`: where it could not follow closely, takes all but the held particles to where it did. Whether so. */
  pullBack?(shell: Shell, held: Uint8Array): boolean;
  /** The last of a step, after `takeOver`: particles that it gave other positions and velocities, of the same momenta. */
  settle?(shell: Shell): readonly number[];
}

/**
 * x = xⁿ + Δt·v for the whole shell.
 * @example
 * ```ts
 * const stiff = defineSolver({
 *   type: 'stiff',
 *   words: 'Moves, and never deforms.',
 *   fields: surface.fields,
 *   prepare: (mesh) => surface().prepare(mesh, {}),
 *   create: (_, settings) => ({
 *     settings,
 *     match(shell, timeStep) {
 *       shell.changes.fill(0); // no particle is drawn anywhere
 *       movePositions(shell, timeStep);
 *     },
 *     damp() {},
 *     reset() {},
 *   }),
 * });
 * ```
 */
export function movePositions(shell: Shell, timeStep: number): void {
  const { positions, starts, velocities } = shell;
  for (let k = 0; k < positions.length; k++) positions[k] = starts[k] + timeStep * velocities[k];
}

/** Adds a rigid velocity field to the velocities of points. */
export function addField(
  { linear, angular: [x, y, z], about }: RigidField,
  positions: Float64Array | Float32Array,
  velocities: Float64Array | Float32Array,
): void {
  for (let k = 0; k < velocities.length; k += 3) {
    const rx = positions[k] - about[0];
    const ry = positions[k + 1] - about[1];
    const rz = positions[k + 2] - about[2];
    velocities[k] += linear[0] + (y * rz - z * ry);
    velocities[k + 1] += linear[1] + (z * rx - x * rz);
    velocities[k + 2] += linear[2] + (x * ry - y * rx);
  }
}
