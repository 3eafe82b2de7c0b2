// Every table, one after the other, each in a process of its own: none finds memory or compiled code of another. Tables are kept in bench/results;
// history.csv has the rows of all of them, by version, day and machine, and docs/results.md is made anew after each.
// What has been measured stands in out/bench/round.json: asked again within half a day, the round goes on where it was left.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from '../src/cli/cli-error.js';
import { VERSION } from '../src/scenes/version.js';
import { BENCHMARKS } from './benchmark.js';
import { writeCsv } from './csv.js';
import { parseTable, type RecordedTable } from './page/recorded-table.js';
import { RESULTS, writeResultsPage } from './page/results-page.js';

const HISTORY = join(RESULTS, 'history.csv');
const ROUND = fileURLToPath(new URL('../out/bench/round.json', import.meta.url));
const HALF_A_DAY = 12 * 3600e3;
/** Of each row of a table; what else it has stands in the table itself. */
const KEPT = [
  ...['name', 'method', 'backend', 'threads', 'particles', 'regionSize'],
  ...['msPerStep', 'minMsPerStep', 'maxVolumeErrorPercent', 'hash', 'cpu', 'cores', 'node'],
];

/** What each table takes with nothing beside it [min], on two processors. */
export const EXPECTED_MINUTES: Readonly<Record<string, number>> = {
  ...{ peers: 6, table1: 2, table2: 3, contended: 2, tetrahedra: 3, scenes: 8 },
  ...{ startup: 3, skins: 1, scaling: 3, octree: 6, deformer: 4 },
};
/** A table that takes so many times as long is given up; what was kept of it before stays. */
const PATIENCE = 3;

export interface RoundOptions {
  /** No table is begun that would not be done within so many minutes. */
  readonly minutes: number;
  /** Measures all, whatever has been measured. */
  readonly anew: boolean;
}

interface Round {
  readonly begun: number;
  readonly measured: readonly string[];
}

export function measureAll({ minutes, anew }: RoundOptions): void {
  const end = Date.now() + minutes * 60e3;
  let round = readRound(anew);
  const missing: string[] = [];
  for (const name of Object.keys(BENCHMARKS)) {
    if (round.measured.includes(name)) continue;
    const expected = EXPECTED_MINUTES[name];
    if (Date.now() + expected * 60e3 > end || !measure(name, Math.min(PATIENCE * expected * 60e3, end - Date.now()))) {
      missing.push(name);
      continue;
    }
    round = { ...round, measured: [...round.measured, name] };
    mkdirSync(dirname(ROUND), { recursive: true });
    writeFileSync(ROUND, JSON.stringify(round));
    writeResultsPage();
  }
  if (missing.length > 0)
    throw new CliError(`bench: not measured: ${missing.join(', ')}; ask again to go on with these`);
}

/** The round that is under way, or a new one. */
function readRound(anew: boolean): Round {
  const fresh: Round = { begun: Date.now(), measured: [] };
  if (anew || !existsSync(ROUND)) return fresh;
  const round = JSON.parse(readFileSync(ROUND, 'utf8')) as Round;
  return Date.now() - round.begun < HALF_A_DAY ? round : fresh;
}

/** Measures a table in at most so many milliseconds, and keeps it; whether it was done. */
function measure(name: string, timeout: number): boolean {
  const file = join(RESULTS, `${name}.csv`);
  const fresh = `${file}.part`;
  process.stderr.write(`${name}, some ${EXPECTED_MINUTES[name]} min\n`);
  const args = ['--import', 'tsx', fileURLToPath(new URL('main.ts', import.meta.url)), name, '--csv', fresh];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', timeout });
  if (status !== 0) {
    rmSync(fresh, { force: true });
    return false;
  }
  renameSync(fresh, file);
  const head = existsSync(HISTORY) ? '' : writeCsv([['version', 'day', 'bench', ...KEPT]]);
  const rows = historyRows(parseTable(name, readFileSync(file, 'utf8')), new Date());
  writeFileSync(HISTORY, head + writeCsv(rows), { flag: 'a' });
  return true;
}

/** What the history holds of a table. */
export function historyRows({ name, rows }: RecordedTable, date: Date): string[][] {
  const about = [VERSION, date.toISOString().slice(0, 10), name];
  return rows.map((row) => [...about, ...KEPT.map((column) => row[column] ?? '')]);
}
