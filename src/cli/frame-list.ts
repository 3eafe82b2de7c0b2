// Frames as they are written on the command line: `1-240,300`.

import { CliError } from './cli-error.js';

/** More than anyone renders in one run. */
const MOST_FRAMES = 100_000;
const LAST_FRAME = 10_000_000;

/** Ascending, each once. */
export function parseFrames(text: string): number[] {
  const frames = new Set<number>();
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === undefined || first < 1 || last < first || last > LAST_FRAME) {
      throw new CliError(`--frames: expected frames from 1 such as 1-240,300, got ${JSON.stringify(text)}`);
    }
    if (frames.size + last - first >= MOST_FRAMES)
      throw new CliError(`--frames: expected at most ${MOST_FRAMES} frames`);
    for (let frame = first; frame <= last; frame++) frames.add(frame);
  }
  return [...frames].sort((a, b) => a - b);
}

/** All frames of so many seconds; a frame at the very end counts, whatever rounding says. */
export const framesOf = (seconds: number, fps: number): number[] =>
  Array.from({ length: Math.min(MOST_FRAMES, Math.floor(seconds * fps + 1e-6) + 1) }, (_, i) => i + 1);

/** Frames in few words: `1-3, 7`. */
export function showFrames(frames: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const frame of frames) {
    const run = runs[runs.length - 1];
    if (run && frame === run[1] + 1) run[1] = frame;
    else runs.push([frame, frame]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}
