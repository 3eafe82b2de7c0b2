// The last seconds of the simulation, for the animation.

import type { CutFaces, TriangleMesh } from 'isochore';
import type { Frame } from 'isochore/scenes';

/** Frames per second of simulated time. */
export const RECORDED_RATE = 30;
const LONGEST = 10;
/** Most memory for it [bytes]. */
const MOST_BYTES = 96e6;

/** A body in a frame. */
export interface RecordedBody {
  readonly name: string;
  /** The same as long as the body has the same triangles. */
  readonly mesh: TriangleMesh;
  /** How often it was another before, by cuts. */
  readonly topology: number;
  /** Along which it was cut. */
  readonly faces?: CutFaces;
  /** What it was made of, where it is simulated by another surface. */
  readonly visible?: TriangleMesh;
  readonly positions: Float32Array;
}

export class Recorder {
  readonly frames: (readonly RecordedBody[])[] = [];
  private bytes = 0;
  private last = Number.NEGATIVE_INFINITY;

  /** Seconds that are there. */
  get duration(): number {
    return Math.max(0, (this.frames.length - 1) / RECORDED_RATE);
  }

  clear(): void {
    this.frames.length = 0;
    this.bytes = 0;
    this.last = Number.NEGATIVE_INFINITY;
  }

  /** Keeps the positions of all bodies where a frame is due, and forgets the oldest where there are too many. */
  note({ time, bodies }: Pick<Frame, 'time' | 'bodies'>): void {
    if (time < this.last + (1 - 1e-6) / RECORDED_RATE) return;
    // On the grid of frames, so that steps that do not divide it leave no drift.
    this.last = this.last < 0 || time > this.last + 2 / RECORDED_RATE ? time : this.last + 1 / RECORDED_RATE;
    const before = this.frames.at(-1);
    const frame = bodies.map((body, n): RecordedBody => {
      const { name, topologyVersion: topology, visible, positions } = body;
      const known = before?.[n];
      const isKnown = known !== undefined && isSame(known.mesh.triangles, body.mesh.triangles);
      const { mesh, faces } = isKnown ? known : { mesh: body.mesh, faces: body.cutFaces };
      return { name, topology, mesh, faces, visible, positions: Float32Array.from(positions) };
    });
    this.frames.push(frame);
    this.bytes += sizeOf(frame);
    while (this.frames.length > 2 && (this.frames.length > LONGEST * RECORDED_RATE + 1 || this.bytes > MOST_BYTES))
      this.bytes -= sizeOf(this.frames.shift() ?? []);
  }

  /** The frames of the last seconds, at least two where there are. */
  lastSeconds(seconds: number): readonly (readonly RecordedBody[])[] {
    return this.frames.slice(-Math.max(2, Math.round(seconds * RECORDED_RATE) + 1));
  }
}

const sizeOf = (frame: readonly RecordedBody[]): number =>
  frame.reduce((sum, { positions }) => sum + positions.byteLength, 0);

const isSame = (a: Uint32Array, b: Uint32Array): boolean =>
  a === b || (a.length === b.length && a.every((value, k) => value === b[k]));
