// The rows of a benchmark: their columns, and how they are shown as JSON, as CSV and as a table.

import { toLine } from '../src/cli/cli-error.js';
import { formatTable } from '../src/cli/table.js';
import { writeCsv } from './csv.js';
import type { Machine } from './machine.js';

/** What is known of a row before it is measured. */
export interface RowHead {
  /** The scene. */
  readonly name: string;
  /** How it is solved: `fast`, `naive`, `lsm`, or the name of another engine. */
  readonly method: string;
  readonly backend: string;
  readonly threads: number;
  readonly particles: number;
  /** ω; null for what has no regions. */
  readonly regionSize: number | null;
  /** Further columns of one benchmark, after the common ones. */
  readonly [column: string]: string | number | null | undefined;
}

/** A figure is null where it could not be measured; `note` then says why. */
export interface Row extends RowHead {
  /** Median [ms]. */
  readonly msPerStep: number | null;
  readonly minMsPerStep: number | null;
  /** |V/V₀ − 1|·100, the largest over all bodies and steps. */
  readonly maxVolumeErrorPercent: number | null;
  /** Of the final positions' bits, in body order and the mesh's own vertex order. */
  readonly hash: string | null;
}

export interface BenchResult {
  readonly bench: string;
  readonly command: string;
  readonly machine: Machine;
  readonly rows: readonly Row[];
}

/** In every row, in this order. */
export const COLUMNS = [
  'name',
  'method',
  'backend',
  'threads',
  'particles',
  'regionSize',
  'msPerStep',
  'minMsPerStep',
  'maxVolumeErrorPercent',
  'hash',
] as const;

/** The common columns, then those that any row has besides, in order of appearance. */
export const columnsOf = (rows: readonly Row[]): string[] => [
  ...new Set<string>([...COLUMNS, ...rows.flatMap((row) => Object.keys(row))]),
];

export const formatJson = (result: BenchResult): string => `${JSON.stringify(result, null, 2)}\n`;

/** One line per row; machine and command are columns too, so that the file can be read by anything that reads CSV. */
export function formatCsv({ rows, machine, command }: BenchResult): string {
  const columns = columnsOf(rows);
  const about = [machine.cpu, machine.cores, machine.node, command];
  const lines: (string | number)[][] = [[...columns, 'cpu', 'cores', 'node', 'command']];
  for (const row of rows) lines.push([...columns.map((column) => trim(row[column])), ...about]);
  return writeCsv(lines);
}

/** Five digits are more than any of the figures is good for; whole numbers stay whole. */
const trim = (value: string | number | null | undefined): string | number =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : (value ?? '');

/** For people: figures to three digits. */
export function formatRows({ rows, machine, command }: BenchResult): string {
  const columns = columnsOf(rows);
  const cells = rows.map((row) => columns.map((column) => show(row[column])));
  const head = `${command}\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`;
  return `${head}\n\n${formatTable([columns, ...cells])}\n`;
}

function show(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return toLine(value);
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}
