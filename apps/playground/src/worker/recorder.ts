// The last seconds of the simulation, for the animation.

import type { Frame } from 'isochore/scenes';

/** Frames per second of simulated time. */
export const RECORDED_RATE = 30;
const LONGEST = 10;
/** Most memory for it [bytes]. */
const MOST_BYTES = 96e6;

export class Recorder {
  readonly frames: Float32Array[] = [];
  private last = Number.NEGATIVE_INFINITY;
  private readonly most: number;

  constructor(readonly vertexCount: number) {
    this.most = Math.max(2, Math.min(LONGEST * RECORDED_RATE + 1, Math.floor(MOST_BYTES / (12 * vertexCount))));
  }

  /** Seconds that are there. */
  get duration(): number {
    return Math.max(0, (this.frames.length - 1) / RECORDED_RATE);
  }

  clear(): void {
    this.frames.length = 0;
    this.last = Number.NEGATIVE_INFINITY;
  }

  /** Keeps the positions of all bodies, one after the other, where a frame is due. */
  note({ time, bodies }: Pick<Frame, 'time' | 'bodies'>): void {
    if (time < this.last + (1 - 1e-6) / RECORDED_RATE) return;
    // On the grid of frames, so that steps that do not divide it leave no drift.
    this.last = this.last < 0 || time > this.last + 2 / RECORDED_RATE ? time : this.last + 1 / RECORDED_RATE;
    const frame = this.frames.length >= this.most ? (this.frames.shift() as Float32Array) : undefined;
    const positions = frame ?? new Float32Array(3 * this.vertexCount);
    let start = 0;
    for (const body of bodies) {
      positions.set(body.positions, start);
      start += body.positions.length;
    }
    this.frames.push(positions);
  }

  /** The frames of the last seconds, at least two where there are. */
  lastSeconds(seconds: number): readonly Float32Array[] {
    return this.frames.slice(-Math.max(2, Math.round(seconds * RECORDED_RATE) + 1));
  }
}
