// The process that does tasks for a pool, one after the other, by messages. It ends with its parent, however that ends.

import { isAbsolute, join } from 'node:path';
import { sceneLooks } from '../bake/body-look.js';
import { runTask, type SweepPlan, type TaskResult, taskAt } from '../farm/index.js';
import { readLookFile } from './mesh-file.js';
import { sceneLoaders } from './scene-file.js';
import { writePosedFrame } from './task-store.js';

export interface TaskRequest {
  readonly plan: SweepPlan;
  readonly index: number;
}

/** `fault` is one line. */
export type TaskAnswer = { readonly result: TaskResult } | { readonly fault: string };

/** Does one task of a plan; frames are written as they come. */
export function doTask({ plan, index }: TaskRequest): Promise<TaskResult> {
  let looks: ReturnType<typeof sceneLooks> | undefined;
  const fileOf = (path: string) => (isAbsolute(path) ? path : join(plan.folder, path));
  return runTask(plan, taskAt(plan, index), {
    ...sceneLoaders(fileOf, plan.frames?.fps),
    onFrame: async (bodies, frame) => {
      const places = bodies.map(({ index: place }) => place);
      looks ??= sceneLooks(plan.scene, places, { loadLook: (path) => readLookFile(fileOf(path)) });
      await writePosedFrame(plan, { bodies, looks: await looks }, frame);
    },
  });
}

export function serveTasks(): void {
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches the whole group of processes; the pool ends this one when it is time.
  process.on('SIGINT', () => {});
  process.on('message', async (request: TaskRequest) => {
    const answer: TaskAnswer = await doTask(request).then(
      (result) => ({ result }),
      (error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }),
    );
    process.send?.(answer);
  });
}
