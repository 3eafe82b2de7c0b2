// Simulates a scene from start to end and reports. Gives the event loop a turn now and then, so that a page or a
// terminal stays alive and an abort is heard.

import { type BuildSceneOptions, buildScene } from './build-scene.js';
import {
  buildReport,
  countNonFinite,
  REPORT_STAGES,
  type Report,
  type ReportStage,
  volumeErrorPercent,
} from './report.js';
import type { Scene } from './scene-schema.js';

export interface RunSceneOptions extends BuildSceneOptions {
  /** What the report calls the scene. */
  name?: string;
  /** Instead of the scene's own number. */
  steps?: number;
  /** Called with 0 when everything is ready, then after every step. */
  onStep?: (done: number, total: number) => void;
  /** Stops the run after the step it is in; the report is about what was finished. */
  signal?: AbortSignal;
}

/** Longest time between two turns of the event loop [ms]: a redraw at 20 Hz, at a cost below 2 %. */
const TURN_INTERVAL = 50;

/** Ends early at the first state that is not finite: `nonFinite` of the report is then above 0. */
export async function runScene(scene: Scene, options: RunSceneOptions = {}): Promise<Report> {
  const { world, bodies } = await buildScene(scene, options);
  try {
    const total = options.steps ?? scene.steps;
    const stageTimes = Object.fromEntries(REPORT_STAGES.map((stage) => [stage, []])) as unknown as Record<
      ReportStage,
      number[]
    >;
    const maxVolumeErrors = bodies.map(() => 0);
    let steps = 0;
    let lastTurn = Number.NEGATIVE_INFINITY;
    options.onStep?.(steps, total);
    while (steps < total) {
      const now = performance.now();
      if (now - lastTurn >= TURN_INTERVAL) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        lastTurn = performance.now();
      }
      if (options.signal?.aborted) break;
      world.step();
      steps++;
      for (const stage of REPORT_STAGES) stageTimes[stage].push(world.profile[stage]);
      for (const [index, body] of bodies.entries()) {
        maxVolumeErrors[index] = Math.max(maxVolumeErrors[index], volumeErrorPercent(body));
      }
      options.onStep?.(steps, total);
      if (countNonFinite(bodies) > 0) break;
    }
    return buildReport(world, bodies, { scene: options.name ?? 'scene', steps, stageTimes, maxVolumeErrors });
  } finally {
    world.dispose();
  }
}
