// Bodies that pressed each other in the last substep, as the kernels left them.

import type { BodyList } from './body-list.js';
import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import { addPair } from './reactions.js';

export class PressedPairs {
  /** Places of the bodies, two by two: as in the pair's record, the one that momentum went to first. */
  readonly places: number[] = [];
  /** Whether a body pressed itself. */
  own = false;

  constructor(
    private readonly memory: WasmMemory,
    private readonly world: number,
    private readonly list: BodyList,
  ) {}

  /** Reads the pairs, and writes down what bodies did to each other, with the first of the two. */
  record(): void {
    const { memory, list, places } = this;
    places.length = 0;
    this.own = false;
    if (this.get(layout.WORLD_TOUCHING) === 0 || this.get(layout.WORLD_CONTACT_COUNT) === 0) return;
    const count = Math.min(this.get(layout.WORLD_PAIR_COUNT), this.get(layout.WORLD_PAIR_CAPACITY));
    const first = this.get(layout.WORLD_PAIRS);
    for (let n = 0; n < count; n++) {
      const pair = first + n * layout.PAIR_BYTES;
      if (memory.integer(pair + layout.PAIR_PRESSED) === 0) continue;
      const a = list.placeOf(memory.integer(pair + layout.PAIR_A));
      const b = list.placeOf(memory.integer(pair + layout.PAIR_B));
      if (a === b) {
        this.own = true;
        continue;
      }
      places.push(a, b);
      this.addTouch(pair, a, b);
    }
  }

  private addTouch(pair: number, a: number, b: number): void {
    const { bodies } = this.list;
    const touch = bodies[Math.min(a, b)].touches.with(bodies[Math.max(a, b)]);
    addPair(this.memory, pair, a < b ? 1 : -1, bodies[a].substep.origin, touch);
  }

  private get(field: number): number {
    return this.memory.integer(this.world + field);
  }
}
