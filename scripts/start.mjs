// `npm start`: from a fresh clone to the squeeze scene and its result, four spheres side by side.

import { bootstrap, run } from './bootstrap.mjs';
import { build, isBuilt } from './build.mjs';

bootstrap();
if (!isBuilt()) await build();
process.exitCode = run(process.execPath, ['dist/cli/main.js', 'simulate', 'squeeze', ...process.argv.slice(2)]);
