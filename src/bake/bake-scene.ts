// Bakes a scene into memory: for pages, and for scenes that are not too long.

import type { Scene } from '../scenes/scene-schema.js';
import { type BakeFramesOptions, bakeFrames, bakeTimes, chooseBodies } from './bake-frames.js';
import { BakeRecord, MemoryStore } from './bake-record.js';
import type { BakedScene } from './baked-scene.js';
import { type LookSource, sceneLooks } from './body-look.js';

/** Which frames of which bodies, and how they look. */
export interface BakeSceneOptions extends Omit<BakeFramesOptions, 'resume'>, LookSource {
  /** Called after every step. */
  onStep?: (done: number, total: number) => void;
}

/**
 * @throws RangeError where the state stopped being finite.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 20 });
 * const baked = await bakeScene(scene, { fps: 30 });
 * ```
 */
export async function bakeScene(scene: Scene, options: BakeSceneOptions = {}): Promise<BakedScene> {
  const times = bakeTimes(scene, options);
  const looks = await sceneLooks(scene, chooseBodies(scene, options.bodies), options);
  const record = new BakeRecord(times, new MemoryStore(), [], looks);
  for await (const { step, bodies, first, frames } of bakeFrames(scene, options)) {
    if (step.step === 0) record.noteWorld(step.world, bodies);
    if (step.nonFinite > 0) throw new RangeError(`the state became non-finite in step ${step.step}`);
    for (const [n, frame] of frames.entries()) await record.add(first + n, frame);
    options.onStep?.(step.step, step.steps);
  }
  return record.baked();
}
