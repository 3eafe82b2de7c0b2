// What is to be done of a scene, as tasks that need nothing of each other: every combination of some values, or ranges of frames of its
// deformer bodies. A plan is plain data, so that other machines can take it up.

import { checkScene } from '../scenes/parse-scene.js';
import type { Scene } from '../scenes/scene-schema.js';
import { VERSION } from '../scenes/version.js';
import type { BackendName } from '../world/world-options.js';
import { type Axis, MOST_TASKS, type SweepValue } from './axis.js';
import { setValue } from './set-value.js';

/** Frames of deformer bodies instead of simulations. */
export interface FramePlan {
  readonly fps: number;
  /** Of each task, ascending. */
  readonly ranges: readonly (readonly number[])[];
}

/** A sweep as plain data: the scene, and what is set to which values. */
export interface SweepPlan {
  /** Version of the package: others may give other bits. */
  readonly isochore: string;
  readonly name: string;
  readonly scene: Scene;
  /** Where the scene's files are, and where results go. */
  readonly folder: string;
  readonly output: string;
  /** Fingerprints of the scene's files. */
  readonly files: Readonly<Record<string, string>>;
  readonly axes: readonly Axis[];
  readonly frames?: FramePlan;
  readonly steps?: number;
  readonly backend?: BackendName;
}

/** One combination of values, or one range of frames. */
export interface SweepTask {
  /** From 0. */
  readonly index: number;
  /** By the axes' paths. */
  readonly values: Readonly<Record<string, SweepValue>>;
  /** Of a range of frames. */
  readonly frames?: readonly number[];
}

/** What a plan is made of. */
export type SweepPlanOptions = Omit<SweepPlan, 'isochore'>;

/**
 * Checks that every combination is a scene. @throws RangeError, SceneError
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 2 });
 * const axes = [parseAxis('seed=1..2')];
 * const plan = makePlan({ name: 'seeds', scene, axes, folder: '.', output: 'out', files: {} });
 * console.log(taskCount(plan)); // 2
 * ```
 */
export function makePlan(options: SweepPlanOptions): SweepPlan {
  const plan = { isochore: VERSION, ...options };
  const paths = plan.axes.map(({ path }) => path);
  const twice = paths.find((path, n) => paths.indexOf(path) !== n);
  if (twice !== undefined) throw new RangeError(`${twice}: expected each path once`);
  if (plan.frames && paths.length > 0) throw new RangeError('expected either values to set or frames, got both');
  if (taskCount(plan) > MOST_TASKS)
    throw new RangeError(`expected at most ${MOST_TASKS} tasks, got ${taskCount(plan)}`);
  // Each value by itself: all combinations of 100 000 would take minutes to check.
  for (const { path, values } of plan.axes)
    for (const value of values) sceneOf(plan, { index: 0, values: { ...firstValues(plan), [path]: value } });
  return plan;
}

const firstValues = ({ axes }: SweepPlan) => Object.fromEntries(axes.map(({ path, values }) => [path, values[0]]));

/**
 * Number of tasks of a plan.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 2 });
 * const axes = [parseAxis('seed=1..2')];
 * const plan = makePlan({ name: 'seeds', scene, axes, folder: '.', output: 'out', files: {} });
 * console.log(taskCount(plan)); // 2
 * ```
 */
export const taskCount = ({ axes, frames }: Pick<SweepPlan, 'axes' | 'frames'>): number =>
  frames ? frames.ranges.length : axes.reduce((count, { values }) => count * values.length, 1);

/**
 * The last axis changes fastest.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 2 });
 * const axes = [parseAxis('seed=1..2')];
 * const plan = makePlan({ name: 'seeds', scene, axes, folder: '.', output: 'out', files: {} });
 * const { values } = taskAt(plan, 1); // seed: 2
 * ```
 */
export function taskAt(plan: SweepPlan, index: number): SweepTask {
  const count = taskCount(plan);
  if (!(Number.isInteger(index) && index >= 0 && index < count))
    throw new RangeError(`task: expected an integer from 0 to ${count - 1}, got ${index}`);
  if (plan.frames) return { index, values: {}, frames: plan.frames.ranges[index] };
  const values: [string, SweepValue][] = [];
  let rest = index;
  for (const axis of [...plan.axes].reverse()) {
    values.unshift([axis.path, axis.values[rest % axis.values.length]]);
    rest = Math.floor(rest / axis.values.length);
  }
  return { index, values: Object.fromEntries(values) };
}

/**
 * All tasks of a plan.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 2 });
 * const axes = [parseAxis('seed=1..2')];
 * const plan = makePlan({ name: 'seeds', scene, axes, folder: '.', output: 'out', files: {} });
 * for (const { index, values } of sweepTasks(plan)) console.log(index, values);
 * ```
 */
export const sweepTasks = (plan: SweepPlan): SweepTask[] =>
  Array.from({ length: taskCount(plan) }, (_, index) => taskAt(plan, index));

/**
 * The scene of one task. @throws RangeError, SceneError
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 2 });
 * const axes = [parseAxis('seed=1..2')];
 * const plan = makePlan({ name: 'seeds', scene, axes, folder: '.', output: 'out', files: {} });
 * console.log(sceneOf(plan, taskAt(plan, 1)).seed); // 2
 * ```
 */
export function sceneOf({ scene, axes }: SweepPlan, { values }: SweepTask): Scene {
  if (axes.length === 0) return scene;
  const changed = structuredClone(scene);
  for (const { path } of axes) setValue(changed, path, values[path]);
  return checkScene(changed);
}

/**
 * All that the result of a task depends on, as text: what is known by the same text need not be done again.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 2 });
 * const axes = [parseAxis('seed=1..2')];
 * const plan = makePlan({ name: 'seeds', scene, axes, folder: '.', output: 'out', files: {} });
 * console.log(taskKey(plan, taskAt(plan, 0))); // the name of its result
 * ```
 */
export const taskKey = (plan: SweepPlan, task: SweepTask): string =>
  JSON.stringify([
    ...[plan.isochore, sceneOf(plan, task), plan.files, plan.steps ?? null, plan.backend ?? null],
    ...(plan.frames ? [plan.frames.fps, task.frames] : []),
  ]);

/**
 * Frames in runs of at most `length`.
 * @example
 * ```ts
 * console.log(frameRanges([1, 2, 3, 4, 5], 2)); // [1, 2], [3, 4], [5]
 * ```
 */
export function frameRanges(frames: readonly number[], length: number): number[][] {
  const count = Math.ceil(frames.length / length);
  return Array.from({ length: count }, (_, n) => frames.slice(n * length, (n + 1) * length));
}
