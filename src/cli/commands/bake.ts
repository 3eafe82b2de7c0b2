// `isochore bake SCENE -o FILE`: simulates a scene and writes it as an animation. What was done is kept beside the file until it is
// written, so that a bake that was stopped, however, goes on with --resume.

import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { type BakeFramesOptions, bakeTimes, chooseBodies } from '../../bake/bake-frames.js';
import type { BakeRecord } from '../../bake/bake-record.js';
import { checkRoom } from '../../bake/formats.js';
import { type BackendName, UnsupportedBackendError } from '../../index.js';
import { VERSION } from '../../scenes/index.js';
import { bodyName } from '../../scenes/scene-schema.js';
import { BakeOutputs, checkNames } from '../bake-outputs.js';
import { BakeReport } from '../bake-report.js';
import { INTERRUPTIONS, type Interruption, simulateFrames } from '../bake-run.js';
import { type BakePlan, BakeStore } from '../bake-store.js';
import { CliError, EXIT, toLine } from '../cli-error.js';
import { checkOutput, expectOther } from '../files.js';
import { checkPictures, openBrowser, writePictures } from '../frame-pictures.js';
import { loadGpu } from '../node-gpu.js';
import { startProgress } from '../progress.js';
import { fingerprintFiles, inScene, openScene, type SceneSource } from '../scene-file.js';

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
  const frames = { ...frameOptions(source, options, outputs), gpu: await loadGpu(options.backend) };
  const browser = options.frames === undefined ? undefined : await openBrowser();
  try {
    const report = new BakeReport(options.report, source, options);
    const { tolerance, compress, resume = false, quiet = false } = options;
    const hasRoom = (name: string, vertexCount: number, frameCount: number) => {
      for (const file of options.output) checkRoom(file, { name, vertexCount, frameCount }, { tolerance });
    };
    const run = { source, frames, store, plan: await planOf(source, options), resume, quiet, report, hasRoom };
    const record = await simulateFrames(run);
    await untilStopped(`${source.label}: interrupted while writing; --resume goes on from there`, async () => {
      await outputs.write(record, { tolerance, compress }, { name: source.name, quiet });
      await report.write(record);
      if (browser) await drawPictures(browser, record, options, source);
    });
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

/** Ends the process on a signal, with a line; what is on its way to a file is taken away by whoever writes it. */
async function untilStopped(line: string, work: () => Promise<void>): Promise<void> {
  const stop = (signal: Interruption): void => {
    process.stderr.write(`${toLine(line)}\n`);
    process.exit(EXIT[signal]);
  };
  for (const name of INTERRUPTIONS) process.once(name, stop);
  try {
    await work();
  } finally {
    for (const name of INTERRUPTIONS) process.removeListener(name, stop);
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

/** What has to be the same to go on: the scene and its files, what is asked of it, and who computes it. */
async function planOf(source: SceneSource, options: BakeOptions): Promise<BakePlan> {
  const { fps, from, to, seconds, body, backend, output, frames } = options;
  const hash = createHash('sha256').update(JSON.stringify(source.scene)).digest('hex');
  const files = await fingerprintFiles(source);
  const plan = { isochore: VERSION, scene: hash, files, fps, from, to, seconds, body, backend, output, frames };
  // As it comes back from a checkpoint.
  return JSON.parse(JSON.stringify(plan)) as BakePlan;
}
