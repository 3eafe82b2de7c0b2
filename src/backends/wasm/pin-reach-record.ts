// How far the pins of a body reach, in the kernels' memory: made anew where other particles are pinned.

import { adjacencyOf } from '../../mesh/adjacency.js';
import { areSameMarks, buildPinReach, type PinReach } from '../../solvers/pin-reach.js';
import type { KernelRest } from '../../solvers/solver.js';
import type { BodyRecord } from './body-record.js';
import * as layout from './layout.js';

export class PinReachRecord {
  private address = 0;
  /** The marks that it was made for, four in each. */
  private known = new Uint32Array(0);
  /** What was found for them; another object where other particles are pinned. */
  reach: PinReach | undefined;

  constructor(private readonly record: BodyRecord) {}

  /** For the particles that are marked as pinned. */
  write(rest: KernelRest): void {
    const { record } = this;
    const marks = record.memory.integers(record.integer(layout.BODY_PINNED), Math.ceil(rest.count / 4));
    if (areSameMarks(this.known, marks)) return;
    this.known = marks.slice();
    const pinned = new Uint8Array(this.known.buffer, 0, rest.count);
    const reach = buildPinReach(adjacencyOf(rest.mesh), rest.rings, rest.positions, pinned);
    this.clear();
    this.reach = reach;
    if (reach.groups > 0) this.address = put(record, reach);
    record.setOwn(layout.BODY_PIN_REACH, this.address);
  }

  /** For a body of another topology. */
  forget(): void {
    this.known = new Uint32Array(0);
    this.clear();
  }

  private clear(): void {
    this.record.memory.release(this.address);
    this.address = 0;
    this.reach = undefined;
    this.record.setOwn(layout.BODY_PIN_REACH, 0);
  }

  dispose(): void {
    this.record.memory.release(this.address);
  }
}

function put({ memory }: BodyRecord, reach: PinReach): number {
  const { groups, pinOffsets, pins, pinRows, reachOffsets, reached, reachRows } = reach;
  const header = 2 * layout.PIN_REACH_GROUPS + layout.PIN_REACH_GROUPS * groups;
  const pinsAt = header - (header % 32);
  const reachedAt = pinsAt + layout.PIN_REACH_ITEM * pins.length;
  const bytes = reachedAt + layout.PIN_REACH_ITEM * reached.length;
  const address = memory.allocate(bytes);
  const words = memory.integers(address, bytes / 4);
  const floats = memory.floats(address, bytes / 4);
  words[0] = groups;
  for (let g = 0; g < groups; g++) {
    const at = (layout.PIN_REACH_GROUPS * (g + 1)) / 4;
    words[at] = pinsAt + layout.PIN_REACH_ITEM * pinOffsets[g];
    words[at + 1] = pinOffsets[g + 1] - pinOffsets[g];
    words[at + 2] = reachedAt + layout.PIN_REACH_ITEM * reachOffsets[g];
    words[at + 3] = reachOffsets[g + 1] - reachOffsets[g];
  }
  const putItems = (first: number, particles: Uint32Array, rows: Float64Array) => {
    particles.forEach((particle, n) => {
      const at = (first + layout.PIN_REACH_ITEM * n) / 4;
      words[at] = 16 * particle;
      for (let c = 0; c < 4; c++) floats[at + 4 + c] = rows[4 * n + c];
    });
  };
  putItems(pinsAt, pins, pinRows);
  putItems(reachedAt, reached, reachRows);
  return address;
}
