// Builds dist/: the library and the command line as ES modules, their type declarations and the scene file's JSON Schema;
// then the playground.

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
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
import { buildShaders } from './build-shaders.mjs';
import { newestChange } from './newest-change.mjs';

const dist = join(root, 'dist');
/** What `isochore create` copies, by its name in dist/templates. */
const TEMPLATES = { three: 'examples/template', react: 'examples/template-react' };
/** The last file to be written. */
const schema = join(dist, 'scene.schema.json');
const inputs = [
  'assembly',
  'src',
  ...Object.values(TEMPLATES),
  'scripts/build.mjs',
  'scripts/build-kernels.mjs',
  'scripts/build-shaders.mjs',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

export function isBuilt() {
  return existsSync(schema) && inputs.every((path) => newestChange(join(root, path)) <= statSync(schema).mtimeMs);
}

/** Only the command line may use Node's own modules: everything below it runs in browsers too. */
const nodeModulesInCliOnly = {
  name: 'node-modules-in-cli-only',
  setup(build) {
    const cli = join(root, 'src', 'cli');
    build.onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      if (importer.startsWith(cli)) return { path, external: true };
      // glTF-Transform asks for files of its own only where it reads from them, which it is not asked to.
      if (importer.includes('@gltf-transform')) return { path, namespace: 'nothing' };
      return { errors: [{ text: `${path} is for src/cli only: the library runs in browsers` }] };
    });
    build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'export default {};' }));
  },
};

/**
 * Goes into dist: its own imports of Node's modules, in a part that we do not use, are more than bundlers for browsers
 * take (esbuild fails on them).
 */
const INLINED = ['@gltf-transform/core', '@gltf-transform/extensions', 'property-graph', 'ktx-parse'];

/** The licences of what dist holds of others. */
function collectLicences() {
  const texts = INLINED.map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join('\n----\n\n');
}

async function bundle() {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: [
      'src/index.ts',
      'src/mesh/index.ts',
      'src/deformer/index.ts',
      'src/worker/index.ts',
      'src/three/index.ts',
      'src/react/index.ts',
      'src/scenes/index.ts',
      'src/bake/index.ts',
      'src/farm/index.ts',
      'src/cli/main.ts',
    ],
    outdir: 'dist',
    outbase: 'src',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    // Dependencies stay imports.
    external: [
      'zod',
      'commander',
      'cli-progress',
      'meshoptimizer',
      'draco3dgltf',
      'three',
      'react',
      '@react-three/fiber',
      'bullmq',
      'ioredis',
      'fast-png',
      'playwright-core',
      'webgpu',
    ],
    mainFields: ['module', 'main'],
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
  buildShaders();
  const started = new Date();
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  await bundle();
  buildDeclarations(dist);
  chmodSync(join(dist, 'cli', 'main.js'), 0o755);
  linkCommand();
  writeFileSync(join(dist, 'kernels.wasm'), singleKernels());
  for (const [name, path] of Object.entries(TEMPLATES)) {
    // Without what somebody may have installed or built there.
    const filter = (source) => !/[\\/](node_modules|dist|package-lock\.json)$/.test(source);
    cpSync(join(root, path), join(dist, 'templates', name), { recursive: true, filter });
  }
  const { sceneJsonSchema } = await import(pathToFileURL(join(dist, 'scenes', 'index.js')).href);
  writeFileSync(join(dist, 'licences-of-others.txt'), collectLicences());
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
      // The package holds no playground, and an install need not wait for it.
      if (process.env.npm_lifecycle_event !== 'prepare')
        await (await import('./build-playground.mjs')).buildPlayground();
    } catch (error) {
      console.error(`build failed: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
