// Sweeps over a queue (BullMQ, Redis): `sweep` puts tasks in and collects what comes of them, any number of `work` processes on any
// machines do them. Tasks are known by what their result depends on, so that nothing is done twice in the results: a worker that is
// lost, a server that is started again or a collector that is killed leaves tasks that are put in or done again, to the same bits.

import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { SweepPlan, SweepTask, TaskResult } from '../farm/index.js';
import { VERSION } from '../scenes/index.js';
import { CliError, EXIT } from './cli-error.js';
import { connect, loadPackages, type QueuePackages } from './queue-connection.js';
import { TaskError, TaskPool } from './task-pool.js';
import type { TaskRun } from './task-run.js';
import { shortHash } from './task-store.js';

/** What is in the queue: plans are large and stand beside it. */
interface TaskData {
  readonly plan: string;
  readonly index: number;
}

/** Workers of another version would give other bits. */
const QUEUE = `isochore-${VERSION}`;
const planKey = (id: string): string => `isochore:plan:${id}`;
/** How long plans and results that nobody collects are kept [s]: two weeks. */
const KEPT = 14 * 24 * 3600;
/** Between two looks at what is done, and between two at what is missing [ms]. */
const LOOK_INTERVAL = 300;
const REVIEW_INTERVAL = 30_000;
/** Jobs that are put in or looked at in one go. */
const BATCH = 500;
/** How often a task is tried where its process is lost. */
const ATTEMPTS = 3;
/** A worker that has not been heard of for so long [ms] is lost; computing is done in other processes, so it is always heard. */
const LOCK_DURATION = 15_000;
const STALLED_INTERVAL = 5000;
/** How many workers may be lost with a task before it is taken for the cause. */
const MOST_STALLS = 10;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const jobId = (taskId: string): string => `task-${taskId}`;

/** Puts the tasks in and returns when all are done, failed, or the signal is given. */
export async function runByQueue(run: TaskRun, url: string): Promise<void> {
  const packages = await loadPackages();
  const client = await connect(packages, url);
  const queue = new packages.bullmq.Queue<TaskData, TaskResult>(QUEUE, { connection: client });
  queue.on('error', () => {});
  try {
    await new Collector(run, queue, client).work();
  } finally {
    await queue.close().catch(() => {});
    client.disconnect();
  }
}

class Collector {
  private readonly plan: { readonly id: string; readonly text: string };
  /** Those that are not done, by the ids of their jobs. */
  private readonly left = new Map<string, SweepTask>();

  constructor(
    private readonly run: TaskRun,
    private readonly queue: Queue<TaskData, TaskResult>,
    private readonly client: Redis,
  ) {
    const text = JSON.stringify(run.plan);
    this.plan = { id: shortHash(text), text };
    for (const task of run.left) this.left.set(jobId(run.store.idOf(task)), task);
  }

  async work(): Promise<void> {
    let nextReview = 0;
    // A server that comes back may have lost what it was told last.
    const lost = (): void => {
      nextReview = 0;
    };
    this.client.on('ready', lost);
    while (this.left.size > 0 && !this.run.signal.aborted) {
      try {
        if (performance.now() >= nextReview) {
          await this.put();
          nextReview = performance.now() + REVIEW_INTERVAL;
        }
        await this.collect();
      } catch (error) {
        // Of the disk or the user: not of the connection, which comes back.
        if (error instanceof CliError) throw error;
      }
      if (this.left.size > 0) await pause(LOOK_INTERVAL);
    }
    this.client.off('ready', lost);
  }

  /** Jobs that are there already are left as they are. */
  private async put(): Promise<void> {
    await this.client.set(planKey(this.plan.id), this.plan.text, 'EX', KEPT);
    const jobs = [...this.left].map(([id, { index }]) => ({
      name: this.run.plan.name,
      data: { plan: this.plan.id, index },
      opts: {
        ...{ jobId: id, attempts: ATTEMPTS, backoff: 1000 },
        ...{ removeOnComplete: { age: KEPT }, removeOnFail: { age: KEPT } },
      },
    }));
    for (let n = 0; n < jobs.length; n += BATCH) await this.queue.addBulk(jobs.slice(n, n + BATCH));
  }

