// Code of the user's own beside a world in a worker: what it may do, and what it holds.

import { describeKnown } from '../math/known-fields.js';
import type { World } from '../world/world.js';
import type { WorldOptions } from '../world/world-options.js';

/** Code of your own that runs beside a world in a worker: `hostWorld` takes it. Everything in it may be left out. */
export interface WorldProgram {
  /** Makes the world of the options that the page gave; `createWorld` unless set. */
  createWorld?(options: WorldOptions): World | Promise<World>;
  /** Before each step. */
  beforeStep?(world: World): void;
  /** After each step; with WebGPU, which takes many at a time, once after so many as there were. */
  afterStep?(world: World, count: number): void;
  /** Plain values that go to the page with a frame, where `world.programFrame` has them; `share` of the last step has passed in it. */
  frame?(world: World, share: number): unknown;
  /** What the page may call by its name, `await world.call(name, …)`; arguments and answers are plain values, or promises of such. */
  readonly calls?: object;
}

/** A world as the program beside it holds it. */
export interface HostedWorld {
  /** Undefined until the page has asked for one. */
  readonly world: World | undefined;
  /** Whether it runs by a clock of its own. */
  readonly isRunning: boolean;
  /** Simulated over elapsed time in the last second. */
  readonly pace: number;
  /**
   * Puts another world in the place of this one, which is disposed of. The page's bodies and obstacles end, and with the next frame it has
   * those of the other world.
   */
  replaceWorld(world: World): void;
  /** Lets it run by a clock of its own, as `WorkerWorld.run`. */
  run(speed?: number): void;
  /** Ends `run`, after the step that is being taken. */
  pause(): void;
}

/** Calls something of a program by its name. */
export function callProgram({ calls = {} }: WorldProgram, name: string, args: readonly unknown[]): unknown {
  const known = Object.keys(calls);
  if (known.includes(name)) return (calls as Record<string, (...args: readonly unknown[]) => unknown>)[name](...args);
  const expected = known.length > 0 ? describeKnown(name, known) : 'expected a worker whose program has calls';
  throw new RangeError(`call: ${expected}, got ${JSON.stringify(name)}`);
}
