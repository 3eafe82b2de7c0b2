// From the words of the command line to the plan of a sweep, and from a plan's file back to it.

import { dirname, join, resolve } from 'node:path';
import { type Axis, frameRanges, makePlan, parseAxis, type SweepPlan } from '../farm/index.js';
import type { BackendName } from '../index.js';
import { VERSION } from '../scenes/index.js';
import { CliError } from './cli-error.js';
import { MAX_SCENE_BYTES, readInput, writeOutput } from './files.js';
import { fingerprintFiles, inScene, openScene } from './scene-file.js';
import { makeFolder, shortHash } from './task-store.js';

export interface SweepWords {
  set?: string[];
  frames?: number[];
  chunk: number;
  fps: number;
  steps?: number;
  backend?: BackendName;
  output: string;
}

export async function planSweep(argument: string, words: SweepWords): Promise<SweepPlan> {
  const axes = (words.set ?? []).map(readAxis);
  const source = await openScene(argument);
  const { chunk, fps, steps, backend } = words;
  const frames = words.frames && { fps, ranges: frameRanges(words.frames, chunk) };
  if (!frames && axes.length === 0) throw new CliError('isochore: sweep: expected --set PATH=VALUES or --frames LIST');
  const folder = resolve(source.file === undefined ? '.' : dirname(source.file));
  const files = await fingerprintFiles(source);
  try {
    return makePlan({
      ...{ name: source.name, scene: source.scene, folder, output: resolve(words.output), files, axes },
      ...{ frames, steps, backend },
    });
  } catch (error) {
    if (error instanceof RangeError) throw new CliError(`${source.label}: ${error.message}`);
    throw inScene(source.label, error);
  }
}

function readAxis(text: string): Axis {
  try {
    return parseAxis(text);
  } catch (error) {
    throw new CliError(`--set: ${(error as Error).message}`);
  }
}

/** Writes the plan under a name of its own, so that who works by it is not led astray by the next one. */
export async function writePlan(plan: SweepPlan): Promise<string> {
  await makeFolder(plan.output);
  const text = `${JSON.stringify(plan, null, 1)}\n`;
  const file = join(plan.output, `plan-${shortHash(text).slice(0, 8)}.json`);
  await writeOutput(file, text);
  return file;
}

export async function readPlan(file: string): Promise<SweepPlan> {
  const text = new TextDecoder().decode(await readInput(file, 2 * MAX_SCENE_BYTES));
  let plan: Partial<SweepPlan> | null;
  try {
    plan = JSON.parse(text) as Partial<SweepPlan> | null;
  } catch {
    plan = null;
  }
  if (!plan?.scene || !plan.axes || !plan.output)
    throw new CliError(`${file}: expected a plan that isochore sweep wrote`);
  if (plan.isochore !== VERSION)
    throw new CliError(`${file}: expected a plan of version ${VERSION}, got one of ${plan.isochore}`);
  return plan as SweepPlan;
}
