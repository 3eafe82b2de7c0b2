// A step of a world: substeps, waking, recovery, pins, grips, joints and sleep in their one order, on every backend. Backends run
// the stages in between and know none of it.

import {
  type Backend,
  type BackendBody,
  emptyProfile,
  type Profile,
  STAGES,
  type StepInput,
} from '../backends/backend.js';
import { substepsForApproach } from '../contact/broad-phase/fast-approach.js';
import type { Obstacle } from '../contact/obstacles/obstacle.js';
import { updateSleep, wakeByAltered, wakeByColliders, wakeTogether } from '../contact/sleep.js';
import type { BodyJoint } from '../handles/body-joint.js';
import { measureAttached } from '../handles/collider-pin.js';
import { pullGrips } from '../handles/grip.js';
import type { StateTree } from '../math/state-tree.js';
import { length, type Vec3 } from '../math/vec3.js';
import { REFERENCE_STEP } from '../solvers/step-scaling.js';
import { applyFields, type ForceField } from './force-field.js';
import { freeBodies } from './free-bodies.js';
import { Rebounds } from './rebound.js';
import { recoverBodies } from './recover-bodies.js';
import { resistRolling } from './rolling-resistance.js';

export interface PipelineInput extends StepInput {
  /** What holds bodies together. */
  readonly joints: readonly BodyJoint[];
  /** What accelerates them by place, velocity and time. */
  readonly fields?: readonly ForceField[];
}

export class Pipeline {
  /** Gravity and obstacles of the step before. */
  private seen: { gravity: Vec3; colliders: readonly Obstacle[] } = { gravity: [0, 0, 0], colliders: [] };

  /** Of a backend whose steps are enqueued: what has still to be done after the last one. */
  private unfinished:
    | { readonly input: StepInput; readonly rebounds?: Rebounds; readonly timeStep: number }
    | undefined;

  constructor(private readonly backend: Backend) {}

  private get bodies(): readonly BackendBody[] {
    return this.backend.bodies;
  }

  /**
   * One step. Beyond 5 ms it is taken in equal substeps: in one, matching could not be as stiff as asked for. So is one in which
   * bodies come fast.
   */
  step(input: PipelineInput): Profile {
    const start = performance.now();
    const profile = emptyProfile();
    const { bodies } = this;
    this.watch(input);
    wakeByAltered(bodies, input.colliders);
    wakeTogether(bodies);
    // What is not known of bodies is left alone: they are looked at after the next sync.
    const isBehind = this.backend.isBehind === true;
    if (!isBehind) recoverBodies(bodies, input);
    for (const body of bodies) {
      if (body.asleep) continue;
      body.contactCount = 0;
      body.touches.clear();
    }
    const shortened = Math.max(1, Math.ceil(input.timeStep / REFERENCE_STEP - 1e-9));
    const substeps = shortened * substepsForApproach(bodies, input.timeStep / shortened);
    const timeStep = input.timeStep / substeps;
    const rebounds = isBehind ? undefined : new Rebounds(bodies, input);
    for (let n = 0; n < substeps; n++) {
      this.substep({ ...input, time: input.time + n * timeStep, timeStep, substep: n }, profile);
    }
    this.unfinished = { input, rebounds, timeStep };
    if (!this.backend.isBehind) this.finish();
    profile.total = performance.now() - start;
    profile.host = STAGES.reduce((left, stage) => left - profile[stage], profile.total);
    return profile;
  }

  /** What comes after a step, once the bodies know of it: at once, or after a sync. */
  finish(): void {
    const { bodies, backend, unfinished } = this;
    if (!unfinished) return;
    const { input, rebounds, timeStep } = unfinished;
    this.unfinished = undefined;
    if (backend.sync) this.rest(input);
    rebounds?.finish(timeStep);
    for (const body of bodies) if (!body.asleep) body.touches.remember();
  }

  /** Who sleeps, and who stops rolling. */
  private rest({ gravity, timeStep }: StepInput): void {
    updateSleep(this.bodies, this.backend.pressed, length(gravity), timeStep);
    resistRolling(this.bodies, length(gravity), timeStep);
  }

  /** Pins first, as their motions are the user's: one that throws leaves the world as it was. Then what pulls, then the stages. */
  private substep(input: PipelineInput, profile: Profile): void {
    const { bodies, backend } = this;
    const { gravity, timeStep, colliders } = input;
    for (const collider of colliders) collider.moveThrough(input.time, input.time + timeStep);
    wakeByColliders(bodies, colliders);
    const isBehind = backend.isBehind === true;
    if (!isBehind) freeBodies(bodies, colliders, gravity);
    for (const body of bodies) body.locatePins(input.time + timeStep);
    // Springs that know only where bodies were would swing them up.
    if (!isBehind) for (const body of bodies) pullGrips(body, gravity, timeStep);
    applyFields(bodies, input.fields ?? [], input.time, timeStep);
    if (!isBehind) for (const joint of input.joints) joint.pull(timeStep);
    if (backend.sync) backend.run(input, profile);
    else {
      measureAttached(bodies, gravity, timeStep, () => backend.run(input, profile));
      this.rest(input);
    }
  }

  /** What changes for all bodies wakes them. */
  private watch({ gravity, colliders }: StepInput): void {
    const { gravity: before, colliders: known } = this.seen;
    const same =
      gravity.every((g, k) => g === before[k]) &&
      colliders.length === known.length &&
      colliders.every((collider, n) => collider === known[n]);
    if (same) return;
    this.seen = { gravity, colliders: [...colliders] };
    this.wakeAll();
  }

  wakeAll(): void {
    for (const body of this.bodies) body.wake();
  }

  capture(): StateTree {
    return { gravity: this.seen.gravity };
  }

  /** The colliders are those of the next step. */
  restore(state: StateTree, colliders: readonly Obstacle[]): void {
    this.seen = { gravity: (state as { gravity: Vec3 }).gravity, colliders: [...colliders] };
  }
}