  /** Written down first and taken out then: whatever happens in between, it is there. */
  private async collect(): Promise<void> {
    for (const state of ['completed', 'failed'] as const) {
      for (let start = 0; ; ) {
        const jobs = await this.queue.getJobs([state], start, start + BATCH - 1);
        if (jobs.length === 0) break;
        // Those of other sweeps stay where they are.
        for (const job of jobs) start += (await this.take(job, state)) ? 0 : 1;
      }
    }
  }

  private async take(job: Job<TaskData, TaskResult>, state: 'completed' | 'failed'): Promise<boolean> {
    const task = this.left.get(job?.id ?? '');
    if (!task) return false;
    if (state === 'completed') await this.run.keep(task, { ...job.returnvalue, ...task });
    else this.run.fail(task, job.failedReason);
    this.left.delete(job.id as string);
    await job.remove();
    return true;
  }
}

export interface QueueWorkOptions {
  readonly jobs?: number;
  /** Ends when there was nothing to do for so long [s]. */
  readonly idle?: number;
  readonly quiet?: boolean;
}

/** Does tasks until it is told to stop. Ctrl-C ends it after those that are under way. */
export async function workOnQueue(url: string, options: QueueWorkOptions): Promise<void> {
  const packages = await loadPackages();
  const client = await connect(packages, url);
  const pool = new TaskPool();
  try {
    const { done, faults } = await work(packages, client, pool, options);
    if (!options.quiet) process.stdout.write(`${done} task${done === 1 ? '' : 's'} done\n`);
    if (faults.length === 0) return;
    const line = `${faults.length} task${faults.length === 1 ? '' : 's'} failed; the first: ${faults[0]}`;
    throw new CliError(`isochore: work: ${line}`, EXIT.tasksFailed);
  } finally {
    pool.close();
    client.disconnect();
  }
}

async function work(
  { bullmq }: QueuePackages,
  client: Redis,
  pool: TaskPool,
  { jobs = 1, idle = Number.POSITIVE_INFINITY }: QueueWorkOptions,
): Promise<{ done: number; faults: string[] }> {
  const plans = new Map<string, SweepPlan>();
  const faults: string[] = [];
  let [done, active, lastActive] = [0, 0, performance.now()];
  const doJob = async ({ data }: Job<TaskData, TaskResult>): Promise<TaskResult> => {
    active++;
    try {
      const result = await pool.run(await planOf(data.plan, client, plans), data.index);
      done++;
      return result;
    } catch (error) {
      // A scene that is wrong stays so; what was lost is tried again, here or elsewhere.
      if (!(error instanceof TaskError) || error.isLoss) throw error;
      faults.push(`task ${data.index}: ${error.message}`);
      throw new bullmq.UnrecoverableError(error.message);
    } finally {
      active--;
      lastActive = performance.now();
    }
  };
  const worker = new bullmq.Worker<TaskData, TaskResult>(QUEUE, doJob, {
    ...{ connection: client, concurrency: jobs, lockDuration: LOCK_DURATION },
    ...{ stalledInterval: STALLED_INTERVAL, maxStalledCount: MOST_STALLS },
  });
  worker.on('error', () => {});
  await new Promise<void>((resolve) => {
    const look = setInterval(() => {
      if (active > 0) lastActive = performance.now();
      if (performance.now() - lastActive > 1000 * idle) end();
    }, 100);
    const end = (): void => {
      clearInterval(look);
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeListener(name, end);
      resolve();
    };
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end);
  });
  await worker.close();
  return { done, faults };
}

async function planOf(id: string, client: Redis, known: Map<string, SweepPlan>): Promise<SweepPlan> {
  const before = known.get(id);
  if (before) return before;
  const text = await client.get(planKey(id));
  // The collector puts it in again when it sees the server come back.
  if (text === null) throw new Error('its plan is not there');
  const plan = JSON.parse(text) as SweepPlan;
  known.set(id, plan);
  return plan;
}
