// Builds the playground into apps/playground/dist: a folder of plain files that works under any path.

import { existsSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bootstrap, root } from './bootstrap.mjs';
import { buildKernels } from './build-kernels.mjs';
import { newestChange } from './newest-change.mjs';

export const playground = join(root, 'apps', 'playground', 'dist');
const page = join(playground, 'index.html');
const inputs = [
  'src',
  'assembly',
  'apps/playground/index.html',
  'apps/playground/vite.config.ts',
  'apps/playground/public',
  'apps/playground/src',
  'scripts/page-policy.mjs',
  'package-lock.json',
];

export function isPlaygroundBuilt() {
  return existsSync(page) && inputs.every((path) => newestChange(join(root, path)) <= statSync(page).mtimeMs);
}

export async function buildPlayground() {
  await buildKernels();
  const started = new Date();
  const { build } = await import('vite');
  await build({ configFile: join(root, 'apps', 'playground', 'vite.config.ts'), logLevel: 'warn' });
  // What changes while the build runs is not in it.
  utimesSync(page, started, started);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  bootstrap();
  try {
    await buildPlayground();
  } catch (error) {
    console.error(`build of the playground failed: ${error.message}`);
    process.exitCode = 1;
  }
}
