// A progress bar on a terminal, nothing anywhere else.

import cliProgress from 'cli-progress';

export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

const SILENT: Progress = { update: () => {}, stop: () => {} };

/** Draws on stderr, and only where both streams are a terminal: piped output stays free of it. */
export function startProgress(label: string, quiet: boolean): Progress {
  if (quiet || !process.stderr.isTTY || !process.stdout.isTTY) return SILENT;
  const bar = new cliProgress.SingleBar(
    {
      stream: process.stderr,
      format: `${label} {bar} {percentage}% | step {value} of {total} | {eta_formatted} left`,
      hideCursor: true,
      clearOnComplete: true,
      // The command stops the bar itself, so that Ctrl-C can still write what was finished.
      gracefulExit: false,
      fps: 15,
    },
    cliProgress.Presets.rect,
  );
  let started = false;
  return {
    update(done, total) {
      if (!started && total > 0) bar.start(total, done);
      started = total > 0;
      if (started) bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
