// Builds what live examples of the documentation import: the package as it is published, three.js, and a stage to show bodies on.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './bootstrap.mjs';

/** Names that a program imports, and the files that they stand for. */
const MODULES = {
  isochore: 'dist/index.js',
  'isochore/mesh': 'dist/mesh/index.js',
  'isochore/three': 'dist/three/index.js',
  'isochore/worker': 'dist/worker/index.js',
  three: 'node_modules/three/build/three.module.js',
  stage: 'examples/stage.js',
};

/** Writes frame.html, its program and the modules into a folder, which is emptied first. */
export async function buildLive(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const fileOf = (name) => name.replace('/', '-');
  await build({
    absWorkingDir: root,
    entryPoints: Object.entries(MODULES).map(([name, path]) => ({ in: path, out: fileOf(name) })),
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // Chunks that are imported for nothing are left out, as they should be.
    logOverride: { 'ignored-bare-import': 'silent' },
    logLevel: 'warning',
  });
  const imports = Object.fromEntries(Object.keys(MODULES).map((name) => [name, `./${fileOf(name)}.js`]));
  const frame = readFileSync(join(root, 'docs/live/frame.html'), 'utf8');
  writeFileSync(join(folder, 'frame.html'), frame.replace('{ "imports": {} }', JSON.stringify({ imports })));
  copyFileSync(join(root, 'docs/live/frame.js'), join(folder, 'frame.js'));
}
