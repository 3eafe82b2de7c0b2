// The last seconds of the simulation, for the animation.

import type { Frame } from 'isochore/scenes';

/** Frames per second of simulated time. */
export const RECORDED_RATE = 30;
const LONGEST = 10;
/** Most memory for it [bytes]. */
const MOST_BYTES = 96e6;

/** A body of the recording: what a frame's positions are the vertices of. */
export interface RecordedBody {
  readonly name: string;
  readonly triangles: Uint32Array;
  readonly vertexCount: number;
}

export class Recorder {
  readonly frames: Float32Array[] = [];
  /** The bodies as they were in the first frame. */
  bodies: readonly RecordedBody[] = [];
  /** Why it has ended: an animation has one mesh per body. */
  ended: string | undefined;
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
    this.bodies = [];
    this.ended = undefined;
    this.last = Number.NEGATIVE_INFINITY;
  }

  /** Whether a body has other triangles than in the first frame. */
  private findChange(bodies: Frame['bodies']): string | undefined {
    if (this.bodies.length === 0) {
      this.bodies = bodies.map(({ name, mesh: { triangles }, particleCount: vertexCount }) => ({
        ...{ name, triangles, vertexCount },
      }));
    }
    const changed = this.bodies.find(({ triangles }, n) => !isSame(triangles, bodies[n].mesh.triangles));
    return changed && `the animation ends where the topology of ${changed.name} changes: a glTF mesh keeps its own`;
  }

  /** Keeps the positions of all bodies, one after the other, where a frame is due; up to the first change of a topology. */
  note({ time, bodies }: Pick<Frame, 'time' | 'bodies'>): void {
    this.ended ??= this.findChange(bodies);
    if (this.ended !== undefined) return;
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

const isSame = (a: Uint32Array, b: Uint32Array): boolean =>
  a === b || (a.length === b.length && a.every((value, k) => value === b[k]));
