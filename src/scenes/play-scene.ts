// Plays a scene step by step, for whoever wants the states on the way. Owns the world, the loop and the disposal: everything
// that runs a scene from start to end folds over it.

import { showInput } from '../math/expect.js';
import type { Body } from '../world/body.js';
import type { World } from '../world/world.js';
import { type BuildSceneOptions, type BuiltScene, buildScene } from './build-scene.js';
import { countNonFinite } from './report.js';
import { cutDue } from './scene-cuts.js';
import type { Scene } from './scene-schema.js';
import { setDue } from './setting-keys.js';

/** How a scene is played. */
export interface PlaySceneOptions extends BuildSceneOptions {
  /** Instead of the scene's own number; Infinity plays until it is told to stop. */
  steps?: number;
  /** Ends it after the step it is in. */
  signal?: AbortSignal;
  /** Goes on from a snapshot of the same scene's world after so many steps, with the same bits; its frame is the first. */
  resume?: { readonly step: number; readonly snapshot: Uint8Array };
}

/** The state after a step. World and bodies are the live ones: what is to outlast the next step is copied. */
export interface Frame {
  /** Steps done; 0 is the start. */
  readonly step: number;
  /** Steps that are to be done in all. */
  readonly steps: number;
  /** [s] */
  readonly time: number;
  readonly world: World;
  /** In the scene's order. */
  readonly bodies: readonly Body[];
  /** What the step took, cuts and changes of level included [ms]; 0 at the start. */
  readonly took: number;
  /** Coordinates and velocity components that are not finite. */
  readonly nonFinite: number;
  /** Whether no step follows: all are done, the state is no longer finite, or the signal was given by now. */
  readonly last: boolean;
}

/** Longest time between two turns of the event loop [ms]: a redraw at 20 Hz, at a cost below 2 %. */
const TURN_INTERVAL = 50;

/**
 * Yields the start and then the state after every step, up to the first that is not finite. Gives the event loop a turn now and
 * then, so that a page or a terminal stays alive and an abort is heard. The world is disposed of however it ends: at the
 * last frame, by `break` or `return()`, by an error in the loop over it.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 3 });
 * for await (const { step, time } of playScene(scene)) console.log(step, time);
 * ```
 */
export async function* playScene(scene: Scene, options: PlaySceneOptions = {}): AsyncGenerator<Frame, void, undefined> {
  const steps = options.steps ?? scene.steps;
  if (!(Number.isInteger(steps) || steps === Number.POSITIVE_INFINITY) || steps < 0) {
    throw new RangeError(`steps: expected an integer from 0, or Infinity, got ${showInput(steps)}`);
  }
  const first = options.resume?.step ?? 0;
  const built = await buildScene(scene, options);
  try {
    if (options.resume) built.world.restore(options.resume.snapshot);
    let lastTurn = Number.NEGATIVE_INFINITY;
    for (let step = first; ; step++) {
      const begin = performance.now();
      if (step > first) {
        cutDue(scene, built.world, built.bodies);
        setDue(scene, built.world, built.bodies);
        built.world.step();
        await built.world.sync();
      }
      const took = step > first ? performance.now() - begin : 0;
      // Before the frame, so that it knows of an abort that was heard in the turn.
      if (performance.now() - lastTurn >= TURN_INTERVAL) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        lastTurn = performance.now();
      }
      const frame = takeFrame(built, step, steps, took, options.signal);
      yield frame;
      if (frame.last) return;
    }
  } finally {
    built.world.dispose();
  }
}

function takeFrame(
  { world, bodies }: BuiltScene,
  step: number,
  steps: number,
  took: number,
  signal?: AbortSignal,
): Frame {
  const nonFinite = countNonFinite(bodies);
  // A start beyond single precision is reported as the first step's, as any other state that a run ends in.
  const ended = step >= steps || (nonFinite > 0 && step > 0);
  return {
    ...{ step, steps, time: world.time, world, bodies, took, nonFinite },
    get last() {
      return ended || signal?.aborted === true;
    },
  };
}
