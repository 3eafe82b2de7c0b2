// What takes a while is told on a terminal: a bar for steps, a line for what comes before them. Nothing anywhere else.

import cliProgress from 'cli-progress';
import { toLine } from './cli-error.js';
import { Pace } from './pace.js';

export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

const SILENT: Progress = { update: () => {}, stop: () => {} };

export interface Notice {
  /** Says something else instead. */
  say(text: string): void;
  /** Takes the line away. */
  stop(): void;
}

type Streams = Record<'stdout' | 'stderr', Pick<NodeJS.WriteStream, 'isTTY' | 'write'>>;

/** Says on stderr what is going on, until it is over, where both streams are a terminal. */
export function startNotice(text: string, quiet: boolean, { stdout, stderr }: Streams = process): Notice {
  if (quiet || !stderr.isTTY || !stdout.isTTY) return { say: () => {}, stop: () => {} };
  // Back to the start of the line, which is cleared.
  const say = (line: string) => stderr.write(`\r\u001b[2K${toLine(line)}`);
  say(text);
  return { say, stop: () => stderr.write('\r\u001b[2K') };
}

/** Draws on stderr, and only where both streams are a terminal: piped output stays free of it. */
export function startProgress(label: string, quiet: boolean, unit = 'step'): Progress {
  if (quiet || !process.stderr.isTTY || !process.stdout.isTTY) return SILENT;
  const bar = new cliProgress.SingleBar(
    {
      stream: process.stderr,
      format: `${label} {bar} {percentage}% | ${unit} {value} of {total} | {pace}`,
      hideCursor: true,
      clearOnComplete: true,
      // The command stops the bar itself, so that Ctrl-C can still write what was finished.
      gracefulExit: false,
      fps: 15,
    },
    cliProgress.Presets.rect,
  );
  const pace = new Pace();
  let started = false;
  // The cursor comes back whatever ends the process.
  const restore = (): void => bar.stop();
  process.once('exit', restore);
  return {
    update(done, total) {
      if (total === 0) return;
      pace.note(done, performance.now());
      if (!started) bar.start(total, done, { pace: '' });
      started = true;
      bar.update(done, { pace: pace.describe(unit, total) });
    },
    stop() {
      process.removeListener('exit', restore);
      bar.stop();
    },
  };
}
