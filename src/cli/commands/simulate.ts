// `isochore simulate SCENE`: runs a scene and gives its report as a table, as JSON or into a file.

import { type BackendName, UnsupportedBackendError } from '../../index.js';
import { RunCurves } from '../../report/run-curves.js';
import { runPage } from '../../report/run-page.js';
import { type Frame, type Report, runScene } from '../../scenes/index.js';
import { CliError, EXIT, toLine } from '../cli-error.js';
import { checkOutput, expectOther } from '../files.js';
import { readMovingFile } from '../mesh-file.js';
import { loadGpu } from '../node-gpu.js';
import { startNotice, startProgress } from '../progress.js';
import { isPage, writeReport } from '../report-file.js';
import { formatResult } from '../result-table.js';
import { RunPictures } from '../run-pictures.js';
import { inScene, openScene, type SceneSource } from '../scene-file.js';

export interface SimulateOptions {
  steps?: number;
  backend?: BackendName;
  threads?: number;
  report?: string;
  json?: boolean;
  quiet?: boolean;
}

export async function simulate(argument: string, options: SimulateOptions): Promise<void> {
  if (options.report !== undefined) await checkOutput(options.report);
  const source = await openScene(argument);
  if (options.report !== undefined && source.file) await expectOther(options.report, source.file);
  const interruption = new AbortController();
  const [curves, pictures] = [new RunCurves(), new RunPictures()];
  // What a page shows is measured only where there is one.
  const isShown = options.report !== undefined && isPage(options.report);
  const note = isShown
    ? async (frame: Frame): Promise<void> => {
        curves.note(frame);
        await pictures.note(frame);
      }
    : undefined;
  const report = await run(source, options, interruption, note);

  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (options.report !== undefined) {
    const settings = { ...options, scene: source.scene };
    const draw = async () => (report.nonFinite > 0 ? [] : pictures.draw());
    await writeReport(options.report, json, async () =>
      runPage(report, curves.curves(), { verb: 'simulate', settings, pictures: await draw() }),
    );
  }
  if (options.json) process.stdout.write(json);
  else if (!options.quiet) process.stdout.write(`${formatResult(report, process.stdout.columns || 100)}\n`);

  const { label } = source;
  if (report.nonFinite > 0) {
    const line = `${label}: the state became non-finite in step ${report.steps} (${report.nonFinite} values)`;
    throw new CliError(line, EXIT.nonFinite);
  }
  const { aborted, reason } = interruption.signal;
  if (aborted) throw new CliError(`${label}: interrupted after ${report.steps} steps`, EXIT[reason as Interruption]);
}

const INTERRUPTIONS = ['SIGINT', 'SIGTERM'] as const;
type Interruption = (typeof INTERRUPTIONS)[number];

/**
 * Before the first step Ctrl-C ends the process at once, there being nothing to report; from then on it ends the run, and
 * a second one the process.
 */
async function run(
  source: SceneSource,
  options: SimulateOptions,
  interruption: AbortController,
  onFrame: ((frame: Frame) => Promise<void>) | undefined,
): Promise<Report> {
  const interrupt = (signal: NodeJS.Signals): void => interruption.abort(signal);
  const quiet = Boolean(options.quiet || options.json);
  const notice = startNotice(`${source.name}: preparing …`, quiet);
  const progress = startProgress(source.name, quiet);
  try {
    return await runScene(source.scene, {
      name: source.name,
      loadMesh: async (path, needed) => {
        if (options.report !== undefined) await expectOther(options.report, source.fileOf(path));
        return source.loadMesh(path, needed);
      },
      loadMoving: async (path, { animation }) => {
        if (options.report !== undefined) await expectOther(options.report, source.fileOf(path));
        return readMovingFile(source.fileOf(path), { animation });
      },
      steps: options.steps,
      backend: options.backend,
      gpu: await loadGpu(options.backend),
      threads: options.threads,
      signal: interruption.signal,
      onFrame,
      onPrepare(index, count) {
        notice.say(`${source.name}: preparing body ${index + 1} of ${count} …`);
      },
      onRepair(index, steps) {
        if (quiet) return;
        notice.stop();
        const done = steps.map(({ message }) => message).join('; ');
        process.stderr.write(`${toLine(`${source.label}: bodies[${index}].mesh: ${done}`)}\n`);
      },
      onStep(done, total) {
        if (done === 0) notice.stop();
        if (done === 0) for (const signal of INTERRUPTIONS) process.once(signal, interrupt);
        progress.update(done, total);
      },
    });
  } catch (error) {
    if (error instanceof UnsupportedBackendError) throw new CliError(`--${error.message}`);
    throw inScene(source.label, error);
  } finally {
    notice.stop();
    progress.stop();
    for (const signal of INTERRUPTIONS) process.removeListener(signal, interrupt);
  }
}
