// The closed parts of a body of several: a record and arrays for each, which the volume constraint's kernels work on.

import * as layout from './layout.js';
import type { WasmMemory } from './memory.js';
import { PARTIALS } from './partial-sums.js';
import type { PartData } from './volume-data.js';

/** Arrays of a part, by bytes per particle. Nothing in them outlives a step. */
const ARRAYS: readonly (readonly [bytes: number, fields: readonly number[]])[] = [
  [16, [layout.BODY_POSITIONS, layout.BODY_VELOCITIES, layout.BODY_NORMALS, layout.BODY_OUTWARD]],
  [16, [layout.BODY_DIRECTION, layout.BODY_CANDIDATES, layout.BODY_CONTACT_NORMALS, layout.BODY_SURFACE_VELOCITIES]],
  [16, [layout.BODY_WEIGHTS, layout.BODY_WEIGHTS_SCRATCH, layout.BODY_TOUCH_NORMALS, layout.BODY_TOUCH_VELOCITIES]],
  [4, [layout.BODY_CHANGES, layout.BODY_SHARES]],
  [1, [layout.BODY_PINNED, layout.BODY_COLLIDING, layout.BODY_HELD]],
  [64 / layout.RUN, [layout.BODY_RUN_BOXES]],
];

export class PartRecords {
  readonly count: number;
  /** Where the list of the records is; 0 for none. */
  readonly list: number;
  private readonly records: readonly number[];
  private readonly blocks: number[] = [];

  constructor(
    private readonly memory: WasmMemory,
    owner: number,
    private readonly parts: readonly PartData[],
  ) {
    this.count = parts.length;
    this.records = parts.map((part) => this.write(owner, part));
    this.list = parts.length > 0 ? this.allocate(4 * parts.length) : 0;
    memory.integers(this.list, parts.length).set(this.records);
  }

  private write(owner: number, { rest, padded, chunks, pointers }: PartData): number {
    const { memory } = this;
    const { first, count, volume } = rest;
    const record = this.allocate(layout.BODY_BYTES);
    const set = (field: number, value: number) => memory.setInteger(record + field, value);
    for (const [field, address] of pointers) set(field, address);
    for (const [bytes, fields] of ARRAYS) for (const field of fields) set(field, this.allocate(bytes * padded));
    set(layout.BODY_PARTIALS, this.allocate(chunks * PARTIALS * 8));
    set(layout.BODY_OWNER, owner);
    set(layout.BODY_SHIFT, 16 * first);
    set(layout.BODY_COUNT, count);
    set(layout.BODY_CHUNKS, chunks);
    // Pushes turn with regions, which only bodies of one part have in the kernels.
    set(layout.BODY_PUSHES, 0);
    memory.setNumber(record + layout.BODY_SIZE, volume.size);
    memory.setNumber(record + layout.BODY_SPREAD, volume.spread);
    memory.setNumber(record + layout.BODY_MEAN_AREA, volume.areas.reduce((sum, area) => sum + area, 0) / count);
    return record;
  }

  /** Before a step: the volume that each is to have, in those at rest (0 for any), and whether a pin holds any of its particles. */
  begin(shareOf: (part: number) => number, pinned: Uint8Array): void {
    this.parts.forEach(({ rest: { first, count, volume } }, n) => {
      const share = shareOf(n);
      const isPinned = pinned.subarray(first, first + count).includes(1);
      const flags = (isPinned ? layout.FLAG_PINS : 0) | (share > 0 ? layout.FLAG_VOLUME : 0);
      this.memory.setNumber(this.records[n] + layout.BODY_VOLUME, share * volume.volume);
      this.memory.setInteger(this.records[n] + layout.BODY_FLAGS, flags);
    });
  }

  dispose(): void {
    for (const address of this.blocks) this.memory.release(address);
    this.blocks.length = 0;
  }

  private allocate(bytes: number): number {
    const address = this.memory.allocate(bytes);
    this.blocks.push(address);
    return address;
  }
}
