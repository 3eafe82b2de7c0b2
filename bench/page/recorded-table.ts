// The tables that were measured and kept (bench/results), as the results page asks for them.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readCsv } from '../csv.js';

/** A row as it was written: every field a text, empty where it has none. */
export type RecordedRow = Readonly<Record<string, string>>;

export class RecordedTable {
  constructor(
    readonly name: string,
    readonly rows: readonly RecordedRow[],
  ) {}

  /** All rows with these fields. */
  filter(fields: Readonly<Record<string, string | number>>): readonly RecordedRow[] {
    return this.rows.filter((row) => Object.entries(fields).every(([key, value]) => row[key] === String(value)));
  }

  /** The one row with these fields: a page must not choose among several, nor go on without one. */
  row(fields: Readonly<Record<string, string | number>>): RecordedRow {
    const rows = this.filter(fields);
    if (rows.length === 1) return rows[0];
    throw new RangeError(`${this.name}.csv: ${rows.length} rows with ${JSON.stringify(fields)}, expected one`);
  }

  /** A figure of that row. */
  figure(fields: Readonly<Record<string, string | number>>, column: string): number {
    const text = this.row(fields)[column];
    const value = Number(text);
    if (text !== '' && text !== undefined && Number.isFinite(value)) return value;
    throw new RangeError(`${this.name}.csv: no ${column} in the row with ${JSON.stringify(fields)}`);
  }

  /** The least time of a step of that row [ms]. */
  least(fields: Readonly<Record<string, string | number>>): number {
    return this.figure(fields, 'minMsPerStep');
  }

  /** Its median [ms]. */
  median(fields: Readonly<Record<string, string | number>>): number {
    return this.figure(fields, 'msPerStep');
  }

  /** What it was measured on, as a reader wants to know it. */
  get machine(): string {
    const { cpu, cores, node } = this.rows[0];
    return `${cpu}, ${cores} processors, Node ${node.replace(/^v/, '')}`;
  }
}

export type RecordedTables = Readonly<Record<string, RecordedTable>>;

export function parseTable(name: string, text: string): RecordedTable {
  const [columns, ...lines] = readCsv(text);
  const rows = lines.map((line) => Object.fromEntries(columns.map((column, c) => [column, line[c] ?? ''])));
  return new RecordedTable(name, rows);
}

/** Every table of a folder by its name. */
export function readTables(folder: string): RecordedTables {
  if (!existsSync(folder)) throw new RangeError(`${folder}: no such folder`);
  const names = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  return Object.fromEntries(
    names.map((name) => {
      const table = basename(name, '.csv');
      return [table, parseTable(table, readFileSync(join(folder, name), 'utf8'))];
    }),
  );
}
