// `isochore sweep SCENE --set PATH=VALUES -o DIR`: every combination as a task of its own, on all processors, by a queue or as a plan for
// a farm; at the end a table. What is done is not done again.

import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  planFiles,
  type SweepPlan,
  type SweepTask,
  sweepCsv,
  sweepPage,
  sweepTasks,
  type TaskResult,
} from '../../farm/index.js';
import { CliError, EXIT, toLine } from '../cli-error.js';
import { writeOutput } from '../files.js';
import { startProgress } from '../progress.js';
import { planSweep, type SweepWords, writePlan } from '../sweep-source.js';
import { TaskPool } from '../task-pool.js';
import { runByQueue } from '../task-queue.js';
import type { TaskRun } from '../task-run.js';
import { TaskStore } from '../task-store.js';

export interface SweepOptions extends SweepWords {
  jobs?: number;
  plan?: boolean;
  command?: string;
  queue?: string;
  force?: boolean;
  quiet?: boolean;
}

const INTERRUPTIONS = ['SIGINT', 'SIGTERM'] as const;

export async function sweep(argument: string, options: SweepOptions): Promise<void> {
  const plan = await planSweep(argument, options);
  const planFile = await writePlan(plan);
  if (options.plan) return writePlanFiles(plan, planFile, options);
  const store = new TaskStore(plan);
  const tasks = sweepTasks(plan);
  const done = options.force ? new Set<string>() : await store.done();
  const left = tasks.filter((task) => !done.has(store.idOf(task)));

  const interruption = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void => interruption.abort(signal);
  const progress = startProgress(plan.name, Boolean(options.quiet), 'task');
  const faults: { index: number; line: string }[] = [];
  let count = tasks.length - left.length;
  for (const name of INTERRUPTIONS) process.once(name, interrupt);
  progress.update(count, tasks.length);
  try {
    const run: TaskRun = {
      ...{ plan, left, store, signal: interruption.signal },
      async keep(task, result) {
        await store.keep(task, result);
        progress.update(++count, tasks.length);
      },
      fail: ({ index }, line) => faults.push({ index, line }),
    };
    if (options.queue === undefined) await runHere(run, options.jobs ?? availableParallelism());
    else await runByQueue(run, options.queue);
  } finally {
    progress.stop();
    for (const name of INTERRUPTIONS) process.removeListener(name, interrupt);
  }
  const { aborted, reason } = interruption.signal;
  const about = { before: tasks.length - left.length, quiet: Boolean(options.quiet) || aborted };
  const results = await writeTables(plan, tasks, store, about);
  if (aborted) {
    const line = `${argument}: interrupted after ${count} of ${tasks.length} tasks; the same command goes on from there`;
    throw new CliError(line, EXIT[reason as (typeof INTERRUPTIONS)[number]]);
  }
  if (faults.length > 0) {
    const [{ index, line }] = faults.sort((a, b) => a.index - b.index);
    const fault = `${argument}: ${faults.length} of ${tasks.length} tasks failed; task ${index}: ${line}`;
    throw new CliError(fault, EXIT.tasksFailed);
  }
  const lost = results.filter(({ nonFinite }) => nonFinite > 0);
  if (lost.length === 0) return;
  const line = `${argument}: the state became non-finite in ${lost.length} of ${tasks.length} tasks; the first is task ${lost[0].index}`;
  throw new CliError(line, EXIT.nonFinite);
}

async function writePlanFiles(plan: SweepPlan, planFile: string, options: SweepOptions): Promise<void> {
  const folder = join(plan.output, 'plan');
  await mkdir(folder, { recursive: true });
  const command = (options.command ?? 'isochore').split(/\s+/).filter((word) => word !== '');
  const store = new TaskStore(plan);
  const files = planFiles(plan, { command, planFile, outputOf: (task) => store.fileOf(task) });
  for (const { name, text } of files) await writeOutput(join(folder, name), text);
  const names = files.map(({ name }) => name).join(', ');
  if (!options.quiet) process.stdout.write(`${toLine(`${folder}: ${names}`)}\n`);
}

/** As many at once as there are processors. */
async function runHere({ plan, left, signal, keep, fail }: TaskRun, jobs: number): Promise<void> {
  const pool = new TaskPool();
  const waiting = [...left];
  const stop = (): void => pool.close();
  signal.addEventListener('abort', stop);
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task && !signal.aborted; task = waiting.shift()) {
      const result = await pool.run(plan, task.index).catch((error: Error) => error.message);
      if (typeof result !== 'string') await keep(task, result);
      else if (!signal.aborted) fail(task, result);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, left.length) }, work));
  } finally {
    signal.removeEventListener('abort', stop);
    pool.close();
  }
}

async function writeTables(
  plan: SweepPlan,
  tasks: readonly SweepTask[],
  store: TaskStore,
  about: { before: number; quiet: boolean },
): Promise<TaskResult[]> {
  const results: TaskResult[] = [];
  for (const task of tasks) {
    const result = await store.find(task);
    if (result) results.push(result);
  }
  await writeOutput(join(plan.output, 'table.csv'), sweepCsv(plan.axes, results));
  await writeOutput(join(plan.output, 'table.html'), sweepPage(plan, results));
  if (about.quiet) return results;
  const before = about.before > 0 ? `, ${about.before} of them before` : '';
  const line = `${plan.output}: ${results.length} of ${tasks.length} tasks done${before}; table.csv, table.html`;
  process.stdout.write(`${toLine(line)}\n`);
  return results;
}
