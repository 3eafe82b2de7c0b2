// All bodies one after the other: who is where, and the rest data of all of them in the GPU's buffers.

import type { Prepared } from '../../solvers/solver.js';
import { type Buffers, USAGE } from './buffers.js';
import {
  BODY,
  BODY_CONTACT,
  CHUNK,
  CHUNK_ROWS,
  COLLIDER_VECTORS,
  FRAME,
  PARTICLE_REST,
  PROGRESS,
  STEP,
  SUM_STRIDE,
} from './layout.js';
import { type PackedRest, packRest } from './packed-rest.js';
import { powerOfTwoAbove } from './powers-of-two.js';
import { NUMBERS } from './step-plan.js';

/** Where a body is in the buffers. */
export interface PackedPlace {
  readonly rest: PackedRest;
  readonly first: number;
  readonly firstChunk: number;
}

/** Bytes per particle of each buffer that has something for every particle. */
export const PARTICLE_BYTES = {
  rest: 4 * PARTICLE_REST.words,
  positions: 16,
  starts: 16,
  velocities: 16,
  pushes: 16,
  pins: 16,
  quaternions: 16,
  contacts: 64,
  outward: 16,
  moved: 16,
  direction: 32,
  normals: 16,
  shares: 16,
  weights: 8,
  deltas: 32,
  // One of its vertex, one of its edges.
  bodyContacts: 8 * BODY_CONTACT.words,
} as const;

/** Buffers with a row of sums per chunk; those of directions have two. */
const SUMS = [
  'matchSums',
  'dampSums',
  'speedSums',
  'shareSums',
  'cubicSums',
  'moveSums',
  'settleSums',
  'fluxSums0',
  'fluxSums1',
];

export class PackedBodies {
  readonly places: readonly PackedPlace[];
  readonly chunkCount: number;
  /** Particles with the padding. */
  readonly slotCount: number;
  readonly particleCount: number;
  /** Cells of the grid in which bodies find each other. */
  readonly cellCount: number;
  /** Where the parts of `topology` begin. */
  readonly bases: { intervalOffsets: number; intervals: number; ringOffsets: number; rings: number };

  constructor(prepared: readonly Prepared[]) {
    let chunk = 0;
    this.places = prepared.map((one) => {
      const rest = packRest(one);
      const place = { rest, first: CHUNK * chunk, firstChunk: chunk };
      chunk += rest.chunks;
      return place;
    });
    this.chunkCount = chunk;
    this.slotCount = CHUNK * chunk;
    this.particleCount = this.places.reduce((sum, { rest }) => sum + rest.count, 0);
    this.cellCount = powerOfTwoAbove(Math.max(2, 2 * this.slotCount));
    const intervalOffsets = chunk;
    const ringOffsets = intervalOffsets + this.slotCount + 1;
    const intervals = ringOffsets + this.slotCount + 1;
    const rings = intervals + this.places.reduce((sum, { rest }) => sum + rest.intervals.length, 0);
    this.bases = { intervalOffsets, intervals, ringOffsets, rings };
  }

  /** Makes room and writes what never changes; whether buffers are others now. */
  write(buffers: Buffers, obstacleBytes: number): boolean {
    const { slotCount, chunkCount, places } = this;
    let renewed = false;
    const reserve = (name: string, bytes: number, usage?: number) => {
      renewed = buffers.reserve(name, bytes, usage) || renewed;
    };
    for (const [name, bytes] of Object.entries(PARTICLE_BYTES)) reserve(name, bytes * slotCount);
    for (const name of SUMS) reserve(name, 4 * SUM_STRIDE * chunkCount);
    reserve('directionSums', 8 * SUM_STRIDE * chunkCount);
    for (const name of ['prefix0', 'prefix1']) reserve(name, 64 * CHUNK_ROWS * chunkCount);
    for (const name of ['progress0', 'progress1']) reserve(name, 4 * PROGRESS.words * places.length);
    reserve('bodies', 4 * BODY.words * places.length);
    reserve('frames', 4 * FRAME.words * places.length);
    reserve('step', 4 * STEP.words, USAGE.UNIFORM);
    for (let n = 0; n < NUMBERS; n++) {
      if (buffers.reserve(`number${n}`, 16, USAGE.UNIFORM)) buffers.write(`number${n}`, Uint32Array.of(n));
    }
    reserve('grid', 4 * (this.cellCount + slotCount));
    reserve('obstacles', Math.max(16 * COLLIDER_VECTORS, obstacleBytes));
    const topology = this.topology();
    reserve('topology', topology.byteLength);
    buffers.write('topology', topology);
    for (const { rest, first } of places) buffers.write('rest', rest.particles, PARTICLE_BYTES.rest * first);
    return renewed;
  }

  private topology(): Uint32Array {
    const { bases, places, slotCount } = this;
    const ringCount = places.reduce((sum, { rest }) => sum + rest.rings.length, 0);
    const out = new Uint32Array(bases.rings + ringCount);
    let interval = 0;
    let ring = 0;
    places.forEach(({ rest, first, firstChunk }, body) => {
      out.fill(body, firstChunk, firstChunk + rest.chunks);
      for (let i = 0; i < CHUNK * rest.chunks; i++) {
        out[bases.intervalOffsets + first + i] = interval / 2 + rest.intervalOffsets[i];
        out[bases.ringOffsets + first + i] = ring + rest.ringOffsets[i];
      }
      const row = CHUNK_ROWS * firstChunk;
      for (let n = 0; n < rest.intervals.length; n++) out[bases.intervals + interval + n] = row + rest.intervals[n];
      for (let n = 0; n < rest.rings.length; n++) out[bases.rings + ring + n] = first + rest.rings[n];
      interval += rest.intervals.length;
      ring += rest.rings.length;
    });
    out[bases.intervalOffsets + slotCount] = interval / 2;
    out[bases.ringOffsets + slotCount] = ring;
    return out;
  }
}
