// `isochore work`: does tasks of sweeps, one of a plan's file (as farms call it) or those that come by a queue.

import { taskAt } from '../../farm/index.js';
import { CliError, EXIT } from '../cli-error.js';
import { readPlan } from '../sweep-source.js';
import { workOnQueue } from '../task-queue.js';
import { doTask } from '../task-server.js';
import { TaskStore } from '../task-store.js';

export interface WorkOptions {
  task?: number;
  queue?: string;
  jobs?: number;
  idle?: number;
  force?: boolean;
  quiet?: boolean;
}

export async function work(planFile: string | undefined, options: WorkOptions): Promise<void> {
  const byQueue = options.queue !== undefined;
  if (byQueue === (planFile !== undefined))
    throw new CliError('isochore: work: expected either a plan with --task N, or --queue URL');
  if (byQueue) return workOnQueue(options.queue as string, options);
  if (options.task === undefined) throw new CliError('isochore: work: expected --task N with a plan');
  await doOne(planFile as string, options.task, Boolean(options.force));
}

async function doOne(planFile: string, index: number, force: boolean): Promise<void> {
  const plan = await readPlan(planFile);
  let task: ReturnType<typeof taskAt>;
  try {
    task = taskAt(plan, index);
  } catch (error) {
    throw new CliError(`--${(error as Error).message}`);
  }
  const store = new TaskStore(plan);
  let result = force ? undefined : await store.find(task);
  if (!result) {
    result = await doTask({ plan, index }).catch((error: unknown) => {
      throw error instanceof CliError ? error : new CliError(`${planFile}: task ${index}: ${(error as Error).message}`);
    });
    await store.keep(task, result);
  }
  // The result is there all the same: another try would say this again and compute nothing.
  if (result.nonFinite > 0) {
    const line = `${planFile}: task ${index}: the state became non-finite (${result.nonFinite} values)`;
    throw new CliError(line, EXIT.nonFinite);
  }
}
