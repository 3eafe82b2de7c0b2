// What a body remembers of its contacts from step to step: which obstacles pressed its nodes, how hard, and whether they
// stick. In arrays of fixed length, so that snapshots hold it. Friction is Coulomb's, a step late: a node sticks while the
// impulse that takes is within the cone; one that slips is braked by the cone's impulse of the step before, until that turns it.

import type { ActiveContacts, ContactRows } from './contact-rows.js';

/** Obstacles that are remembered per node: in a corner there are three. */
const SLOTS = 3;

export class ContactMemory {
  /** Obstacle + 1 of each slot; 0 for none. */
  private readonly obstacles: Uint32Array;
  /** Force along the normal in the last step [N], and that of friction. */
  private readonly forces: Float64Array;
  private readonly drags: Float64Array;
  /** 1 where the node is to stick. */
  private readonly sticks: Uint8Array;
  private readonly slip = new Float64Array(3);

  constructor(nodeCount: number) {
    this.obstacles = new Uint32Array(SLOTS * nodeCount);
    this.forces = new Float64Array(SLOTS * nodeCount);
    this.drags = new Float64Array(3 * SLOTS * nodeCount);
    this.sticks = new Uint8Array(SLOTS * nodeCount);
  }

  clear(): void {
    this.obstacles.fill(0);
    this.forces.fill(0);
    this.drags.fill(0);
    this.sticks.fill(0);
  }

  /** Live arrays by name. */
  state() {
    const { obstacles, forces, drags, sticks } = this;
    return { contactObstacles: obstacles, contactForces: forces, contactDrags: drags, contactSticks: sticks };
  }

  /** Where it is remembered that row j of a list pressed in the last step; -1 where it did not. */
  slotOf({ nodes, obstacles }: ContactRows, j: number): number {
    const at = SLOTS * nodes[j];
    for (let k = at; k < at + SLOTS; k++) if (this.obstacles[k] === obstacles[j] + 1) return k;
    return -1;
  }

  /** Whether row i sticks in this step, or the impulse that brakes its node against its slip. */
  beginFriction(active: ActiveContacts, i: number, slot: number, v: Float64Array, timeStep: number): void {
    if (!(active.frictions[i] > 0)) return;
    if (this.sticks[slot]) {
      active.sticks[i] = 1;
      return;
    }
    const { slip, drags } = this;
    let speed = active.writeSlip(i, v, slip);
    // What has just been torn loose goes where friction did not want it to.
    if (!(speed > 0)) {
      for (let c = 0; c < 3; c++) slip[c] = -drags[3 * slot + c];
      speed = Math.sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]);
    }
    if (!(speed > 0)) return;
    const impulse = active.frictions[i] * this.forces[slot] * timeStep;
    for (let c = 0; c < 3; c++) active.drags[3 * i + c] = (-impulse * slip[c]) / speed;
  }

  /** Takes over the contacts that pressed. */
  take(active: ActiveContacts, v: Float64Array, masses: Float64Array, timeStep: number): void {
    this.clear();
    const { nodes, obstacles, impulses, drags } = active;
    for (let i = 0; i < active.count; i++) {
      if (!(impulses[i] > 0)) continue;
      let k = SLOTS * nodes[i];
      const end = k + SLOTS;
      while (k < end && this.obstacles[k] !== 0) k++;
      if (k === end) continue;
      this.obstacles[k] = obstacles[i] + 1;
      this.forces[k] = impulses[i] / timeStep;
      for (let c = 0; c < 3; c++) this.drags[3 * k + c] = drags[3 * i + c] / timeStep;
      this.sticks[k] = this.isHeld(active, i, v, masses) ? 1 : 0;
    }
  }

  /** Whether friction holds row i's node: it did within its cone, it has turned the slip, or it can stop it. */
  private isHeld(active: ActiveContacts, i: number, v: Float64Array, masses: Float64Array): boolean {
    const { nodes, frictions, impulses, sticks, drags } = active;
    const cone = frictions[i] * impulses[i];
    const [x, y, z] = [drags[3 * i], drags[3 * i + 1], drags[3 * i + 2]];
    const drag = Math.sqrt(x * x + y * y + z * z);
    if (!(cone > 0)) return false;
    if (sticks[i]) return drag <= cone;
    const { slip } = this;
    const speed = active.writeSlip(i, v, slip);
    if (drag > 0) return slip[0] * x + slip[1] * y + slip[2] * z >= 0;
    return masses[nodes[i]] * speed <= cone;
  }
}
