// `npm test`: everything that must hold, from a fresh clone on. Further arguments go to vitest.

import { bootstrap, run, runTool } from './bootstrap.mjs';

bootstrap();
// In a log colours would bury the text.
const plain = process.stdout.isTTY ? [] : ['--colors=off'];
const checks = [
  ['format and lint', ['biome', 'ci', ...plain, '.']],
  ['build', null],
  ['types', ['tsc', '--noEmit']],
  ['tests', ['vitest', 'run', ...process.argv.slice(2)]],
];
for (const [name, command] of checks) {
  console.log(`\n— ${name}`);
  const code = command ? runTool(command[0], command.slice(1)) : run(process.execPath, ['scripts/build.mjs']);
  if (code !== 0) {
    console.error(`\nnpm test: ${name} failed`);
    process.exit(code);
  }
}
