// What a world asks of a backend: hold bodies, advance them by a step. Each backend keeps its own packed state and shows
// positions and velocities in the mesh's own vertex order.

import type { ApproachingBody } from '../contact/broad-phase/fast-approach.js';
import type { ContactRest } from '../contact/contact-body.js';
import type { ContactSettings } from '../contact/contact-settings.js';
import type { Obstacle } from '../contact/obstacles/obstacle.js';
import type { Touches } from '../contact/response/touches.js';
import type { SleepingBody } from '../contact/sleep.js';
import type { Embedding } from '../embedding/embedding.js';
import type { GpuSkin } from '../embedding/gpu-skin.js';
import type { Skin } from '../embedding/skin.js';
import type { PatchGrip } from '../handles/grip.js';
import type { PinnedSet } from '../handles/pinned-set.js';
import type { StateTree } from '../math/state-tree.js';
import type { Vec3 } from '../math/vec3.js';
import type { InnerMass } from '../solvers/inner-mass.js';
import type { Model, RigidField, Shell } from '../solvers/model.js';
import type { BodyRecovery } from '../solvers/recovery/body-recovery.js';
import type { RecoverableBody } from '../solvers/recovery/recoverable-body.js';
import type { Prepared } from '../solvers/solver.js';
import type { SolverSettings } from '../solvers/solver-settings.js';
import type { Origin, TopologyChange } from '../solvers/topology-change.js';
import type { Inflation } from '../solvers/volume/inflation.js';

/** The stages of a step, in order; the names are the same in every backend, the profile and the report. */
export const STAGES = ['predict', 'match', 'damp', 'contact', 'conserve', 'commit'] as const;
/** Name of a stage of a step. */
export type Stage = (typeof STAGES)[number];

/**
 * Milliseconds of one step: of each stage on the calling thread, and of the `host` around them (pins, grips, joints, sleep, the way
 * into the kernels and out of them).
 */
export type Profile = Record<Stage | 'host' | 'total', number>;

export const emptyProfile = (): Profile => ({
  total: 0,
  host: 0,
  predict: 0,
  match: 0,
  damp: 0,
  contact: 0,
  conserve: 0,
  commit: 0,
});

/** What a world runs on. */
export interface Capabilities {
  readonly backend: 'reference' | 'wasm' | 'webgpu';
  /** Threads that a step may use; small worlds stay on one. */
  readonly threads: number;
  readonly precision: 'double' | 'single';
  /** Of the WebGPU backend: the adapter's name, where it tells, whether sums use subgroups, and why steps run on the host, where they do. */
  readonly adapter?: string;
  readonly subgroups?: boolean;
  readonly onHost?: string;
}

/** Numbers in a backend's precision. */
export type Reals = Float64Array | Float32Array;

/** Particles of a body as its backend holds them, for who changes their velocities before a substep. */
export interface MovableParticles {
  readonly positions: Reals;
  readonly velocities: Reals;
  /** Numbers from one particle to the next. */
  readonly stride: number;
  /** What the positions are relative to [m]. */
  readonly origin: ArrayLike<number>;
}

const ORIGIN = [0, 0, 0];

/** Of a model on the host: its shell, and what it moves beside it. */
export const hostParticles = (shell: Shell, { inner }: Model): MovableParticles[] =>
  (inner ? [shell, inner] : [shell]).map(({ positions, velocities }) => ({
    ...{ positions, velocities, stride: 3, origin: ORIGIN },
  }));

/** Nodes inside a body, and which of them are linked. */
export interface NodeGraph {
  /** Where the nodes are [m], 3 numbers each. */
  readonly positions: Float64Array;
  /** Two nodes by number for each edge. */
  readonly edges: Uint32Array;
}

/** What happens inside a body, to be looked at; in the mesh's own vertex order. */
export interface BodyInspection {
  /** 1 for particles that touched something in the last step. */
  readonly touching: Uint8Array;
  /** How much each particle takes part in keeping the volume, against the others; 0 where the volume is free. */
  readonly volumeWeights: Float64Array;
  /** What more its solver can show, by name: strains, stresses, errors. */
  readonly views?: Readonly<Record<string, Float64Array>>;
  /** Of a solver with a graph of nodes inside. */
  readonly graph?: NodeGraph;
}

