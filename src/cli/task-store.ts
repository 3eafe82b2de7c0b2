// The results of a sweep on disk: a file per task, named by a hash of all that its result depends on. A task whose file is there is
// done; one of another scene, other values or another version has another name.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type SweepPlan, type SweepTask, type TaskResult, taskKey } from '../farm/index.js';
import type { PosedFrame } from '../scenes/index.js';
import { CliError } from './cli-error.js';
import { reasonOf, writeOutput } from './files.js';
import { writeSequenceFrame } from './frame-files.js';

/** Digits of a hash that tell tasks of one folder apart: 64 bits. */
const ID_DIGITS = 16;

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, ID_DIGITS);

export class TaskStore {
  private readonly folder: string;

  constructor(private readonly plan: SweepPlan) {
    this.folder = join(plan.output, 'tasks');
  }

  idOf(task: SweepTask): string {
    return shortHash(taskKey(this.plan, task));
  }

  /** Ids of all tasks that are done. */
  async done(): Promise<Set<string>> {
    const names = await readdir(this.folder).catch(() => []);
    return new Set(names.flatMap((name) => /^([\da-f]+)\.json$/.exec(name)?.[1] ?? []));
  }

  /** The result of a task as it is numbered now; undefined where there is none. */
  async find(task: SweepTask): Promise<TaskResult | undefined> {
    const text = await readFile(this.fileOf(task), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : { ...(JSON.parse(text) as TaskResult), ...task };
  }

  /** There whole or not at all; of two that are written at once one stays, and they are alike. */
  async keep(task: SweepTask, result: TaskResult): Promise<void> {
    await makeFolder(this.folder);
    await writeOutput(this.fileOf(task), `${JSON.stringify(result)}\n`);
  }

  /** Where its result is, or will be. */
  fileOf(task: SweepTask): string {
    return join(this.folder, `${this.idOf(task)}.json`);
  }
}

export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new CliError(
      `${folder}: ${(error as NodeJS.ErrnoException).code === 'EEXIST' ? 'expected a directory, got a file' : reasonOf(error)}`,
    );
  });
}

/** Where the posed frames of a plan go: a mesh file each. */
export async function writePosedFrame(
  { output, name }: SweepPlan,
  bodies: Parameters<typeof writeSequenceFrame>[1],
  frame: PosedFrame,
): Promise<void> {
  const file = join(output, 'frames', `${name}.obj`);
  await makeFolder(dirname(file));
  await writeSequenceFrame(file, bodies, frame);
}
