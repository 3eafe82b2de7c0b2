// The reference backend: double precision, plain loops, one thread. The readable description of every algorithm.

import { SoftContact } from '../../contact/soft/soft-contact.js';
import type { StateTree } from '../../math/state-tree.js';
import type { Prepared } from '../../solvers/solver.js';
import type { Origin } from '../../solvers/topology-change.js';
import type { Backend, BackendBody, Capabilities, Profile, StepInput } from '../backend.js';
import { CoupledModels } from '../coupled-models.js';
import { ReferenceBody } from './reference-body.js';
import { commit, conserve, contact, damp, matchAll, predict, type StageInput } from './stages.js';

/** The way of the data through a substep. */
const STAGES = [
  ['predict', each(predict)],
  ['match', matchAll],
  ['damp', each(damp)],
  ['contact', contact],
  ['conserve', each(conserve)],
  ['commit', each(commit)],
] as const;

/** A stage that takes bodies one by one. */
function each(stage: (body: ReferenceBody, input: StageInput) => void) {
  return (bodies: readonly ReferenceBody[], input: StageInput) => {
    for (const body of bodies) if (!body.sleep.asleep) stage(body, input);
  };
}

export class ReferenceBackend implements Backend {
  readonly capabilities: Capabilities = { backend: 'reference', threads: 1, precision: 'double' };
  /** Its state is named all through. */
  readonly fingerprint = 'named';
  readonly bodies: ReferenceBody[] = [];
  private readonly softContact = new SoftContact();
  private readonly coupled = new CoupledModels<ReferenceBody>();

  add(prepared: Prepared, density: number): ReferenceBody {
    const body = new ReferenceBody(prepared, density);
    this.bodies.push(body);
    return body;
  }

  remove(body: BackendBody): boolean {
    const index = this.bodies.indexOf(body as ReferenceBody);
    if (index >= 0) this.bodies.splice(index, 1);
    return index >= 0;
  }

  rebuild(body: BackendBody, prepared: Prepared, origin?: Origin): void {
    (body as ReferenceBody).rebuild(prepared, origin);
  }

  run(input: StepInput, profile: Profile): void {
    const stageInput = { ...input, softContact: this.softContact, coupled: this.coupled };
    for (const body of this.bodies) body.coupling = this.coupled.numberOf(body);
    for (const [name, stage] of STAGES) {
      const start = performance.now();
      stage(this.bodies, stageInput);
      profile[name] += performance.now() - start;
    }
  }

  get pressed(): readonly number[] {
    return [...this.coupled.pressed, ...this.softContact.pressed()];
  }

  capture(): StateTree {
    return { contact: this.softContact.capture(), coupled: this.coupled.capture(this.bodies) };
  }

  restore(state: StateTree): void {
    const { contact, coupled } = state as { contact: StateTree; coupled: StateTree };
    this.softContact.restore(contact);
    this.coupled.restore(coupled, this.bodies);
  }

  dispose(): void {
    this.bodies.length = 0;
  }
}
