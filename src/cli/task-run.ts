// What whoever does the tasks of a sweep is given, be it this machine or a queue.

import type { SweepPlan, SweepTask, TaskResult } from '../farm/index.js';
import type { TaskStore } from './task-store.js';

/** How tasks are done: calls `keep` with each result, `fail` with a line for what cannot be done. */
export interface TaskRun {
  readonly plan: SweepPlan;
  readonly left: readonly SweepTask[];
  readonly store: TaskStore;
  readonly signal: AbortSignal;
  keep(task: SweepTask, result: TaskResult): Promise<void>;
  fail(task: SweepTask, line: string): void;
}
