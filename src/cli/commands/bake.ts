// `isochore bake SCENE -o FILE`: simulates a scene and writes it as an animation. What was done is kept beside the file until it is
// written, so that a bake that was stopped, however, goes on with --resume.

import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { type BakeFramesOptions, bakeFrames, bakeTimes, chooseBodies } from '../../bake/bake-frames.js';
import { BakeRecord } from '../../bake/bake-record.js';
import { sceneLooks } from '../../bake/body-look.js';
import { checkRoom } from '../../bake/formats.js';
import { type BackendName, UnsupportedBackendError } from '../../index.js';
import { VERSION } from '../../scenes/index.js';
import { bodyName } from '../../scenes/scene-schema.js';
import { BakeOutputs, checkNames } from '../bake-outputs.js';
import { BakeReport } from '../bake-report.js';
import { type BakePlan, BakeStore } from '../bake-store.js';
import { CliError, EXIT, toLine } from '../cli-error.js';
import { checkOutput, expectOther } from '../files.js';
import { checkPictures, openBrowser, writePictures } from '../frame-pictures.js';
import { readLookFile } from '../mesh-file.js';
import { startNotice, startProgress } from '../progress.js';
import { inScene, openScene, type SceneSource } from '../scene-file.js';

export interface BakeOptions {
  output: string[];
  /** A folder for pictures. */
  frames?: string;
  fps?: number;
  seconds?: number;
  from?: number;
  to?: number;
  body?: string[];
  backend?: BackendName;
  threads?: number;
  tolerance?: number;
  compress?: boolean;
  resume?: boolean;
  force?: boolean;
  report?: string;
  quiet?: boolean;
}

/** Least time between checkpoints [ms], and in times that writing one takes: they cost 2 % of a bake at most. */
const CHECKPOINT_INTERVAL = 250;
const CHECKPOINT_SHARE = 50;
const INTERRUPTIONS = ['SIGINT', 'SIGTERM'] as const;

export async function bake(argument: string, options: BakeOptions): Promise<void> {
  await checkNames(options.output);
  if (options.report !== undefined) await checkOutput(options.report);
  const [main = options.frames] = options.output;
  if (main === undefined) throw new CliError('isochore: bake: expected -o FILE or --frames DIR');
  const source = await openScene(argument);
  const store = new BakeStore(main);
  const isStopped = await store.exists();
  if (!options.resume && !options.force && isStopped) {
    throw new CliError(`${main}: a bake of it was stopped; --resume goes on with it, --force begins anew`);
  }
  // What was stopped may have written some of its files.
  const mayReplace = Boolean(options.force || (options.resume && isStopped));
  if (options.frames !== undefined) await checkPictures(options.frames, mayReplace);
  const outputs = await openOutputs(source, options, mayReplace);
  const frames = frameOptions(source, options, outputs);
  const browser = options.frames === undefined ? undefined : await openBrowser();
  try {
    const report = new BakeReport(options.report, source, options);
    const record = await simulateFrames(source, options, frames, store, report);
    const { tolerance, compress, quiet = false } = options;
    await outputs.write(record, { tolerance, compress }, { name: source.name, quiet });
    await report.write(record);
    if (browser) await drawPictures(browser, record, options, source);
    await store.remove();
  } catch (error) {
    // There is nothing to go on from before the first checkpoint, nor after a state that is lost.
    if (!store.hasCheckpoint || (error as CliError).exitCode === EXIT.nonFinite) await store.remove();
    if (error instanceof UnsupportedBackendError) throw new CliError(`--${error.message}`);
    // What a format cannot hold.
    if (error instanceof RangeError) throw new CliError(`${source.label}: ${error.message}`);
    throw inScene(source.label, error);
  } finally {
    await store.close();
    await browser?.close();
  }
}

async function drawPictures(
  browser: Browser,
  record: BakeRecord,
  { frames, quiet }: BakeOptions,
  { name }: SceneSource,
): Promise<void> {
  const progress = startProgress(name, Boolean(quiet), 'picture');
  try {
    await writePictures(browser, record.baked(), frames as string, name, progress.update);
  } finally {
    progress.stop();
  }
}

