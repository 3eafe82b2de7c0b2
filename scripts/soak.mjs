// `npm run soak`: what takes too long for `npm test`, the tests in test/soak, and a page that sums up what they did: out/soak/summary.html.
// What they measured goes to bench/results/findings.csv (`npm run bench -- page` makes the results page of it).
// Further arguments go to vitest. With --laws-on-gpu those of test/laws run instead, on WebGPU in the place of WebAssembly.
// ISOCHORE_SOAK_MINUTES bounds what goes on for as long as it may, ISOCHORE_SOAK_SEED is where it begins,
// ISOCHORE_SOAK_SEEDS how many seeds recovery is asked with.

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, runTool } from './bootstrap.mjs';

bootstrap();
const folder = join('out', 'soak');
const [results, tallies, findings] = ['results.json', 'tallies.jsonl', 'findings.jsonl'].map((name) =>
  join(folder, name),
);
mkdirSync(folder, { recursive: true });
for (const file of [results, tallies, findings]) rmSync(file, { force: true });
const given = process.argv.slice(2);
if (given.includes('--laws-on-gpu')) process.env.ISOCHORE_LAWS_ON = 'webgpu';
else process.env.ISOCHORE_SOAK = '1';
process.env.ISOCHORE_SOAK_TALLY = join(process.cwd(), tallies);
process.env.ISOCHORE_SOAK_FINDINGS = join(process.cwd(), findings);
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
process.exitCode = runTool('vitest', ['run', ...reporters, ...given.filter((one) => one !== '--laws-on-gpu')]);
const page = runTool('tsx', ['scripts/soak-summary.ts', folder]);
if (page === 0) console.log(`${readFileSync(join(folder, 'summary.txt'), 'utf8')}${join(folder, 'summary.html')}`);
