// What a body remembers from step to step of contacts with others of its kind: how hard they pressed. Of each the body of its
// first node does. In arrays of fixed length, so that snapshots hold it.

import type { SelfContact } from '../../contact/contact-body.js';
import type { LinkRows } from './link-rows.js';

/** Contacts that are remembered per node. */
const SLOTS = 4;
/** Numbers of one: force along the normal and of friction [N]. */
const FORCES = 4;

export class LinkMemory {
  /** What each slot is about, of the other body and of the other nodes; 0 for nothing. */
  private readonly others: Uint32Array;
  private readonly keys: Uint32Array;
  private readonly forces: Float64Array;
  /** 1 for slots that a row of this step goes on from. */
  private readonly taken: Uint8Array;

  constructor(nodeCount: number) {
    this.others = new Uint32Array(SLOTS * nodeCount);
    this.keys = new Uint32Array(SLOTS * nodeCount);
    this.forces = new Float64Array(FORCES * SLOTS * nodeCount);
    this.taken = new Uint8Array(SLOTS * nodeCount);
  }

  clear(): void {
    this.others.fill(0);
    this.keys.fill(0);
    this.forces.fill(0);
  }

  /** Live arrays by name. */
  state() {
    const { others, keys, forces } = this;
    return { linkOthers: others, linkKeys: keys, linkForces: forces };
  }

  /** Before the rows of a step, or of another try. */
  restart(): void {
    this.taken.fill(0);
  }

  /** Lets row i of a body's node go on from what pressed there in the last step; once for each. */
  begin(rows: LinkRows, i: number, node: number, other: number, key: number, timeStep: number): void {
    for (let k = SLOTS * node; k < SLOTS * node + SLOTS; k++) {
      if (this.others[k] !== other + 1 || this.keys[k] !== key || this.taken[k]) continue;
      const at = FORCES * k;
      const { forces } = this;
      const [force, x, y, z] = [forces[at], forces[at + 1], forces[at + 2], forces[at + 3]];
      rows.begin(i, timeStep * force, timeStep * x, timeStep * y, timeStep * z);
      this.taken[k] = 1;
      return;
    }
  }

  /** Keeps what row i presses with. */
  keep(rows: LinkRows, i: number, node: number, other: number, key: number, timeStep: number): void {
    for (let k = SLOTS * node; k < SLOTS * node + SLOTS; k++) {
      if (this.others[k] !== 0) continue;
      this.others[k] = other + 1;
      this.keys[k] = key;
      this.forces[FORCES * k] = rows.impulses[i] / timeStep;
      for (let c = 0; c < 3; c++) this.forces[FORCES * k + 1 + c] = rows.slips[3 * i + c] / timeStep;
      return;
    }
  }
}

/** Contact of a body with itself, in an array that snapshots hold. */
export class SelfMemory implements SelfContact {
  private readonly flags = new Uint32Array(2);
  readonly crossed: Uint8Array;

  constructor(nodeCount: number) {
    this.crossed = new Uint8Array(nodeCount);
  }

  get tangled(): boolean {
    return this.flags[0] === 1;
  }

  set tangled(tangled: boolean) {
    this.flags[0] = tangled ? 1 : 0;
  }

  get looks(): number {
    return this.flags[1];
  }

  set looks(looks: number) {
    this.flags[1] = looks;
  }

  /** Live arrays by name. */
  state() {
    const { flags, crossed } = this;
    return { selfFlags: flags, selfCrossed: crossed };
  }
}
