// The state of bodies on the GPU: written from the host where it changed there, brought back where it is asked for.

import type { Buffers } from './buffers.js';
import { CHUNK, FRAME } from './layout.js';
import { PARTICLE_BYTES, type PackedPlace } from './packed-bodies.js';
import { powerOfTwoBelow } from './powers-of-two.js';
import type { Range } from './readback.js';

/** A body's origin lies on this grid, so that shifts of it are exact in single precision. */
export const gridOf = (size: number): number => powerOfTwoBelow(size);

/** The origin for a body whose first particle is somewhere. */
export const originFor = (positions: ArrayLike<number>, grid: number): [number, number, number] => [
  grid * Math.round(positions[0] / grid),
  grid * Math.round(positions[1] / grid),
  grid * Math.round(positions[2] / grid),
];

/** Writes where a body is, and the speed that its particles do not exceed [m/s], 0 for any. */
export function writeFrame(buffers: Buffers, body: number, origin: ArrayLike<number>, pressedSpeed: number): void {
  const frame = new Float32Array(FRAME.words);
  frame.set([origin[0], origin[1], origin[2], pressedSpeed], FRAME.offsets.origin);
  buffers.write('frames', frame, 4 * FRAME.words * body);
}

export function writePositions(
  buffers: Buffers,
  { rest, first }: PackedPlace,
  x: Float64Array,
  origin: number[],
): void {
  const data = new Float32Array(4 * CHUNK * rest.chunks);
  for (let k = 0; k < x.length; k++) data[4 * Math.trunc(k / 3) + (k % 3)] = x[k] - origin[k % 3];
  buffers.write('positions', data, PARTICLE_BYTES.positions * first);
}

/** Velocities have four numbers per particle. */
export function writeVelocities(
  buffers: Buffers,
  { rest, first }: PackedPlace,
  velocities: Float32Array,
  frictions?: Float64Array,
): void {
  const data = new Float32Array(4 * CHUNK * rest.chunks);
  data.set(velocities);
  for (let i = 0; i < rest.count; i++) data[4 * i + 3] = frictions?.[i] ?? 1;
  buffers.write('velocities', data, PARTICLE_BYTES.velocities * first);
}

export function writeRotations(buffers: Buffers, { rest, first }: PackedPlace, rotations: Float32Array): void {
  const data = new Float32Array(4 * CHUNK * rest.chunks);
  data.set(rotations);
  buffers.write('quaternions', data, PARTICLE_BYTES.quaternions * first);
}

/** Buffers that a sync brings back, in order. */
const READ = ['positions', 'starts', 'velocities', 'quaternions', 'contacts'] as const;

/** What of all bodies comes back. */
export function stateRanges(slots: number, bodies: number): Range[] {
  const ranges = READ.map((name) => ({ name, offset: 0, bytes: PARTICLE_BYTES[name] * slots }));
  return [...ranges, { name: 'frames', offset: 0, bytes: 4 * FRAME.words * bodies }];
}

/** Bytes that came back, taken apart. */
export class ReadState {
  readonly positions: Float32Array;
  readonly starts: Float32Array;
  readonly velocities: Float32Array;
  readonly quaternions: Float32Array;
  readonly contacts: Float32Array;
  readonly frames: Float32Array;

  constructor(bytes: ArrayBuffer, slots: number) {
    let at = 0;
    const take = (count: number) => {
      const view = new Float32Array(bytes, at, count);
      at += 4 * count;
      return view;
    };
    this.positions = take(4 * slots);
    this.starts = take(4 * slots);
    this.velocities = take(4 * slots);
    this.quaternions = take(4 * slots);
    this.contacts = take(16 * slots);
    this.frames = take((bytes.byteLength - at) / 4);
  }

  originOf(body: number): [number, number, number] {
    const at = FRAME.words * body + FRAME.offsets.origin;
    return [this.frames[at], this.frames[at + 1], this.frames[at + 2]];
  }

  /** Speed that the particles of a body do not exceed [m/s], 0 for any. */
  pressedSpeedOf(body: number): number {
    return this.frames[FRAME.words * body + FRAME.offsets.origin + 3];
  }
}
