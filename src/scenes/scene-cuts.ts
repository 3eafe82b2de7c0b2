// The cuts of a scene, made when their time has come.

import type { Body } from '../world/body.js';
import type { World } from '../world/world.js';
import { SceneError } from './scene-errors.js';
import type { Scene } from './scene-schema.js';

/** Rounding of times that are sums of steps, in steps. */
const ROUNDING = 1e-6;

/**
 * Cuts bodies as a scene says for the step that comes next; `elapsed` is what went before the world's own time [s]. Whoever steps the
 * world of a scene by hand calls it before each step; `playScene` does.
 */
export function cutDue(scene: Scene, world: World, bodies: readonly Body[], elapsed = 0): void {
  scene.cuts.forEach(({ body, time, plane, within }, index) => {
    const steps = (time - elapsed) / world.timeStep - world.stepCount;
    if (!(steps >= -ROUNDING && steps < 1 - ROUNDING)) return;
    try {
      bodies.find(({ name }) => name === body)?.cut({ plane, within });
    } catch (error) {
      throw new SceneError(`cuts[${index}]`, (error as Error).message);
    }
  });
}
