// The bodies of a world, and the list of them in the kernels' memory.

import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import type { WasmBody } from './wasm-body.js';

const isSmall = ({ rest }: WasmBody): boolean => rest.count <= layout.SMALL_BODY;

export class BodyList {
  /** In the order in which they were added. */
  readonly bodies: WasmBody[] = [];
  /** Particles of all bodies, and of the largest. */
  particleCount = 0;
  largestCount = 0;
  /** Place in `bodies` of each body of the kernels' list. */
  private places: number[] = [];
  private address = 0;
  private smallCount = 0;
  private isWritten = false;

  constructor(
    private readonly memory: WasmMemory,
    private readonly world: number,
  ) {}

  add(body: WasmBody): void {
    this.bodies.push(body);
    this.count();
  }

  /** Whether the body was there. */
  remove(body: WasmBody): boolean {
    const place = this.bodies.indexOf(body);
    if (place < 0) return false;
    this.bodies.splice(place, 1);
    this.count();
    return true;
  }

  clear(): void {
    this.bodies.length = 0;
    this.count();
  }

  /** To be said whenever a body has got another number of particles, too. */
  count(): void {
    this.isWritten = false;
    this.particleCount = this.bodies.reduce((sum, { rest }) => sum + rest.count, 0);
    this.largestCount = this.bodies.reduce((most, { rest }) => Math.max(most, rest.count), 0);
  }

  /** Writes the list where it has changed: small bodies first, then large ones, the order that the kernels expect. */
  write(): void {
    if (this.isWritten) return;
    this.isWritten = true;
    const { bodies, memory, world } = this;
    const places = [...bodies.keys()];
    const small = places.filter((place) => isSmall(bodies[place]));
    this.places = [...small, ...places.filter((place) => !isSmall(bodies[place]))];
    memory.release(this.address);
    this.address = memory.allocate(4 * bodies.length);
    memory.integers(this.address, bodies.length).set(this.places.map((place) => bodies[place].record));
    memory.setInteger(world + layout.WORLD_BODIES, this.address);
    this.smallCount = small.length;
  }

  /**
   * Tells how so many threads share the bodies: each small one is stepped whole by one of them, and so are large ones where even
   * the largest is less than half of a thread's work. Otherwise all threads step large ones together. The order stays the same.
   */
  share(threads: number): void {
    const { bodies, memory, world } = this;
    const areWhole = this.largestCount * threads * 2 <= this.particleCount;
    const whole = areWhole ? bodies.length : this.smallCount;
    memory.setInteger(world + layout.WORLD_SMALL_COUNT, whole);
    memory.setInteger(world + layout.WORLD_LARGE_COUNT, bodies.length - whole);
  }

  /** Place in `bodies` of the body with this record, after a step with contact between bodies. */
  placeOf(record: number): number {
    return this.places[this.memory.integer(record + layout.BODY_INDEX)];
  }
}
