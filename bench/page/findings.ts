// What soaks have found (bench/results/findings.csv): a line for each figure of each item of each check, the newest in place of what was there.

import { cpus } from 'node:os';
import { VERSION } from '../../src/scenes/version.js';
import { readCsv, writeCsv } from '../csv.js';

export interface Finding {
  readonly check: string;
  readonly item: string;
  readonly figures: Readonly<Record<string, number>>;
}

const COLUMNS = ['check', 'item', 'figure', 'value', 'version', 'day', 'cpu'];

/** The text of the file with these in it; items stand in the order in which they were found first. */
export function withFindings(text: string, found: readonly Finding[], date: Date): string {
  const [, ...known] = text === '' ? [] : readCsv(text);
  const rows = new Map(known.map((row) => [row.slice(0, 3).join('\n'), row]));
  const about = [VERSION, date.toISOString().slice(0, 10), cpus()[0]?.model.trim() ?? ''];
  for (const { check, item, figures } of found) {
    for (const [figure, value] of Object.entries(figures)) {
      rows.set([check, item, figure].join('\n'), [check, item, figure, String(Number(value.toPrecision(5))), ...about]);
    }
  }
  return writeCsv([COLUMNS, ...rows.values()]);
}
