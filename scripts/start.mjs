// `npm start`: from a fresh clone to the squeeze scene and its result, four spheres side by side.

import { bootstrap, run } from './bootstrap.mjs';
import { isBuilt } from './build.mjs';

const node = (...args) => run(process.execPath, args);

bootstrap();
const ready = isBuilt() || node('scripts/build.mjs') === 0;
process.exitCode = ready ? node('dist/cli/main.js', 'simulate', 'squeeze', ...process.argv.slice(2)) : 1;
