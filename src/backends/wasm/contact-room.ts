// Memory for contact between bodies: pairs, contacts, working memory of each thread. Grows between steps as it is needed.

import type { StateTree } from '../../math/state-tree.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';

/** Pairs per body for which there is room from the start, and pairs beyond. */
const PAIRS_PER_BODY = 8;
const MORE_PAIRS = 64;
/** Contacts for which there is room from the start: per particle, and beyond. */
const CONTACTS_PER_PARTICLE = 0.25;
const MORE_CONTACTS = 1024;

export class ContactRoom {
  private readonly blocks: number[] = [];
  private bodies = 0;
  private particles = 0;
  private largest = 0;
  private pairs = 0;
  private contacts = 0;

  constructor(
    private readonly memory: WasmMemory,
    private readonly world: number,
    private readonly threads: number,
  ) {}

  /**
   * Makes room for this many bodies, particles in all, and particles of the largest body, and for twice what the last step
   * found. A step that finds more than there is room for leaves out the pairs that come last, whatever the threads.
   */
  reserve(bodies: number, particles: number, largest: number): void {
    const found = this.get(layout.WORLD_PAIR_COUNT);
    const touched = this.get(layout.WORLD_CONTACT_COUNT);
    const pairs = Math.max(this.pairs, PAIRS_PER_BODY * bodies + MORE_PAIRS, 2 * found);
    const contacts = Math.max(this.contacts, CONTACTS_PER_PARTICLE * particles + MORE_CONTACTS, 2 * touched);
    const enough =
      bodies === this.bodies &&
      particles <= this.particles &&
      largest <= this.largest &&
      pairs <= this.pairs &&
      contacts <= this.contacts;
    if (enough) return;
    this.release();
    this.bodies = bodies;
    this.particles = particles;
    this.largest = largest;
    this.pairs = Math.max(pairs, 4 * found);
    this.contacts = Math.ceil(Math.max(contacts, 4 * touched));
    this.allocateAll();
  }

  /** How much room there is, and what the last step found: a step that finds more leaves some out. */
  capture(): StateTree {
    const { bodies, particles, largest, pairs, contacts } = this;
    return {
      ...{ bodies, particles, largest, pairs, contacts },
      found: this.get(layout.WORLD_PAIR_COUNT),
      touched: this.get(layout.WORLD_CONTACT_COUNT),
    };
  }

  restore(state: StateTree): void {
    const { found, touched, ...sizes } = state as Record<string, number>;
    this.release();
    Object.assign(this, sizes);
    if (this.bodies > 0) this.allocateAll();
    this.set(layout.WORLD_PAIR_COUNT, found);
    this.set(layout.WORLD_CONTACT_COUNT, touched);
    this.set(layout.WORLD_TOUCHING, 0);
  }

  /** All of it; where there is no room for that, none, and the next step asks again. */
  private allocateAll(): void {
    try {
      this.memory.makeWhole(`contact between ${this.bodies} bodies`, () => this.allocate());
    } catch (error) {
      this.blocks.length = 0;
      Object.assign(this, { bodies: 0, particles: 0, largest: 0, pairs: 0, contacts: 0 });
      this.set(layout.WORLD_PAIR_COUNT, 0);
      this.set(layout.WORLD_CONTACT_COUNT, 0);
      throw error;
    }
  }

  private allocate(): void {
    const { bodies, pairs } = this;
    const scratch = layout.SCRATCH_BYTES + layout.SCRATCH_PER_PARTICLE * Math.ceil((this.largest + 1) / 8) * 8;
    const room = this.contacts * layout.CONTACT_BYTES;
    this.set(layout.WORLD_PAIRS, this.block(pairs * layout.PAIR_BYTES));
    this.set(layout.WORLD_PAIR_CAPACITY, pairs);
    this.set(layout.WORLD_BODY_PAIRS, this.block(8 * pairs));
    this.set(layout.WORLD_COLOURED, this.block(4 * pairs));
    this.set(layout.WORLD_COLOUR_STARTS, this.block(4 * (layout.COLOURS + 2)));
    this.set(layout.WORLD_BODY_COLOURS, this.block(8 * bodies));
    this.set(layout.WORLD_BODY_TURNS, this.block(layout.TURNS_BYTES * bodies));
    const sorted = this.block(4 * bodies);
    this.memory.integers(sorted, bodies).forEach((_, n, order) => {
      order[n] = n;
    });
    this.set(layout.WORLD_SORTED, sorted);
    this.set(layout.WORLD_SCRATCH, this.block(this.threads * scratch));
    this.set(layout.WORLD_SCRATCH_BYTES, scratch);
    // One place more for each thread: contacts that find no room are written there, over each other, and counted.
    this.set(layout.WORLD_CONTACTS, this.block(this.threads * (room + layout.CONTACT_BYTES)));
    this.set(layout.WORLD_CONTACTS_BYTES, room);
  }

  private block(bytes: number): number {
    const address = this.memory.allocate(bytes);
    this.blocks.push(address);
    return address;
  }

  private release(): void {
    for (const address of this.blocks) this.memory.release(address);
    this.blocks.length = 0;
  }

  private get(field: number): number {
    return this.memory.integer(this.world + field);
  }

  private set(field: number, value: number): void {
    this.memory.setInteger(this.world + field, value);
  }
}
