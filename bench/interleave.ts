// Measures contenders against each other: a few steps of each in turn, round after round, so that whatever else the
// machine does hits all of them alike. Minimum and median are over all steps; volume is measured after every step and
// outside its time.

import type { Row, RowHead } from './rows.js';

/** A scene ready to step. */
export interface Runner {
  /** Before the steps of a turn. */
  beginTurn?(): Promise<void>;
  step(): void | Promise<void>;
  /** After every step, outside its time. */
  watch?(): void;
  /** |V/V₀ − 1|·100, the largest over its bodies; not a number where the state is broken. */
  volumeErrorPercent(): number;
  /** Of all positions. */
  hash(): string;
  /** Further columns, asked for at the end; they replace those of the head. */
  figures?(): Partial<RowHead>;
  dispose(): void;
}

export interface Contender {
  readonly row: RowHead;
  /** May throw: the row then says so. */
  readonly build: () => Runner | Promise<Runner>;
}

export interface InterleaveOptions {
  /** Of each contender in all: all see the same simulated time. */
  readonly steps: number;
  /** Of one contender before it is the next one's turn. */
  readonly stepsPerTurn?: number;
  readonly onStep?: (done: number, total: number) => void;
}

/**
 * The first step of a turn finds the caches full of others' data, which no world that runs on does. With ten its share is
 * small, and a turn still short against the seconds for which a neighbour on the machine is noisy.
 */
const STEPS_PER_TURN = 10;

/** From this volume error on a body is no longer there to be measured [%]. */
const EXPLODED = 1000;

interface Entry {
  readonly row: RowHead;
  runner?: Runner;
  note?: string;
  readonly times: number[];
  maxVolumeError: number;
}

/** One row per contender, in their order. */
export async function interleave(contenders: readonly Contender[], options: InterleaveOptions): Promise<Row[]> {
  const { steps, stepsPerTurn = STEPS_PER_TURN } = options;
  const entries: Entry[] = [];
  let done = 0;
  try {
    for (const contender of contenders) entries.push(await buildEntry(contender));
    while (done < steps) {
      const count = Math.min(stepsPerTurn, steps - done);
      for (const entry of entries) await takeTurn(entry, count);
      done += count;
      options.onStep?.(done, steps);
    }
    return entries.map(toRow);
  } finally {
    for (const { runner } of entries) runner?.dispose();
  }
}

async function buildEntry({ row, build }: Contender): Promise<Entry> {
  const entry: Entry = { row, times: [], maxVolumeError: 0 };
  try {
    entry.runner = await build();
  } catch (error) {
    entry.note = `could not be set up: ${messageOf(error)}`;
  }
  return entry;
}

async function takeTurn(entry: Entry, count: number): Promise<void> {
  // Workers that are starting up get to say so.
  await new Promise((resolve) => setImmediate(resolve));
  await entry.runner?.beginTurn?.();
  for (let i = 0; i < count && entry.note === undefined; i++) {
    const { runner, times } = entry as Entry & { runner: Runner };
    const number = times.length + 1;
    try {
      const start = performance.now();
      const pending = runner.step();
      if (pending) await pending;
      times.push(performance.now() - start);
      runner.watch?.();
      const error = runner.volumeErrorPercent();
      if (!Number.isFinite(error)) entry.note = `not finite after step ${number}`;
      else if (error > EXPLODED) entry.note = `exploded in step ${number}: volume error above ${EXPLODED} %`;
      entry.maxVolumeError = Math.max(entry.maxVolumeError, error);
    } catch (error) {
      entry.note = `failed in step ${number}: ${messageOf(error)}`;
    }
  }
}

/** The head's further columns come last; a contender that did not get through has no figures. */
function toRow({ row, runner, note, times, maxVolumeError }: Entry): Row {
  const { name, method, backend, threads, particles, regionSize, ...further } = row;
  const head = { name, method, backend, threads, particles, regionSize };
  const failed = { msPerStep: null, minMsPerStep: null, maxVolumeErrorPercent: null, hash: null };
  if (note !== undefined || !runner) return { ...head, ...failed, ...further, note };
  const figures = {
    msPerStep: median(times),
    minMsPerStep: Math.min(...times),
    maxVolumeErrorPercent: maxVolumeError,
    hash: runner.hash(),
  };
  return { ...head, ...figures, ...further, ...runner.figures?.() };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
