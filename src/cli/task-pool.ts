// Processes that do tasks beside each other. What takes a process with it (no memory, a kill) is tried again in another.

import { type ChildProcess, fork } from 'node:child_process';
import type { SweepPlan, TaskResult } from '../farm/index.js';
import type { TaskAnswer, TaskRequest } from './task-server.js';

/** The hidden command that serves. */
export const SERVE_TASKS = 'serve-tasks';

/** How often a task may take its process with it: once may be anyone's fault. */
const MOST_LOSSES = 2;

/** A task that cannot be done; the message is one line. */
export class TaskError extends Error {
  override readonly name = 'TaskError';

  constructor(
    message: string,
    /** Whether its process was lost: another try may go better. */
    readonly isLoss: boolean = false,
  ) {
    super(message);
  }
}

export class TaskPool {
  private readonly idle: ChildProcess[] = [];
  private readonly all = new Set<ChildProcess>();
  private isClosed = false;

  /** Whoever calls it no more often at once than there are processors has as many processes. */
  async run(plan: SweepPlan, index: number): Promise<TaskResult> {
    for (let losses = 0; ; ) {
      const answer = await this.ask({ plan, index });
      if (typeof answer === 'object') {
        if ('result' in answer) return answer.result;
        throw new TaskError(answer.fault);
      }
      if (this.isClosed) throw new TaskError('stopped', true);
      if (++losses === MOST_LOSSES) throw new TaskError(`its process ended twice (${answer})`, true);
    }
  }

  /** The answer, or how the process ended without one. */
  private ask(request: TaskRequest): Promise<TaskAnswer | string> {
    const child = this.idle.pop() ?? this.start();
    return new Promise((resolve) => {
      const end = (code: number | null, signal: string | null): void => {
        child.removeAllListeners('message');
        resolve(signal ?? `exit code ${code}`);
      };
      child.once('exit', end);
      child.once('message', (answer: TaskAnswer) => {
        child.removeListener('exit', end);
        this.idle.push(child);
        resolve(answer);
      });
      child.send(request, (error) => error && child.kill());
    });
  }

  private start(): ChildProcess {
    const child = fork(process.argv[1], [SERVE_TASKS], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.all.add(child);
    child.once('exit', () => {
      this.all.delete(child);
      const place = this.idle.indexOf(child);
      if (place >= 0) this.idle.splice(place, 1);
    });
    child.on('error', () => child.kill());
    return child;
  }

  close(): void {
    this.isClosed = true;
    for (const child of this.all) child.kill('SIGKILL');
  }
}
