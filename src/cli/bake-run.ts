// Simulates a scene for a bake: frames and checkpoints go into its store, and a signal ends it with a checkpoint.

import { type BakeFramesOptions, bakeFrames, bakeTimes, chooseBodies } from '../bake/bake-frames.js';
import { BakeRecord } from '../bake/bake-record.js';
import { sceneLooks } from '../bake/body-look.js';
import type { BakeReport } from './bake-report.js';
import type { BakePlan, BakeStore } from './bake-store.js';
import { CliError, EXIT, toLine } from './cli-error.js';
import { readLookFile } from './mesh-file.js';
import { startNotice, startProgress } from './progress.js';
import type { SceneSource } from './scene-file.js';

export const INTERRUPTIONS = ['SIGINT', 'SIGTERM'] as const;
export type Interruption = (typeof INTERRUPTIONS)[number];

export interface BakeRun {
  readonly source: SceneSource;
  readonly frames: BakeFramesOptions;
  readonly store: BakeStore;
  readonly plan: BakePlan;
  /** Whether to go on from a checkpoint, where there is one. */
  readonly resume: boolean;
  readonly quiet: boolean;
  readonly report: BakeReport;
  /** Throws where a body does not fit what is to be written of it. */
  readonly hasRoom: (name: string, vertexCount: number, frameCount: number) => void;
}

/** Least time between checkpoints [ms], and in times that writing one takes: they cost 2 % of a bake at most. */
const CHECKPOINT_INTERVAL = 250;
const CHECKPOINT_SHARE = 50;

/** Before the first frame there is nothing to keep: until then a signal ends the process at once, and leaves nothing. */
export async function simulateFrames(run: BakeRun): Promise<BakeRecord> {
  const { source, store, plan, quiet, report } = run;
  const { name, label, scene } = source;
  const kept = run.resume ? await store.resume(plan) : undefined;
  const loadLook = (path: string) => readLookFile(source.fileOf(path));
  const looks = await sceneLooks(scene, chooseBodies(scene, run.frames.bodies), { loadLook });
  const record = new BakeRecord(bakeTimes(scene, run.frames), store, kept?.tracks, looks);
  const interruption = new AbortController();
  const { signal } = interruption;
  const interrupt = (reason: NodeJS.Signals): void => interruption.abort(reason);
  const notice = startNotice(`${name}: preparing …`, quiet);
  const progress = startProgress(name, quiet);
  const options: BakeFramesOptions = {
    ...{ ...run.frames, signal, resume: kept },
    onPrepare: (index, count) => notice.say(`${name}: preparing body ${index + 1} of ${count} …`),
    onRepair(index, repairs) {
      if (quiet) return;
      notice.stop();
      const done = repairs.map(({ message }) => message).join('; ');
      process.stderr.write(`${toLine(`${label}: bodies[${index}].mesh: ${done}`)}\n`);
    },
  };
  let isBegun = false;
  let nextCheckpoint = performance.now() + CHECKPOINT_INTERVAL;
  try {
    for await (const { step, bodies, first, frames } of bakeFrames(scene, options)) {
      if (!isBegun) {
        isBegun = true;
        notice.stop();
        record.noteWorld(step.world, bodies, kept?.extent);
        for (const { name: body, vertexCount } of record.shownBodies(bodies))
          run.hasRoom(body, vertexCount, record.frameCount);
        for (const one of INTERRUPTIONS) process.once(one, interrupt);
        if (!kept) await store.begin();
      }
      if (step.nonFinite > 0) {
        const line = `${label}: the state became non-finite in step ${step.step} (${step.nonFinite} values)`;
        throw new CliError(line, EXIT.nonFinite);
      }
      report.note(step);
      for (const [n, frame] of frames.entries()) await record.add(first + n, frame);
      progress.update(step.step, step.steps);
      const before = performance.now();
      if (!step.last && before < nextCheckpoint) continue;
      const { tracks, extent } = record;
      await store.keep(plan, { step: step.step, snapshot: step.world.snapshot(), tracks, extent });
      const after = performance.now();
      nextCheckpoint = after + Math.max(CHECKPOINT_INTERVAL, CHECKPOINT_SHARE * (after - before));
      if (signal.aborted && step.step < step.steps) {
        const line = `${label}: interrupted after ${step.step} of ${step.steps} steps; --resume goes on from there`;
        throw new CliError(line, EXIT[signal.reason as Interruption]);
      }
    }
  } finally {
    notice.stop();
    progress.stop();
    for (const one of INTERRUPTIONS) process.removeListener(one, interrupt);
  }
  return record;
}
