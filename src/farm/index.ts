/**
 * A scene as many tasks that need nothing of each other, done anywhere, and a table of what came of them.
 * @module isochore/farm
 */

export { type Axis, parseAxis, type SweepValue } from './axis.js';
export { type PlanFile, type PlanFilesOptions, planFiles } from './plan-files.js';
export { type Figures, type RunTaskOptions, runTask, type TaskResult } from './run-task.js';
export { sweepCsv } from './sweep-csv.js';
export { sweepPage } from './sweep-page.js';
export {
  type FramePlan,
  frameRanges,
  makePlan,
  type SweepPlan,
  type SweepPlanOptions,
  type SweepTask,
  sceneOf,
  sweepTasks,
  taskAt,
  taskCount,
  taskKey,
} from './sweep-plan.js';
