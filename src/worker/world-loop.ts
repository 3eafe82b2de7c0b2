// What a worker that holds a world does with its time: takes steps as the clock asks for them, a slice at a time, and between two slices
// what it is told, one thing after the other.

import { Pace } from './pace.js';

/** A world that can be stepped. */
export interface Stepping {
  /** Δt [s]. */
  readonly timeStep: number;
  step(): void;
}

export interface LoopWork {
  /** What is to be stepped now; nothing while there is no world. */
  stepping(): Stepping | undefined;
  /** After a slice of steps, maybe of none: the time to send a frame. */
  afterSlice(taken: number): void;
  /** A step that failed; the loop pauses. */
  fail(error: Error): void;
}

/** Time between two looks at the clock, and while paused [ms]. */
const NAP = 2;
const PAUSED_NAP = 8;

export class WorldLoop {
  readonly pace = new Pace();
  private readonly turns = new MessageChannel();
  private queue: Promise<unknown> = Promise.resolve();
  private busy = false;
  private ended = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly work: LoopWork) {
    this.turns.port1.onmessage = () => this.turn();
  }

  /** Does something after all that was asked for before it; no steps are taken meanwhile. */
  enqueue(job: () => unknown): void {
    this.queue = this.queue.then(async () => {
      this.busy = true;
      await job();
      this.busy = false;
    });
  }

  /** Looks at the clock now, once what was asked for is done. */
  wake(): void {
    this.enqueue(() => {
      this.turns.port2.postMessage(0);
    });
  }

  /** One slice; with a clock of its own it comes again by itself. */
  turn(): void {
    clearTimeout(this.timer);
    if (this.ended) return;
    const { pace, work } = this;
    if (!this.busy) {
      try {
        const stepping = work.stepping();
        const taken = stepping ? pace.run(stepping.timeStep, () => stepping.step()) : 0;
        work.afterSlice(taken);
        if (stepping && pace.isBehind(stepping.timeStep)) {
          this.turns.port2.postMessage(0);
          return;
        }
      } catch (error) {
        pace.paused = true;
        work.fail(error as Error);
        work.afterSlice(0);
      }
    }
    if (pace.isOwn || this.busy) this.timer = setTimeout(() => this.turn(), pace.paused ? PAUSED_NAP : NAP);
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.turns.port1.close();
  }
}
