// What a body remembers of its contacts from step to step: which obstacles pressed its nodes, and how hard. In arrays of fixed
// length, so that snapshots hold it.

import type { ActiveContacts, ContactRows } from './contact-rows.js';

/** Obstacles that are remembered per node: in a corner there are three. */
const SLOTS = 3;

export class ContactMemory {
  /** Obstacle + 1 of each slot; 0 for none. */
  private readonly obstacles: Uint32Array;
  /** Impulse along the normal in the last step [N·s]. */
  private readonly impulses: Float64Array;

  constructor(nodeCount: number) {
    this.obstacles = new Uint32Array(SLOTS * nodeCount);
    this.impulses = new Float64Array(SLOTS * nodeCount);
  }

  clear(): void {
    this.obstacles.fill(0);
    this.impulses.fill(0);
  }

  /** Live arrays by name. */
  state() {
    return { contactObstacles: this.obstacles, contactImpulses: this.impulses };
  }

  /** Impulse with which row j of a list pressed in the last step [N·s]; 0 where it did not. */
  pressureOf({ nodes, obstacles }: ContactRows, j: number): number {
    const at = SLOTS * nodes[j];
    for (let k = at; k < at + SLOTS; k++) if (this.obstacles[k] === obstacles[j] + 1) return this.impulses[k];
    return 0;
  }

  /** Takes over the contacts that pressed. */
  take(active: ActiveContacts): void {
    this.clear();
    const { nodes, obstacles, impulses } = active;
    for (let i = 0; i < active.count; i++) {
      if (!(impulses[i] > 0)) continue;
      let k = SLOTS * nodes[i];
      const end = k + SLOTS;
      while (k < end && this.obstacles[k] !== 0) k++;
      if (k === end) continue;
      this.obstacles[k] = obstacles[i] + 1;
      this.impulses[k] = impulses[i];
    }
  }
}
