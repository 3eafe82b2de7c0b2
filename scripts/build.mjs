// Builds dist/: the library and the command line as ES modules, their type declarations and the scene file's JSON Schema.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bootstrap, root } from './bootstrap.mjs';
import { buildDeclarations } from './build-declarations.mjs';
import { buildKernels, singleKernels } from './build-kernels.mjs';

const dist = join(root, 'dist');
/** The last file to be written. */
const schema = join(dist, 'scene.schema.json');
const inputs = [
  'assembly',
  'src',
  'scripts/build.mjs',
  'scripts/build-kernels.mjs',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Newest change of a file or of anything in a folder [ms]; removals show in the folder's own time. */
function newestChange(path) {
  const about = statSync(path);
  const inside = about.isDirectory() ? readdirSync(path).map((name) => newestChange(join(path, name))) : [];
  return Math.max(about.mtimeMs, ...inside);
}

export function isBuilt() {
  return existsSync(schema) && inputs.every((path) => newestChange(join(root, path)) <= statSync(schema).mtimeMs);
}

/** Only the command line may use Node's own modules: everything below it runs in browsers too. */
const nodeModulesInCliOnly = {
  name: 'node-modules-in-cli-only',
  setup(build) {
    const cli = join(root, 'src', 'cli');
    build.onResolve({ filter: /^node:/ }, ({ path, importer }) =>
      importer.startsWith(cli)
        ? { path, external: true }
        : { errors: [{ text: `${path} is for src/cli only: the library runs in browsers` }] },
    );
  },
};

async function bundle() {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/index.ts', 'src/mesh/index.ts', 'src/scenes/index.ts', 'src/cli/main.ts'],
    outdir: 'dist',
    outbase: 'src',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    // Dependencies stay imports.
    external: ['zod', 'commander', 'cli-progress', '@gltf-transform/*', 'meshoptimizer', 'draco3dgltf'],
    plugins: [nodeModulesInCliOnly],
    logLevel: 'warning',
  });
}

/**
 * For `npx isochore` in the repository. Left alone npx links the package into a cache of its own, where the command stays
 * missing for good if npx was ever called before the first build.
 */
function linkCommand() {
  const folder = join(root, 'node_modules', '.bin');
  if (process.platform === 'win32' || !existsSync(folder)) return;
  const link = join(folder, 'isochore');
  rmSync(link, { force: true });
  symlinkSync('../../dist/cli/main.js', link);
}

export async function build() {
  await buildKernels();
  const started = new Date();
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  await bundle();
  buildDeclarations(dist);
  chmodSync(join(dist, 'cli', 'main.js'), 0o755);
  linkCommand();
  writeFileSync(join(dist, 'kernels.wasm'), singleKernels());
  const { sceneJsonSchema } = await import(pathToFileURL(join(dist, 'scenes', 'index.js')).href);
  writeFileSync(schema, `${JSON.stringify(sceneJsonSchema(), null, 2)}\n`);
  // What changes while the build runs is not in it.
  utimesSync(schema, started, started);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.env.npm_lifecycle_event === 'prepare' && !existsSync(join(root, 'node_modules', 'esbuild'))) {
    // npm ci --omit=dev: there is nothing to build with, and an install must not fail for it.
    console.log('isochore: not built, the development dependencies are not installed');
  } else {
    if (process.env.npm_lifecycle_event !== 'prepare') bootstrap();
    try {
      await build();
    } catch (error) {
      console.error(`build failed: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