/** A body inside a backend; everything that is asked of it outside of the stages. */
export interface BackendBody extends SleepingBody, ApproachingBody, RecoverableBody {
  readonly prepared: Prepared;
  /** [m], in the mesh's own vertex order; after writing to it, call `load`. */
  readonly positions: Reals;
  /** [m/s], in the mesh's own vertex order; of a body in contact or under pins how its particles moved; after writing, call `load` or `loadVelocities`. */
  readonly velocities: Reals;
  /** [kg], in the mesh's own vertex order. */
  readonly masses: Float64Array;
  /** The particle of each vertex, in the solver's order. */
  readonly places: Uint32Array;
  readonly contactRest: ContactRest;
  /** Settings may change at any time but for those that went into the rest data. */
  settings: SolverSettings;
  readonly pins: PinnedSet[];
  readonly grips: PatchGrip[];
  /** What it touched in the last step: obstacles, and bodies that are listed after it. */
  readonly touches: Touches<Obstacle | BackendBody>;
  /** Particles in contact in the last step; the most of its substeps. */
  contactCount: number;
  /** Friction, restitution and contact with itself may change at any time. */
  readonly contactSettings: ContactSettings;
  /** Whether it is broken, and how far it has come back. */
  readonly recovery: BodyRecovery;
  /** How much of its volume it is to have. */
  readonly inflation: Inflation;
  /** Whether it has come to rest and no stage touches it. */
  readonly asleep: boolean;
  wake(): void;
  /** Puts the particles somewhere at rest; `rotation` (xyzw) is how the rest shape is turned there. */
  place(positions: Float64Array, rotation: ArrayLike<number>): void;
  /** Takes over `positions` and `velocities` after they were written to. */
  load(): void;
  /** Takes over what was added to `velocities`; the solver's own, which also hold pressure, otherwise stay. */
  loadVelocities(): void;
  /** What of its mass is not on its shell; undefined where all is. */
  readonly innerMass?: InnerMass;
  /** Of a body with mass inside: adds a rigid velocity field to all of it, `velocities` included. */
  push(field: RigidField): void;
  /** What fields may accelerate, shell and inside; they write to the velocities before a substep. */
  movable(): readonly MovableParticles[];
  /** Finds which particles are pinned, and where to at the end of a substep. */
  locatePins(endTime: number): void;
  /** Σ m v of the solver's own velocities [kg m/s]. */
  solverMomentum(): Vec3;
  /** What pins did to the velocity of a vertex in the last substep [m/s]. */
  pinChangeOf(vertex: number): Vec3;
  /** All of its state but pins, grips and what it touched. */
  capture(): StateTree;
  /** Takes back what `capture` gave, of this body or of one like it. */
  restore(state: StateTree): void;
  inspect(): BodyInspection;
  /** Asks its model for a new topology. */
  adapt(): TopologyChange | undefined;
  /** The model that moves it on the host; undefined where the kernels do. */
  readonly hostModel?: Model;
  /** Lets a visible mesh follow the body; where a backend has no kernels for it, the reference does it. */
  embed?(embedding: Embedding): Skin;
}

/** What a substep is given. */
export interface StepInput {
  /** [m/s²] */
  readonly gravity: Vec3;
  /** Start of it [s]. */
  readonly time: number;
  /** Δt [s]. */
  readonly timeStep: number;
  /** Which of its step it is; the first where there is no other. */
  readonly substep?: number;
  readonly colliders: readonly Obstacle[];
}

/** Holds bodies and runs the stages; the order of everything around them is the pipeline's (`world/pipeline`). */
export interface Backend {
  readonly capabilities: Capabilities;
  /** In the order in which they were added. */
  readonly bodies: readonly BackendBody[];
  /** Adds a body at rest in its mesh's own coordinates. */
  add(prepared: Prepared, density: number): BackendBody;
  /** Whether it was there. */
  remove(body: BackendBody): boolean;
  /**
   * Makes a body one of other rest data, in place: by `origin` it goes on from where it is, without it it waits for `restore`. Its
   * mass, settings, pins and grips stay.
   * @throws RangeError where there is no room; it then stays as it is.
   */
  rebuild(body: BackendBody, prepared: Prepared, origin?: Origin): void;
  /** Takes all bodies that are awake through the stages of a substep; adds the milliseconds of each to the profile. */
  run(input: StepInput, profile: Profile): void;
  /**
   * Of a backend whose substeps are enqueued: brings their state to the bodies, with a latency of 1 that of the sync before. The order of
   * everything after a step waits for it.
   */
  sync?(latency?: 0 | 1): Promise<void>;
  /** Of the WebGPU backend: milliseconds of the last substep's stages on the GPU, as of the last sync. */
  readonly stageTimes?: Partial<Record<Stage, number>>;
  /** Whether there are substeps that the bodies know nothing of. */
  readonly isBehind?: boolean;
  /**
   * Of the WebGPU backend: a body's surface, or a visible mesh bound to it, in the GPU's buffers. `behind` tells how long before the end of
   * the last step it is to be shown [s].
   * @throws RangeError where the body has no state there.
   */
  gpuSkin?(body: BackendBody, behind: () => number, embedding?: Embedding): GpuSkin;
  /** Places of bodies that pressed each other in the last substep, two by two. */
  readonly pressed: readonly number[];
  /** What tells its state from that of another version with the same names. */
  readonly fingerprint: string;
  /** State that belongs to no body. */
  capture(): StateTree;
  /** After all bodies are as they were. */
  restore(state: StateTree): void;
  dispose(): void;
}
