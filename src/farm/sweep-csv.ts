// The results of a sweep as a table of comma-separated values (RFC 4180): a line per task, first what was set, then what came of it.

import type { Axis } from './axis.js';
import type { TaskResult } from './run-task.js';

/** Names of the figures that any of them has, in the order in which they come. */
export const figureNames = (results: readonly TaskResult[]): string[] => [
  ...new Set(results.flatMap(({ figures }) => Object.keys(figures))),
];

const cell = (value: unknown): string => {
  const text = value === undefined || value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Lines of cells. */
export const csvText = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/**
 * @param results ascending by index.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 2 });
 * const axes = [parseAxis('seed=1..2')];
 * const plan = makePlan({ name: 'seeds', scene, axes, folder: '.', output: 'out', files: {} });
 * const results = [await runTask(plan, taskAt(plan, 0))];
 * console.log(sweepCsv(plan.axes, results));
 * ```
 */
export function sweepCsv(axes: readonly Axis[], results: readonly TaskResult[]): string {
  const names = figureNames(results);
  const hasFrames = results.some(({ frames }) => frames);
  const head = [
    'task',
    ...axes.map(({ path }) => path),
    ...(hasFrames ? ['frames'] : []),
    'hash',
    'nonFinite',
    ...names,
  ];
  const rows = results.map(({ index, values, frames, hash, nonFinite, figures }) => [
    ...[index, ...axes.map(({ path }) => values[path]), ...(hasFrames ? [frames?.join(' ')] : [])],
    ...[hash, nonFinite, ...names.map((name) => figures[name])],
  ]);
  return csvText([head, ...rows]);
}
