// `npm run bench -- NAME`: makes sure that the kernels are those of the sources, then measures.

import { bootstrap, run, runTool } from './bootstrap.mjs';
import { isBuilt } from './build.mjs';

bootstrap();
const ready = isBuilt() || run(process.execPath, ['scripts/build.mjs']) === 0;
process.exitCode = ready ? runTool('tsx', ['bench/main.ts', ...process.argv.slice(2)]) : 1;
