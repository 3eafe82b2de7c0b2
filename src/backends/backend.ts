// What a world asks of a backend: hold bodies, advance them by a step. Each backend keeps its own packed state and shows
// positions and velocities in the mesh's own vertex order.

import type { Collider } from '../contact/collider.js';
import type { ContactSettings } from '../contact/contact-settings.js';
import type { Touches } from '../contact/touches.js';
import type { Embedding } from '../embedding/embedding.js';
import type { Skin } from '../embedding/skin.js';
import type { StateTree } from '../math/state-tree.js';
import type { Vec3 } from '../math/vec3.js';
import type { Prepared, SolverSettings } from '../solvers/prepare.js';
import type { Recovery } from '../solvers/recovery/recovery.js';
import type { BodyJoint } from './body-joint.js';
import type { PatchGrip } from './grip.js';
import type { Pin } from './pin.js';

/** The stages of a step, in order; the names are the same in every backend, the profile and the report. */
export const STAGES = ['predict', 'match', 'damp', 'contact', 'conserve', 'commit'] as const;
export type Stage = (typeof STAGES)[number];

/** Milliseconds per stage of one step. */
export type Profile = Record<Stage | 'total', number>;

export const emptyProfile = (): Profile => ({
  total: 0,
  predict: 0,
  match: 0,
  damp: 0,
  contact: 0,
  conserve: 0,
  commit: 0,
});

export interface Capabilities {
  readonly backend: 'reference' | 'wasm';
  /** Threads that a step may use; small worlds stay on one. */
  readonly threads: number;
  readonly precision: 'double' | 'single';
}

/** Numbers in a backend's precision. */
export type Reals = Float64Array | Float32Array;

/** What happens inside a body, to be looked at; in the mesh's own vertex order. */
export interface BodyInspection {
  /** 1 for particles that touched something in the last step. */
  readonly touching: Uint8Array;
  /** How much each particle takes part in keeping the volume, against the others; 0 where the volume is free. */
  readonly volumeWeights: Float64Array;
}

/** A body inside a backend. */
export interface BackendBody {
  readonly prepared: Prepared;
  /** [m], in the mesh's own vertex order; after writing to it, call `load`. */
  readonly positions: Reals;
  /** [m/s], in the mesh's own vertex order; of a body in contact or under pins how its particles moved; after writing, call `load` or `loadVelocities`. */
  readonly velocities: Reals;
  /** [kg], in the mesh's own vertex order. */
  readonly masses: Float64Array;
  /** Stiffness, damping and volume may change at any time; regions and resolution are fixed by the rest data. */
  settings: SolverSettings;
  readonly pins: Pin[];
  readonly grips: PatchGrip[];
  /** What it touched in the last step: obstacles, and bodies that are listed after it. */
  readonly touches: Touches<Collider | BackendBody>;
  /** Particles in contact in the last step; the most of its parts. */
  readonly contactCount: number;
  /** Friction, restitution and contact with itself may change at any time. */
  readonly contactSettings: ContactSettings;
  /** Whether it is broken, and how far it has come back. */
  readonly recovery: Pick<Recovery, 'count' | 'isActive'>;
  /** Whether it has come to rest and no stage touches it. */
  readonly asleep: boolean;
  wake(): void;
  /** Puts the particles somewhere at rest; `rotation` (xyzw) is how the rest shape is turned there. */
  place(positions: Float64Array, rotation: ArrayLike<number>): void;
  /** Takes over `positions` and `velocities` after they were written to. */
  load(): void;
  /** All of its state but pins, grips and what it touched. */
  capture(): StateTree;
  /** Takes back what `capture` gave, of this body or of one like it. */
  restore(state: StateTree): void;
  /** Takes over what was added to `velocities`; the solver's own, which also hold pressure, otherwise stay. */
  loadVelocities(): void;
  inspect(): BodyInspection;
  /** Lets a visible mesh follow the body; where a backend has no kernels for it, the reference does it. */
  embed?(embedding: Embedding): Skin;
}

export interface StepInput {
  /** [m/s²] */
  readonly gravity: Vec3;
  /** Start of the step [s]. */
  readonly time: number;
  /** Δt [s]. */
  readonly timeStep: number;
  readonly colliders: readonly Collider[];
  /** What holds bodies together. */
  readonly joints?: readonly BodyJoint[];
}

export interface Backend {
  readonly capabilities: Capabilities;
  /** Whether bodies of this kind can be added. */
  canHold(prepared: Prepared): boolean;
  /** Adds a body at rest in its mesh's own coordinates. */
  addBody(prepared: Prepared, density: number): BackendBody;
  removeBody(body: BackendBody): void;
  /** One step for all bodies; returns the milliseconds of each stage. */
  step(input: StepInput): Profile;
  /** State that belongs to no body. */
  capture(): StateTree;
  /** After all bodies are as they were; the colliders are those of the next step. */
  restore(state: StateTree, colliders: readonly Collider[]): void;
  dispose(): void;
}
