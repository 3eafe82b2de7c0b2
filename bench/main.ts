// `npm run bench -- NAME [--json FILE] [--csv FILE]`: measures one table, prints it, and writes it where asked.
// `npm run bench -- all [--minutes N] [--anew]` measures every table, each in a process of its own, and keeps them in bench/results; `page` makes
// docs/results.md of what is there.
// Runs the sources (through tsx), because the tables compare internals that the package does not export; the kernels are
// the package's own, and the rest is as fast as in dist: 7.5 to 8.4 against 7.7 to 10.5 ms per step of 3542 particles.

import { parseArgs } from 'node:util';
import { CliError, showError } from '../src/cli/cli-error.js';
import { checkOutput, writeOutput } from '../src/cli/files.js';
import { startProgress } from '../src/cli/progress.js';
import { measureAll } from './all.js';
import { BENCHMARKS } from './benchmark.js';
import { describeMachine } from './machine.js';
import { writeResultsPage } from './page/results-page.js';
import { type BenchResult, formatCsv, formatJson, formatRows } from './rows.js';

interface Arguments {
  readonly name: string;
  readonly json?: string;
  readonly csv?: string;
  readonly minutes?: string;
  readonly anew?: boolean;
}

function readArguments(args: string[]): Arguments {
  const names = [...Object.keys(BENCHMARKS), 'all', 'page'];
  const usage = `bench: expected NAME [--json FILE] [--csv FILE], or all [--minutes N] [--anew], with NAME one of ${names.join(', ')}`;
  try {
    const text = { type: 'string' } as const;
    const options = { json: text, csv: text, minutes: text, anew: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [name, ...others] = positionals;
    const isBounded = values.minutes === undefined || Number(values.minutes) > 0;
    if (others.length === 0 && names.includes(name) && isBounded) return { name, ...values };
  } catch {
    // An unknown option; its name is in the line below.
  }
  throw new CliError(`${usage}, got ${JSON.stringify(args.join(' '))}`);
}

async function main(): Promise<void> {
  const { name, json, csv, minutes, anew = false } = readArguments(process.argv.slice(2));
  if (name === 'all') return measureAll({ minutes: Number(minutes ?? Number.POSITIVE_INFINITY), anew });
  if (name === 'page') return writeResultsPage();
  for (const file of [json, csv]) if (file !== undefined) await checkOutput(file);
  const run = await BENCHMARKS[name]();
  const progress = startProgress(name, false);
  const rows = await run(progress).finally(() => progress.stop());
  const result: BenchResult = { bench: name, command: `npm run bench -- ${name}`, machine: describeMachine(), rows };
  process.stdout.write(formatRows(result));
  if (json !== undefined) await writeOutput(json, formatJson(result));
  if (csv !== undefined) await writeOutput(csv, formatCsv(result));
}

await main().catch(showError);
