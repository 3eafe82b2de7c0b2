// Every table, one after the other, each in a process of its own: none finds memory or compiled code of another. Tables are kept in bench/results;
// history.csv has the rows of all of them, by version, day and machine.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from '../src/cli/cli-error.js';
import { VERSION } from '../src/scenes/version.js';
import { BENCHMARKS } from './benchmark.js';
import { writeCsv } from './csv.js';
import { parseTable, type RecordedTable } from './recorded.js';

const RESULTS = fileURLToPath(new URL('results', import.meta.url));
const HISTORY = join(RESULTS, 'history.csv');
/** Of each row of a table; what else it has stands in the table itself. */
const KEPT = [
  ...['name', 'method', 'backend', 'threads', 'particles', 'regionSize'],
  ...['msPerStep', 'minMsPerStep', 'maxVolumeErrorPercent', 'hash', 'cpu', 'cores', 'node'],
];

export function measureAll(): void {
  for (const name of Object.keys(BENCHMARKS)) {
    const file = join(RESULTS, `${name}.csv`);
    const args = ['--import', 'tsx', fileURLToPath(new URL('main.ts', import.meta.url)), name, '--csv', file];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    if (status !== 0)
      throw new CliError(`bench: ${name} ended with ${status ?? 'a signal'}; the tables before it are kept`);
    const head = existsSync(HISTORY) ? '' : writeCsv([['version', 'day', 'bench', ...KEPT]]);
    const rows = historyRows(parseTable(name, readFileSync(file, 'utf8')), new Date());
    writeFileSync(HISTORY, head + writeCsv(rows), { flag: 'a' });
  }
}

/** What the history holds of a table. */
export function historyRows({ name, rows }: RecordedTable, date: Date): string[][] {
  const about = [VERSION, date.toISOString().slice(0, 10), name];
  return rows.map((row) => [...about, ...KEPT.map((column) => row[column] ?? '')]);
}
