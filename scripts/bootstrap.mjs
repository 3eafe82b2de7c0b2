// Installs the dependencies where they are missing or not those of package-lock.json. Node built-ins only: this runs
// before anything is installed.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program in the repository with the terminal's streams; returns its exit code. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
  if (result.error) console.error(`${command}: ${result.error.message}`);
  return result.status ?? 1;
}

/** Runs the command of an installed dependency. */
export const runTool = (name, args) => run(join(root, 'node_modules', '.bin', name), args);

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages ?? {};

/** Compares by content: the time stamps of a checkout say nothing about what it needs. */
export function isInstalled(folder = root) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readPackages(record);
  return Object.entries(readPackages(join(folder, 'package-lock.json'))).every(([path, wanted]) => {
    if (path === '') return true;
    const mayBeAbsent = wanted.optional || wanted.devOptional || wanted.peer;
    return installed[path] ? installed[path].version === wanted.version : mayBeAbsent;
  });
}

export function bootstrap(folder = root) {
  if (isInstalled(folder)) return;
  console.log('Installing dependencies');
  // Without scripts: the package's own prepare would build, which is up to the caller. Beside the package itself the lock file names no
  // builds for other systems (npm leaves them out of it), which `npm ci` refuses.
  const command = folder === root ? ['ci'] : ['install', '--no-save'];
  const code = run('npm', [...command, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
  });
  if (code === 0) return;
  console.error('the dependencies could not be installed');
  process.exit(code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) bootstrap();
