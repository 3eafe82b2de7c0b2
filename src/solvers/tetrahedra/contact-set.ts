// The contacts of one step: begun from the last one's, joined by nodes that solves push into obstacles, listed anew where
// positions change.

import { ContactMemory } from './contact-memory.js';
import { ContactProjection } from './contact-projection.js';
import { ActiveContacts, ContactRows, type ContactSource } from './contact-rows.js';
import { holdContacts, setNormalSpeeds } from './contact-speeds.js';
import { TetraMemory } from './memory.js';
import type { TetraRest } from './rest.js';

/** In body sizes: nodes deeper in an obstacle than this join the contacts. */
const TOUCH = 1e-9;
/** In spacings: a contact that is remembered from the last step ends where the obstacle has gone farther than this. */
const REMEMBERED_GAP = 0.1;

export class ContactSet {
  /** Those that hold, with their impulses [N·s]. */
  readonly active: ActiveContacts;
  readonly projection: ContactProjection;
  /** Depth from which on a node counts as inside [m]. */
  readonly touch: number;
  private readonly rows = new ContactRows();
  readonly memory: ContactMemory;
  /** 1 for nodes inside the body. */
  private readonly inner: Uint8Array;

  constructor(
    private readonly rest: TetraRest,
    /** 1 for nodes whose velocity is prescribed: they have no contacts. */
    private readonly pinned: Uint8Array,
    memory = TetraMemory.onHeap(),
  ) {
    this.active = new ActiveContacts(rest.count);
    this.memory = new ContactMemory(rest.count);
    this.inner = new Uint8Array(rest.count).fill(1);
    for (const node of rest.boundary.nodes) this.inner[node] = 0;
    this.projection = new ContactProjection(memory.reals(rest.count), memory, rest.count);
    this.touch = TOUCH * rest.size;
  }

  /**
   * Those of the last step that pressed, and nodes that would pass an obstacle from x with v. Nodes inside come to touch one only
   * where Newton's method has left them in it: landed on it as foreseen, with the boundary, whole one-rings would be flat and
   * no motion could give them their volume (a ball at 15 m/s broke so).
   */
  begin(x: Float64Array, v: Float64Array, masses: Float64Array, timeStep: number, source?: ContactSource): void {
    const { active, memory, rows, rest, pinned, inner } = this;
    const { inverseMasses } = this.projection;
    for (let n = 0; n < masses.length; n++) inverseMasses[n] = pinned[n] ? 0 : 1 / masses[n];
    active.clear();
    rows.clear();
    source?.list(x, v, timeStep, rows, false);
    for (let j = 0; j < rows.count; j++) {
      if (pinned[rows.nodes[j]]) continue;
      const pressed = memory.slotOf(rows, j);
      const isRemembered = pressed >= 0 && rows.gaps[j] < REMEMBERED_GAP * rest.spacing;
      const isMet = !inner[rows.nodes[j]] && rows.gaps[j] + timeStep * rows.along(j, v) < -this.touch;
      if (isRemembered || isMet) {
        const row = active.take(rows, j);
        if (isRemembered) memory.beginFriction(active, row, pressed, v, timeStep);
      }
    }
    holdContacts(active, this.projection);
  }

  /** Adds the friction of nodes that slip to the forces [N]. */
  addFriction(forces: Float64Array, timeStep: number): void {
    const { nodes, sticks, drags, count } = this.active;
    for (let i = 0; i < count; i++) {
      if (sticks[i]) continue;
      for (let c = 0; c < 3; c++) forces[3 * nodes[i] + c] += drags[3 * i + c] / timeStep;
    }
  }

  /** At the end of a step that left the nodes these velocities. */
  remember(v: Float64Array, masses: Float64Array, timeStep: number): void {
    this.memory.take(this.active, v, masses, timeStep);
  }

  /** Forgets all contacts. */
  forget(): void {
    this.active.clear();
    this.memory.clear();
  }

  /** Adds nodes of the boundary that are deeper than `depth` [m] in an obstacle when moved by this from where the step began; whether any. */
  addPenetrating(moved: Float64Array, depth: number): boolean {
    const { rows, active, pinned, inner } = this;
    let isNew = false;
    for (let j = 0; j < rows.count; j++) {
      if (pinned[rows.nodes[j]] || inner[rows.nodes[j]] || active.find(rows.nodes[j], rows.obstacles[j]) >= 0) continue;
      if (!(rows.gaps[j] + rows.along(j, moved) < -depth)) continue;
      active.take(rows, j);
      isNew = true;
    }
    if (isNew) holdContacts(active, this.projection);
    return isNew;
  }

  /** Lists contacts at the positions being built: nodes in an obstacle are put onto it and held. */
  relist(x: Float64Array, v: Float64Array, timeStep: number, source?: ContactSource): void {
    const { rows, active, pinned } = this;
    if (!source) return;
    rows.clear();
    source.list(x, v, timeStep, rows, true);
    for (let j = 0; j < rows.count; j++) {
      const node = rows.nodes[j];
      if (pinned[node]) continue;
      const isDeep = rows.gaps[j] < -this.touch;
      if (isDeep) for (let k = 0; k < 3; k++) x[3 * node + k] -= rows.gaps[j] * rows.normals[3 * j + k];
      if (isDeep || active.find(node, rows.obstacles[j]) >= 0) active.take(rows, j);
    }
    holdContacts(active, this.projection);
  }

  /** Along normals v becomes what lands on the obstacles at the end of the step. */
  land(v: Float64Array, timeStep: number): void {
    setNormalSpeeds(this.active, this.projection, v, timeStep);
  }

  /** Along normals v becomes the obstacles' own speeds. */
  follow(v: Float64Array): void {
    setNormalSpeeds(this.active, this.projection, v, null);
  }

  /** Adds the impulses of contacts: masses·after − before, of which nodes in contact got nothing from elsewhere. */
  addImpulses(masses: Float64Array, after: Float64Array, before: Float64Array): void {
    const { nodes, count } = this.active;
    for (let i = 0; i < count; i++) {
      const k = 3 * nodes[i];
      const m = masses[nodes[i]];
      this.gain(i, m * (after[k] - before[k]), m * (after[k + 1] - before[k + 1]), m * (after[k + 2] - before[k + 2]));
    }
  }

  /** The same of momenta [N·s]: after − before, in both of the nodes. */
  addMomenta(after: Float64Array, before: Float64Array): void {
    const { nodes, count } = this.active;
    for (let i = 0; i < count; i++) {
      const k = 3 * nodes[i];
      this.gain(i, after[k] - before[k], after[k + 1] - before[k + 1], after[k + 2] - before[k + 2]);
    }
  }

  /** Row i's share of an impulse on its node: along its normal, and where it sticks along what is no contact's normal. */
  private gain(i: number, x: number, y: number, z: number): void {
    const { normals, impulses, drags, sticks, nodes } = this.active;
    impulses[i] += x * normals[3 * i] + y * normals[3 * i + 1] + z * normals[3 * i + 2];
    if (!sticks[i]) return;
    const { held, stuckCounts } = this.projection;
    const end = 9 * nodes[i] + 9;
    for (let at = end - 3 * stuckCounts[nodes[i]]; at < end; at += 3) {
      const along = x * held[at] + y * held[at + 1] + z * held[at + 2];
      for (let c = 0; c < 3; c++) drags[3 * i + c] += along * held[at + c];
    }
  }
}
