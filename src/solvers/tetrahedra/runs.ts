// Runs of tetrahedra or nodes in colours: those of one colour write to nothing in common, so that threads can take them side by side. Sums
// are in the order of the runs, whoever takes them, in TypeScript too.

import type { KernelTeam } from '../../kernels/kernel-team.js';

/** From so many tetrahedra on: at 4296 two threads gain nothing that a step would notice. */
export const LARGE = 8192;
/** Colours are bits of a word. */
const MOST_COLOURS = 31;

export interface Runs {
  /** First and end of each run, in the order of their colours. */
  readonly ranges: Uint32Array;
  /** The runs of colour c are those from `colours[c]` to `colours[c + 1]`. */
  readonly colours: Uint32Array;
}

/** All of it at once. */
export const oneRun = (count: number): Runs => ({ ranges: Uint32Array.of(0, count), colours: Uint32Array.of(0, 1) });

/** Runs of a size; the i-th thing writes to `columns[starts[i] … starts[i + 1]]`. */
export function colourRuns(
  count: number,
  size: number,
  columns: Uint32Array,
  startOf: (i: number) => number,
  targetCount: number,
): Runs {
  // Colours that write to a target already.
  const taken = new Uint32Array(targetCount);
  const byColour: number[][] = [];
  const alone: number[] = [];
  for (let first = 0; first < count; first += size) {
    const [from, to] = [startOf(first), startOf(Math.min(count, first + size))];
    let used = 0;
    for (let s = from; s < to; s++) used |= taken[columns[s]];
    let colour = 0;
    while (colour < MOST_COLOURS && (used >>> colour) & 1) colour++;
    if (colour === MOST_COLOURS) {
      alone.push(first);
      continue;
    }
    for (let s = from; s < to; s++) taken[columns[s]] |= 1 << colour;
    byColour[colour] ??= [];
    byColour[colour].push(first);
  }
  const all = [...byColour, ...alone.map((first) => [first])];
  const colours = new Uint32Array(all.length + 1);
  all.forEach((runs, c) => {
    colours[c + 1] = colours[c] + runs.length;
  });
  const ranges = Uint32Array.from(all.flat().flatMap((first) => [first, Math.min(count, first + size)]));
  return { ranges, colours };
}

/** Tasks of kernels over runs, colour by colour; the first word is where `ranges` lie. */
export function performRuns(
  team: KernelTeam,
  operation: number,
  { colours }: Runs,
  words: readonly number[],
  reals?: readonly number[],
): void {
  for (let c = 0; c + 1 < colours.length; c++) team.perform(operation, colours[c], colours[c + 1], words, reals);
}