/** Throws where something would be replaced without leave, or what is read. */
async function openOutputs(source: SceneSource, options: BakeOptions, mayReplace: boolean): Promise<BakeOutputs> {
  const { scene, label, file } = source;
  try {
    const names = chooseBodies(scene, options.body).map((index) => bodyName(scene.bodies[index], index));
    const times = bakeTimes(scene, timesOf(options));
    const outputs = await BakeOutputs.open(options.output, names, times, mayReplace);
    if (file !== undefined) await outputs.expectOthers(file);
    if (file !== undefined && options.report !== undefined) await expectOther(options.report, file);
    return outputs;
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(`${label}: ${(error as Error).message}`);
  }
}

const timesOf = ({ fps, from, to, seconds }: BakeOptions) => ({
  ...{ fps, from },
  to: to ?? (seconds === undefined ? undefined : (from ?? 0) + seconds),
});

function frameOptions(source: SceneSource, options: BakeOptions, outputs: BakeOutputs): BakeFramesOptions {
  const { body: bodies, backend, threads, report } = options;
  const expectOthers = async (path: string): Promise<void> => {
    await outputs.expectOthers(source.fileOf(path));
    if (report !== undefined) await expectOther(report, source.fileOf(path));
  };
  return {
    ...{ ...timesOf(options), bodies, backend, threads },
    loadMesh: async (path, needed) => {
      await expectOthers(path);
      return source.loadMesh(path, needed);
    },
    loadMoving: async (path, about) => {
      await expectOthers(path);
      return source.loadMoving(path, about);
    },
  };
}

/** What has to be the same to go on: the scene, what is asked of it, and who computes it. */
function planOf({ scene }: SceneSource, options: BakeOptions): BakePlan {
  const { fps, from, to, seconds, body, backend, output, frames } = options;
  const hash = createHash('sha256').update(JSON.stringify(scene)).digest('hex');
  return { isochore: VERSION, scene: hash, fps, from, to, seconds, body, backend, output, frames };
}

async function simulateFrames(
  source: SceneSource,
  options: BakeOptions,
  frameOptions: BakeFramesOptions,
  store: BakeStore,
  report: BakeReport,
): Promise<BakeRecord> {
  const plan = JSON.parse(JSON.stringify(planOf(source, options))) as BakePlan;
  const kept = options.resume ? await store.resume(plan) : undefined;
  if (!kept) await store.begin();
  const loadLook = (path: string) => readLookFile(source.fileOf(path));
  const looks = await sceneLooks(source.scene, chooseBodies(source.scene, frameOptions.bodies), { loadLook });
  const record = new BakeRecord(bakeTimes(source.scene, frameOptions), store, kept?.tracks, looks);
  const interruption = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void => interruption.abort(signal);
  const notice = startNotice(`${source.name}: preparing …`, Boolean(options.quiet));
  const progress = startProgress(source.name, Boolean(options.quiet));
  let isBegun = false;
  let nextCheckpoint = performance.now() + CHECKPOINT_INTERVAL;
  try {
    const { signal } = interruption;
    const { name, label, scene } = source;
    const told: Pick<BakeFramesOptions, 'onPrepare' | 'onRepair'> = {
      onPrepare: (index, count) => notice.say(`${name}: preparing body ${index + 1} of ${count} …`),
      onRepair(index, repairs) {
        if (options.quiet) return;
        notice.stop();
        const done = repairs.map(({ message }) => message).join('; ');
        process.stderr.write(`${toLine(`${label}: bodies[${index}].mesh: ${done}`)}\n`);
      },
    };
    for await (const { step, first, frames } of bakeFrames(scene, { ...frameOptions, ...told, signal, resume: kept })) {
      if (!isBegun) {
        notice.stop();
        record.noteObstacles(step.world, kept?.extent);
        for (const name of INTERRUPTIONS) process.once(name, interrupt);
        isBegun = true;
        for (const { name, particleCount } of step.bodies)
          for (const file of options.output) checkRoom(file, name, particleCount, record.frameCount);
      }
      if (step.nonFinite > 0) {
        const line = `${source.label}: the state became non-finite in step ${step.step} (${step.nonFinite} values)`;
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
        const line = `${source.label}: interrupted after ${step.step} of ${step.steps} steps; --resume goes on from there`;
        throw new CliError(line, EXIT[signal.reason as (typeof INTERRUPTIONS)[number]]);
      }
    }
  } finally {
    notice.stop();
    progress.stop();
    for (const name of INTERRUPTIONS) process.removeListener(name, interrupt);
  }
  return record;
}
