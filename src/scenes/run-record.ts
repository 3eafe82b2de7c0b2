// What a report needs of every step on the way, gathered frame by frame.

import type { Frame } from './play-scene.js';
import { buildReport, REPORT_STAGES, type Report, type ReportStage, volumeErrorPercent } from './report.js';

export class RunRecord {
  /** Per step [ms]. */
  readonly stageTimes = Object.fromEntries(REPORT_STAGES.map((stage) => [stage, []])) as unknown as Record<
    ReportStage,
    number[]
  >;
  /** Per body, over the steps so far [%]; what a scene starts with is no error. */
  readonly maxVolumeErrors: number[] = [];
  /** Per body: the largest of each of its solver's figures. */
  readonly maxFigures: Record<string, number>[] = [];
  steps = 0;

  /** `scene` is what the report calls it. */
  constructor(readonly scene: string) {}

  /** Takes every frame in its order, the start included. */
  note({ step, world, bodies }: Frame): void {
    this.steps = step;
    if (step > 0) for (const stage of REPORT_STAGES) this.stageTimes[stage].push(world.profile[stage]);
    for (const [index, body] of bodies.entries()) {
      this.maxVolumeErrors[index] = step > 0 ? Math.max(this.maxVolumeErrors[index], volumeErrorPercent(body)) : 0;
      this.maxFigures[index] ??= {};
      for (const [name, value] of step > 0 ? Object.entries(body.figures()) : []) {
        this.maxFigures[index][name] = Math.max(this.maxFigures[index][name] ?? 0, value);
      }
    }
  }

  /** About all that was noted; while the last frame is there, as it measures its bodies. */
  report({ world, bodies }: Frame): Report {
    return buildReport(world, bodies, this);
  }
}
