// How far pins reach, as follow-pins reads it: for each chunk the groups of pins that reach it. Made anew where other particles are pinned.

import type { PinReach } from '../../solvers/pin-reach.js';
import type { Buffers } from './buffers.js';
import { CHUNK } from './layout.js';
import type { PackedBodies, PackedPlace } from './packed-bodies.js';
import { powerOfTwoAbove } from './powers-of-two.js';

/** A group of pins and a chunk with particles that it reaches. */
interface ReachedChunk {
  readonly chunk: number;
  /** Where the group's pins begin and end, as vectors from the first pin of all. */
  readonly pins: readonly [number, number];
  /** A row for each particle, 0 for those that are not reached. */
  readonly rows: Float32Array;
}

export class PinReachTable {
  private known: readonly (PinReach | undefined)[] | undefined;

  constructor(private readonly packed: PackedBodies) {}

  /** Takes what the pins of each body reach, if it has any; whether the buffer is another one now. */
  write(buffers: Buffers, reaches: readonly (PinReach | undefined)[]): boolean {
    const { known, packed } = this;
    if (known && reaches.every((reach, n) => reach === known[n])) return false;
    this.known = reaches;
    const words = packTable(packed, reaches);
    // With room to spare, since pins come and go.
    const isFull = !buffers.has('pinReach') || buffers.get('pinReach').size < words.byteLength;
    if (isFull) buffers.reserve('pinReach', powerOfTwoAbove(words.byteLength));
    buffers.write('pinReach', words);
    return isFull;
  }
}

/**
 * Vectors of four words. For each chunk: where its groups begin and end. For each of those: where its pins begin and end, and where rows of
 * the chunk's particles begin. Two for each pin: the particle, and its row. Then the rows.
 */
function packTable({ chunkCount, places }: PackedBodies, reaches: readonly (PinReach | undefined)[]): Uint32Array {
  let pinCount = 0;
  const found = reaches.flatMap((reach, n) => {
    const pinsAt = 2 * pinCount;
    pinCount += reach?.pins.length ?? 0;
    return reach ? findReached(reach, places[n], pinsAt) : [];
  });
  found.sort((a, b) => a.chunk - b.chunk);
  const pinsAt = chunkCount + found.length;
  const rowsAt = pinsAt + 2 * pinCount;
  const words = new Uint32Array(4 * (rowsAt + CHUNK * found.length));
  const floats = new Float32Array(words.buffer);
  found.forEach(({ chunk, pins, rows }, n) => {
    const at = chunkCount + n;
    const begin = words[4 * chunk] || at;
    words.set([begin, at + 1], 4 * chunk);
    words.set([pinsAt + pins[0], pinsAt + pins[1], rowsAt + CHUNK * n], 4 * at);
    floats.set(rows, 4 * (rowsAt + CHUNK * n));
  });
  let at = 4 * pinsAt;
  reaches.forEach((reach, n) => {
    reach?.pins.forEach((pin, k) => {
      words[at] = places[n].first + pin;
      floats.set(reach.pinRows.subarray(4 * k, 4 * k + 4), at + 4);
      at += 8;
    });
  });
  return words;
}

/** The chunks that each group of a body's pins reaches; `pinsAt` is where the body's pins begin. */
function findReached(reach: PinReach, { firstChunk }: PackedPlace, pinsAt: number): ReachedChunk[] {
  const { groups, pinOffsets, reachOffsets, reached, reachRows } = reach;
  const found: ReachedChunk[] = [];
  for (let g = 0; g < groups; g++) {
    const chunks = new Map<number, Float32Array>();
    for (let n = reachOffsets[g]; n < reachOffsets[g + 1]; n++) {
      const chunk = firstChunk + Math.trunc(reached[n] / CHUNK);
      const rows = chunks.get(chunk) ?? new Float32Array(4 * CHUNK);
      chunks.set(chunk, rows);
      rows.set(reachRows.subarray(4 * n, 4 * n + 4), 4 * (reached[n] % CHUNK));
    }
    const pins = [pinsAt + 2 * pinOffsets[g], pinsAt + 2 * pinOffsets[g + 1]] as const;
    for (const [chunk, rows] of chunks) found.push({ chunk, pins, rows });
  }
  return found;
}
