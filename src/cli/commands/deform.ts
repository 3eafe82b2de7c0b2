// `isochore deform SCENE -o FILE`: poses the deformer bodies of a scene frame by frame and writes them.

import { availableParallelism } from 'node:os';
import { bakePoses } from '../../bake/bake-poses.js';
import { sceneLooks } from '../../bake/body-look.js';
import { stillPictures } from '../../bake/still-pictures.js';
import { createDeformerPool, type DeformerPool, MAX_WORKERS } from '../../deformer/index.js';
import { BUILT_IN_POSERS, openPosed, type PosedBody, type PosedFrame, poseFrames } from '../../scenes/index.js';
import { CliError, EXIT } from '../cli-error.js';
import { describeFrames, formatFrames, framesPage } from '../deform-report.js';
import { checkOutput, expectOther } from '../files.js';
import {
  checkFrameFormat,
  checkFrameOutput,
  exists,
  formatOf,
  type OpenBodies,
  sequenceFile,
  writeFrames,
  writeSequenceFrame,
} from '../frame-files.js';
import { framesOf } from '../frame-list.js';
import { FrameStore } from '../frame-store.js';
import { readLookFile, readMovingFile } from '../mesh-file.js';
import { startNotice, startProgress } from '../progress.js';
import { writeReport } from '../report-file.js';
import { inScene, openScene, type SceneSource } from '../scene-file.js';

export interface DeformOptions {
  output: string;
  frames?: number[];
  frame?: number;
  fps: number;
  workers?: number;
  tolerance?: number;
  compress?: boolean;
  colliders?: boolean;
  force?: boolean;
  report?: string;
  json?: boolean;
  quiet?: boolean;
}

const INTERRUPTIONS = ['SIGINT', 'SIGTERM'] as const;
type Interruption = (typeof INTERRUPTIONS)[number];

export async function deform(argument: string, options: DeformOptions): Promise<void> {
  const { output, fps, report: reportFile } = options;
  const format = formatOf(output);
  if (options.frames && options.frame !== undefined) throw new CliError('--frame: expected either --frame or --frames');
  await checkFrameOutput(output, Boolean(options.force));
  if (reportFile !== undefined) await checkOutput(reportFile);
  const source = await openScene(argument);
  const opened = await openBodies(source, options);
  const { bodies } = opened;
  const { scene, name } = source;
  const single = options.frame === undefined ? undefined : [options.frame];
  const wanted = options.frames ?? single ?? framesOf(scene.steps * scene.timeStep, fps);
  await checkFrameFormat(output, bodies, wanted, Boolean(options.force));
  const kept = format === 'obj' && !options.force ? await existing(output, wanted) : [];
  const left = wanted.filter((frame) => !kept.includes(frame));

  const run = new FrameRun(source, opened, options);
  const { frames, workers } = await run.work(left);
  if (format !== 'obj' && !run.interruption.aborted) {
    await writeFrames(options, opened, frames);
    await run.store.remove();
  }
  const report = describeFrames(name, { fps, workers, kept }, bodies, frames);
  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (reportFile !== undefined)
    await writeReport(reportFile, json, async () => ({
      ...framesPage(report, frames, { ...options, frames: wanted, scene }),
      pictures: frames.length > 0 ? await stillPictures(bakePoses(bodies, frames, { ...opened, fps })) : [],
    }));
  if (run.interruption.aborted) {
    const line = `${source.label}: interrupted after ${frames.length} of ${left.length} frames; the same command goes on from there`;
    throw new CliError(line, EXIT[run.interruption.reason as Interruption]);
  }
  if (options.json) process.stdout.write(json);
  else if (!options.quiet) process.stdout.write(`${formatFrames(output, report, frames)}\n`);
}

async function existing(output: string, frames: readonly number[]): Promise<number[]> {
  const there = await Promise.all(frames.map((frame) => exists(sequenceFile(output, frame))));
  return frames.filter((_, i) => there[i]);
}

