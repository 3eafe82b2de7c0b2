// The page of a soak: what was done, how often, for how long, and what failed.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Finding, withFindings } from '../bench/page/findings.js';
import { escapeHtml, factList, htmlTable, page, showNumber } from '../src/report/page.js';
import { VERSION } from '../src/scenes/version.js';

interface Results {
  readonly startTime: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number | null;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const [, , folder] = process.argv;
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const { startTime, testResults } = JSON.parse(read('results.json')) as Results;
const tallies = new Map<string, number>();
for (const line of existsSync(join(folder, 'tallies.jsonl')) ? read('tallies.jsonl').trim().split('\n') : []) {
  const { what, count } = JSON.parse(line) as { what: string; count: number };
  tallies.set(what, (tallies.get(what) ?? 0) + count);
}
const kept = fileURLToPath(new URL('../bench/results/findings.csv', import.meta.url));
if (existsSync(join(folder, 'findings.jsonl'))) {
  const found = read('findings.jsonl').trim().split('\n');
  const findings = found.map((line): Finding => JSON.parse(line));
  writeFileSync(kept, withFindings(existsSync(kept) ? readFileSync(kept, 'utf8') : '', findings, new Date()));
}
const tests = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.map((test) => ({ ...test, file: name.split('/').pop() ?? name })),
);
const failed = tests.filter(({ status }) => status === 'failed');
const passed = tests.filter(({ status }) => status === 'passed');
const hours = (Math.max(startTime, ...testResults.map(({ endTime }) => endTime)) - startTime) / 3_600_000;
const facts: [string, string][] = [
  ['passed', `${passed.length} of ${tests.length}`],
  ['failed', String(failed.length)],
  ['not run', String(tests.length - passed.length - failed.length)],
  ['took', `${showNumber(hours)} h`],
  ...[...tallies].map(([what, count]): [string, string] => [what, String(count)]),
  ['Isochore', VERSION],
  ['machine', `${cpus()[0]?.model.trim() ?? ''}, ${cpus().length} processors, Node ${process.version}`],
];
const rows = tests.map(({ file, fullName, status, duration }) => [
  ...[`${file}: ${fullName}`, status],
  duration ? `${showNumber(duration / 1000)} s` : '–',
]);
const faults = failed.map(
  ({ file, fullName, failureMessages }) =>
    `<h2>${escapeHtml(`${file}: ${fullName}`)}</h2><pre>${escapeHtml(failureMessages.join('\n').slice(0, 4000))}</pre>`,
);
const body = `<h1>Soak</h1>
<p class="lead">${escapeHtml(new Date(startTime).toISOString().slice(0, 16).replace('T', ' '))}</p>
${factList(facts)}
${faults.join('\n')}
<h2>Tests</h2>
${htmlTable(['test', 'outcome', 'took'], rows)}`;
writeFileSync(join(folder, 'summary.html'), page({ title: 'Soak', body }));
writeFileSync(join(folder, 'summary.txt'), facts.map(([name, value]) => `${name}: ${value}\n`).join(''));
