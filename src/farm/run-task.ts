// Does one task of a plan: a simulation or a range of posed frames, and the figures that a table shows of it. The same task gives the
// same hash wherever it is done.

import { createDeformerPool } from '../deformer/deformer-pool.js';
import { StateHash } from '../math/hash.js';
import { RunCurves } from '../report/run-curves.js';
import { playScene } from '../scenes/play-scene.js';
import { type PosedFrame, poseFrames } from '../scenes/pose-frames.js';
import { type PosedBody, type PoseSceneOptions, poseScene } from '../scenes/pose-scene.js';
import type { BodyReport, Report } from '../scenes/report.js';
import { RunRecord } from '../scenes/run-record.js';
import { SceneError } from '../scenes/scene-errors.js';
import { type SweepPlan, type SweepTask, sceneOf } from './sweep-plan.js';

/** Over the task: what is worst of its bodies. */
export type Figures = Readonly<Record<string, number>>;

/** What a task found. */
export interface TaskResult extends SweepTask {
  readonly isochore: string;
  /** Of the positions at the end, or of all frames; 16 hexadecimal digits. */
  readonly hash: string;
  readonly nonFinite: number;
  readonly figures: Figures;
  /** Largest volume error over time [%], at most CURVE_POINTS. */
  readonly curve: readonly number[];
  /** Of a simulation. */
  readonly report?: Report;
}

/** What a task needs from outside. */
export interface RunTaskOptions extends PoseSceneOptions {
  /** Of a simulation; 1 unless given, as tasks run beside each other. */
  readonly threads?: number;
  /** Called with every posed frame, in no certain order. */
  readonly onFrame?: (bodies: readonly PosedBody[], frame: PosedFrame) => Promise<void>;
}

/** For a picture of some hundred pixels. */
const CURVE_POINTS = 64;

/**
 * Does a task of a plan.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 2 });
 * const axes = [parseAxis('seed=1..2')];
 * const plan = makePlan({ name: 'seeds', scene, axes, folder: '.', output: 'out', files: {} });
 * const { hash } = await runTask(plan, taskAt(plan, 0));
 * ```
 */
export async function runTask(plan: SweepPlan, task: SweepTask, options: RunTaskOptions = {}): Promise<TaskResult> {
  return task.frames ? poseRange(plan, task, task.frames, options) : simulateTask(plan, task, options);
}

async function simulateTask(plan: SweepPlan, task: SweepTask, options: RunTaskOptions): Promise<TaskResult> {
  const { threads = 1 } = options;
  const record = new RunRecord(plan.name);
  const curves = new RunCurves();
  let result: TaskResult | undefined;
  const { steps, backend } = plan;
  for await (const frame of playScene(sceneOf(plan, task), { ...options, steps, backend, threads })) {
    record.note(frame);
    curves.note(frame);
    if (!frame.last) continue;
    const report = record.report(frame);
    const errors = curves.curves().plots.find(({ title }) => title === 'volume error');
    const largest = largestOf(errors?.series.map(({ values }) => values) ?? []);
    result = {
      ...task,
      ...{ isochore: plan.isochore, hash: report.hash, nonFinite: report.nonFinite },
      ...{ figures: figuresOf(report), curve: shorten(largest), report },
    };
  }
  return result as TaskResult;
}

/** Of a report's figures about a body those that are numbers and no mere sizes. */
const NOT_COMPARED = new Set(['particles', 'nodes', 'restVolume']);

function figuresOf({ bodies, msPerStep }: Report): Figures {
  const figures: Record<string, number> = {};
  for (const body of bodies) {
    for (const [name, value] of Object.entries(body satisfies BodyReport)) {
      if (typeof value !== 'number' || NOT_COMPARED.has(name)) continue;
      figures[name] = Math.max(figures[name] ?? Number.NEGATIVE_INFINITY, value);
    }
  }
  return { ...figures, msPerStep: msPerStep.total };
}

async function poseRange(
  plan: SweepPlan,
  task: SweepTask,
  wanted: readonly number[],
  options: RunTaskOptions,
): Promise<TaskResult> {
  const fps = plan.frames?.fps as number;
  const bodies = await poseScene(plan.scene, options);
  if (bodies.length === 0) throw new SceneError('bodies', 'expected at least one that is posed, got none');
  const pool = await createDeformerPool(bodies, { workers: 0 });
  const frames: PosedFrame[] = [];
  try {
    for await (const frame of poseFrames(pool, bodies, wanted, { fps })) {
      await options.onFrame?.(bodies, frame);
      frames.push(frame);
    }
  } finally {
    pool.dispose();
  }
  return { ...task, isochore: plan.isochore, ...measureFrames(frames.sort((a, b) => a.frame - b.frame)) };
}

function measureFrames(frames: readonly PosedFrame[]): Pick<TaskResult, 'hash' | 'nonFinite' | 'figures' | 'curve'> {
  const hash = new StateHash();
  let nonFinite = 0;
  for (const { bodies } of frames) {
    for (const { positions } of bodies) {
      hash.update(positions);
      for (let k = 0; k < positions.length; k++) if (!Number.isFinite(positions[k])) nonFinite++;
    }
  }
  const errors = frames.map(({ bodies }) =>
    Math.max(
      ...bodies.map(({ report: { volumeAfter, volumeTarget } }) =>
        volumeTarget === 0 ? 0 : 100 * Math.abs(volumeAfter / volumeTarget - 1),
      ),
    ),
  );
  const depths = frames.map(({ bodies }) => Math.max(...bodies.map(({ report }) => report.depthAfter)));
  const figures = { maxVolumeErrorPercent: Math.max(...errors), maxPenetration: Math.max(...depths) };
  return { hash: hash.digest(), nonFinite, figures, curve: shorten(errors) };
}

function largestOf(series: readonly (readonly number[])[]): number[] {
  const length = Math.max(0, ...series.map((values) => values.length));
  return Array.from({ length }, (_, k) => Math.max(...series.map((values) => values[k])));
}

/** The largest of as many neighbours as it takes. */
function shorten(values: readonly number[]): number[] {
  const stride = Math.max(1, Math.ceil(values.length / CURVE_POINTS));
  return Array.from({ length: Math.ceil(values.length / stride) }, (_, k) =>
    Math.max(...values.slice(k * stride, (k + 1) * stride)),
  );
}
