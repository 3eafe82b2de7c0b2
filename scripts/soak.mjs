// `npm run soak`: what takes too long for `npm test`, the tests in test/soak. Further arguments go to vitest.

import { bootstrap, runTool } from './bootstrap.mjs';

bootstrap();
process.env.ISOCHORE_SOAK = '1';
process.exitCode = runTool('vitest', ['run', ...process.argv.slice(2)]);
