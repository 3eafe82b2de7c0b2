// Bundles the programs of workers, the deformer's and the world's, into texts that the library carries, worker.generated.ts: a text starts
// in Node, in every browser and from every bundler, where an address of a file would not. Does nothing while the result is as it was.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';
import { buildShaders } from './build-shaders.mjs';

const PROGRAMS = [
  { entry: 'src/deformer/frame-worker.ts', made: 'src/deformer/worker.generated.ts' },
  { entry: 'src/worker/world-worker.ts', made: 'src/worker/worker.generated.ts' },
];

/** After the kernels, which may be in it. */
export async function buildWorker() {
  // A world's worker holds all backends.
  buildShaders();
  for (const program of PROGRAMS) await buildProgram(program);
}

async function buildProgram({ entry, made }) {
  const { build } = await import('esbuild');
  const target = join(root, made);
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
  });
  // Typed, or the declarations would repeat all of it.
  const text = `// Made by scripts/build-worker.mjs from ${entry}\nexport const WORKER: string =\n  ${JSON.stringify(outputFiles[0].text)};\n`;
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text);
}
