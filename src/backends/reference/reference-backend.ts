// The reference backend: double precision, plain loops, one thread. The readable description of every algorithm.

import type { Collider } from '../../contact/collider.js';
import { partsForApproach } from '../../contact/fast-approach.js';
import { wakeByAltered, wakeByColliders, wakeTogether } from '../../contact/sleep.js';
import { SoftContact } from '../../contact/soft-contact.js';
import type { StateTree } from '../../math/state-tree.js';
import type { Vec3 } from '../../math/vec3.js';
import type { Prepared } from '../../solvers/prepare.js';
import { REFERENCE_STEP } from '../../solvers/surface/surface-elasticity.js';
import {
  type Backend,
  type BackendBody,
  type Capabilities,
  emptyProfile,
  type Profile,
  type StepInput,
} from '../backend.js';
import { measureAttached } from '../collider-pin.js';
import { freeBodies } from '../free-bodies.js';
import { pullGrips } from '../grip.js';
import { Rebounds } from '../rebound.js';
import { recoverBodies } from '../recover-bodies.js';
import { ReferenceBody } from './reference-body.js';
import {
  commit,
  conserve,
  contact,
  damp,
  locatePins,
  match,
  moveColliders,
  predict,
  rest,
  type StageInput,
} from './stages.js';

/** The way of the data through a step. */
const PIPELINE = [
  ['predict', each(predict)],
  ['match', each(match)],
  ['damp', each(damp)],
  ['contact', contact],
  ['conserve', each(conserve)],
  ['commit', each(commit)],
  ['commit', rest],
] as const;

/** A stage that takes bodies one by one. */
function each(stage: (body: ReferenceBody, input: StageInput) => void) {
  return (bodies: readonly ReferenceBody[], input: StageInput) => {
    for (const body of bodies) if (!body.sleep.asleep) stage(body, input);
  };
}

export class ReferenceBackend implements Backend {
  readonly capabilities: Capabilities = { backend: 'reference', threads: 1, precision: 'double' };
  private readonly bodies: ReferenceBody[] = [];
  private readonly softContact = new SoftContact();
  /** Gravity and obstacles of the step before. */
  private seen: Pick<StepInput, 'gravity' | 'colliders'> = { gravity: [0, 0, 0], colliders: [] };

  canHold(): boolean {
    return true;
  }

  addBody(prepared: Prepared, density: number): ReferenceBody {
    const body = new ReferenceBody(prepared, density);
    this.bodies.push(body);
    return body;
  }

  removeBody(body: BackendBody): void {
    const index = this.bodies.indexOf(body as ReferenceBody);
    if (index < 0) return;
    this.bodies.splice(index, 1);
    this.wakeAll();
  }

  /**
   * A step beyond 5 ms is taken in equal parts: in one, matching could not be as stiff as asked for. So is one in which
   * bodies come fast.
   */
  step(input: StepInput): Profile {
    const profile = emptyProfile();
    const shortened = Math.max(1, Math.ceil(input.timeStep / REFERENCE_STEP - 1e-9));
    const parts = shortened * partsForApproach(this.bodies, input.timeStep / shortened);
    const timeStep = input.timeStep / parts;
    this.watch(input);
    wakeByAltered(this.bodies, input.colliders);
    wakeTogether(this.bodies);
    recoverBodies(this.bodies, input);
    for (const body of this.bodies) {
      if (body.sleep.asleep) continue;
      body.contactCount = 0;
      body.touches.clear();
    }
    const rebounds = new Rebounds(this.bodies, input);
    for (let part = 0; part < parts; part++) {
      this.stepPart({ ...input, time: input.time + part * timeStep, timeStep }, profile);
    }
    rebounds.finish(timeStep);
    for (const body of this.bodies) if (!body.sleep.asleep) body.touches.remember();
    return profile;
  }

  private wakeAll(): void {
    for (const body of this.bodies) body.wake();
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

  private stepPart(stepInput: StepInput, profile: Profile): void {
    const input = { ...stepInput, softContact: this.softContact };
    moveColliders(input.colliders, input);
    wakeByColliders(this.bodies, input.colliders);
    freeBodies(this.bodies, input.colliders, input.gravity);
    for (const body of this.bodies) {
      locatePins(body, input);
      pullGrips(body, input.gravity, input.timeStep);
    }
    for (const joint of input.joints ?? []) joint.pull(input.timeStep);
    measureAttached(this.bodies, input.gravity, input.timeStep, () => this.runPipeline(input, profile));
  }

  private runPipeline(input: StageInput, profile: Profile): void {
    for (const [name, stage] of PIPELINE) {
      const start = performance.now();
      stage(this.bodies, input);
      const elapsed = performance.now() - start;
      profile[name] += elapsed;
      profile.total += elapsed;
    }
  }

  capture(): StateTree {
    return { contact: this.softContact.capture(), gravity: this.seen.gravity };
  }

  restore(state: StateTree, colliders: readonly Collider[]): void {
    const { contact, gravity } = state as { contact: StateTree; gravity: Vec3 };
    this.softContact.restore(contact);
    this.seen = { gravity, colliders: [...colliders] };
  }

  dispose(): void {
    this.bodies.length = 0;
  }
}
