// Simulates a scene from start to end and reports.

import { type Frame, type PlaySceneOptions, playScene } from './play-scene.js';
import type { Report } from './report.js';
import { RunRecord } from './run-record.js';
import type { Scene } from './scene-schema.js';

/** How a scene is run. */
export interface RunSceneOptions extends PlaySceneOptions {
  /** What the report calls the scene. */
  name?: string;
  /** Called with 0 when everything is ready, then after every step. */
  onStep?: (done: number, total: number) => void;
  /** Called with the start and the state after every step. */
  onFrame?: (frame: Frame) => void | Promise<void>;
}

/**
 * Ends early at the first state that is not finite, `nonFinite` of the report is then above 0, and by the signal; the report
 * is about what was finished.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 3 });
 * const { hash, msPerStep } = await runScene(scene);
 * ```
 */
export async function runScene(scene: Scene, options: RunSceneOptions = {}): Promise<Report> {
  const record = new RunRecord(options.name ?? 'scene');
  let report: Report | undefined;
  for await (const frame of playScene(scene, options)) {
    record.note(frame);
    await options.onFrame?.(frame);
    options.onStep?.(frame.step, frame.steps);
    // There is always such a frame: between this line and the generator's own look at it nothing can give the signal.
    if (frame.last) report = record.report(frame);
  }
  return report as Report;
}
