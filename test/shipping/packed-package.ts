// The package as users get it: packed once per content, and installed into projects outside the repository.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { isBuilt } = await import(new URL('../../scripts/build.mjs', import.meta.url).href);

const root = fileURLToPath(new URL('../../', import.meta.url));
const packs = join(root, 'out', 'packed');
const consumer = fileURLToPath(new URL('consumer/', import.meta.url));

/** Hash of all that could be packed. */
function contentHash(): string {
  const hash = createHash('sha256');
  const feed = (path: string) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) feed(join(path, name));
    else hash.update(path).update(readFileSync(path));
  };
  for (const name of ['dist', ...readdirSync(root).filter((entry) => /^(package\.json|LICENSE|.*\.md)$/.test(entry))])
    feed(join(root, name));
  return hash.digest('hex').slice(0, 16);
}

/** Packs what is built (once for all test processes) and returns the tarball. */
export function packPackage(): string {
  if (!isBuilt()) throw new Error('dist is older than src: run npm run build');
  const content = contentHash();
  const tarball = join(packs, `${content}.tgz`);
  if (existsSync(tarball)) return tarball;
  mkdirSync(packs, { recursive: true });
  for (const name of readdirSync(packs)) if (!name.startsWith(content)) rmSync(join(packs, name), { force: true });
  // Packed aside and moved into place whole, as another test process may be doing the same. Without scripts: they would
  // build anew, below the feet of tests that run what is built.
  const aside = mkdtempSync(join(tmpdir(), 'isochore-pack-'));
  try {
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', aside];
    execFileSync('npm', args, { cwd: root, shell: process.platform === 'win32', stdio: ['ignore', 'ignore', 'pipe'] });
    const [name] = readdirSync(aside);
    cpSync(join(aside, name), `${tarball}.${basename(aside)}`);
    renameSync(`${tarball}.${basename(aside)}`, tarball);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return tarball;
}

/** Files of a tarball, without npm's own folder `package/`. */
export const listTarball = (tarball: string): string[] =>
  execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));

/**
 * Makes a project in a new folder that has the tarball installed, and copies of the files in `consumer/`; whoever calls
 * removes the folder. Of packages it has those that the tarball's package.json names as dependencies, and no others: what
 * is not declared cannot be imported.
 */
export function installConsumer(): string {
  const tarball = packPackage();
  const folder = mkdtempSync(join(tmpdir(), 'isochore-consumer-'));
  cpSync(consumer, folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'isochore'), { recursive: true });
  execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, 'isochore')]);
  const { dependencies } = JSON.parse(readFileSync(join(modules, 'isochore', 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  return folder;
}