/** Throws CliError, also where no body of the scene is posed. */
async function openBodies(
  source: SceneSource,
  { output, report, fps, quiet, json }: DeformOptions,
): Promise<OpenBodies> {
  const outputs = report === undefined ? [output] : [output, report];
  const expectOthers = async (file: string): Promise<void> => {
    for (const written of outputs) await expectOther(written, file);
  };
  const notice = startNotice(`${source.name}: preparing …`, Boolean(quiet || json));
  if (source.file) await expectOthers(source.file);
  try {
    const opened = await openPosed(source.scene, {
      loadMesh: async (path, needed) => {
        await expectOthers(source.fileOf(path));
        return source.loadMesh(path, needed);
      },
      loadMoving: async (path, { animation }) => {
        await expectOthers(source.fileOf(path));
        return readMovingFile(source.fileOf(path), { animation, fps });
      },
    });
    const places = opened.bodies.map(({ index }) => index);
    const looks = await sceneLooks(source.scene, places, { loadLook: (path) => readLookFile(source.fileOf(path)) });
    if (places.length > 0) return { ...opened, looks };
  } catch (error) {
    throw inScene(source.label, error);
  } finally {
    notice.stop();
  }
  const posers = BUILT_IN_POSERS.map(({ type }) => `"${type}"`).join(' or ');
  throw new CliError(`${source.label}: bodies: expected at least one with the solver ${posers}, got none`);
}

/** The frames of one command: from the store, or posed on workers and kept. */
class FrameRun {
  readonly store: FrameStore;
  private readonly interrupter = new AbortController();
  private readonly isSequence: boolean;

  constructor(
    private readonly source: SceneSource,
    private readonly opened: OpenBodies,
    private readonly options: DeformOptions,
  ) {
    this.store = new FrameStore(options.output, opened.bodies);
    this.isSequence = formatOf(options.output) === 'obj';
  }

  private get bodies(): readonly PosedBody[] {
    return this.opened.bodies;
  }

  get interruption(): AbortSignal {
    return this.interrupter.signal;
  }

  /** Frames ascending; on an interruption those that are done. */
  async work(wanted: readonly number[]): Promise<{ frames: PosedFrame[]; workers: number }> {
    const { source, options, interrupter } = this;
    const done = new Map<number, PosedFrame>();
    const interrupt = (signal: NodeJS.Signals): void => interrupter.abort(signal);
    const progress = startProgress(source.name, Boolean(options.quiet || options.json), 'frame');
    let pool: DeformerPool | undefined;
    for (const signal of INTERRUPTIONS) process.once(signal, interrupt);
    try {
      const left = this.isSequence ? wanted : await this.takeStored(wanted, done);
      pool = await createDeformerPool(this.bodies, { workers: this.workersFor(left.length) });
      progress.update(done.size, wanted.length);
      for await (const frame of poseFrames(pool, this.bodies, left, { fps: options.fps, signal: this.interruption })) {
        this.expectFinite(frame);
        if (this.isSequence) await writeSequenceFrame(options.output, this.opened, frame);
        else await this.store.keep(frame);
        done.set(frame.frame, frame);
        progress.update(done.size, wanted.length);
      }
      const frames = [...done.values()].sort((a, b) => a.frame - b.frame);
      return { frames, workers: pool.workerCount };
    } catch (error) {
      if (!this.isSequence) await this.store.remove();
      throw inScene(source.label, error);
    } finally {
      progress.stop();
      pool?.dispose();
      for (const signal of INTERRUPTIONS) process.removeListener(signal, interrupt);
    }
  }

  private async takeStored(wanted: readonly number[], done: Map<number, PosedFrame>): Promise<number[]> {
    for (const frame of wanted) {
      const found = await this.store.find(frame, (frame - 1) / this.options.fps);
      if (found) done.set(frame, found);
    }
    return wanted.filter((frame) => !done.has(frame));
  }

  /** No more than there are things to do. */
  private workersFor(frames: number): number {
    const { workers = Math.min(MAX_WORKERS, availableParallelism()) } = this.options;
    return Math.min(workers, Math.max(1, frames * this.bodies.length));
  }

  private expectFinite({ frame, bodies }: PosedFrame): void {
    for (const { name, positions } of bodies) {
      const wrong = positions.reduce((count, x) => count + (Number.isFinite(x) ? 0 : 1), 0);
      if (wrong === 0) continue;
      const line = `${this.source.label}: ${name} became non-finite in frame ${frame} (${wrong} values)`;
      throw new CliError(line, EXIT.nonFinite);
    }
  }
}
