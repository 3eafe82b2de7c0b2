// What a report needs of every step on the way, gathered frame by frame.

import type { Frame } from './play-scene.js';
import {
  buildReport,
  type CutReport,
  GAVE_WAY,
  REPORT_STAGES,
  type Report,
  type ReportStage,
  volumeErrorPercent,
} from './report.js';

export class RunRecord {
  /** Per step [ms]. */
  readonly stageTimes = Object.fromEntries(REPORT_STAGES.map((stage) => [stage, []])) as unknown as Record<
    ReportStage,
    number[]
  >;
  /** Per body, over the steps so far [%]; what a scene starts with is no error. */
  readonly maxVolumeErrors: number[] = [];
  /** Per body: steps so far in which its volume was off by more than `GAVE_WAY`. */
  readonly stepsGivenWay: number[] = [];
  /** Per body: the largest of those of its solver's figures whose names begin with `max`. */
  readonly maxFigures: Record<string, number>[] = [];
  /** Changes of topology, in their order. */
  readonly cuts: CutReport[] = [];
  private readonly topologies: number[] = [];
  steps = 0;

  /** `scene` is what the report calls it. */
  constructor(readonly scene: string) {}

  /** Takes every frame in its order, the start included. */
  note({ step, world, bodies, took }: Frame): void {
    this.steps = step;
    if (step > 0) for (const stage of REPORT_STAGES) this.stageTimes[stage].push(world.profile[stage]);
    for (const [index, body] of bodies.entries()) {
      const error = step > 0 ? volumeErrorPercent(body) : 0;
      this.maxVolumeErrors[index] = Math.max(this.maxVolumeErrors[index] ?? 0, error);
      this.stepsGivenWay[index] = (this.stepsGivenWay[index] ?? 0) + (error > GAVE_WAY ? 1 : 0);
      this.maxFigures[index] ??= {};
      for (const [name, value] of step > 0 ? Object.entries(body.figures()) : []) {
        if (name.startsWith('max')) this.maxFigures[index][name] = Math.max(this.maxFigures[index][name] ?? 0, value);
      }
      if (body.topologyVersion !== (this.topologies[index] ?? 0)) {
        this.cuts.push({ body: body.name, time: world.time - world.timeStep, ms: took, partsAfter: body.parts.length });
      }
      this.topologies[index] = body.topologyVersion;
    }
  }

  /** About all that was noted; while the last frame is there, as it measures its bodies. */
  report({ world, bodies }: Frame): Report {
    return buildReport(world, bodies, this);
  }
}
