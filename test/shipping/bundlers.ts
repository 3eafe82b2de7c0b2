// Builds the consumer's page with the bundlers that people use, each as it comes, and keeps what they warn of.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';
import { ISOLATION_HEADERS, type PageServer } from '../browser/page-server.js';

/**
 * A page of a world and a body may weigh this much: a few percent more than it does (441 KiB), so that what grows by accident
 * shows: recovery, checks of input and snapshots took 40, hosted solvers, maps, parts and changing topology 23, fields, levels of
 * detail, cutting and posed bodies 50, skins that are cut, contact callbacks and what is shared with the backend for WebGPU 38, named state of
 * snapshots, bodies of several parts that recover, bounds of crushed ones and threads of hosted solvers 24,
 * ways out of pockets, goals that follow pins, faster sums and contact that is taken over from the GPU the last 15.
 * Webpack would rather see 244. Of it 60 are the kernels, which stay compressed in the script.
 */
const MOST_BYTES = 455 * 1024;

/** Builds the page of a consumer project into a folder; returns the bundler's warnings. */
type Build = (project: string, target: string) => Promise<string[]>;

export const BUILDS: Record<string, Build> = {
  'vite build': async (root, outDir) => {
    const warnings: string[] = [];
    await vite.build({ ...viteOptions(root, warnings), build: { outDir } });
    return warnings;
  },

  webpack: async (context, path) => {
    const compiler = webpack({
      mode: 'production',
      context,
      entry: './page.js',
      output: { path, filename: 'page.js' },
      performance: { maxAssetSize: MOST_BYTES, maxEntrypointSize: MOST_BYTES },
    });
    const stats = await new Promise<webpack.Stats>((resolve, reject) => {
      compiler?.run((error, result) => compiler.close(() => (result ? resolve(result) : reject(error))));
    });
    copyPage(context, path);
    const { errors = [], warnings = [] } = stats.toJson({ all: false, errors: true, warnings: true });
    return [...errors, ...warnings].map(({ message }) => message);
  },

  // As a classic script: what needs a module, such as import.meta, would show.
  esbuild: async (project, outdir) => {
    const entryPoints = [join(project, 'page.js')];
    const result = await esbuild.build({ entryPoints, bundle: true, minify: true, outdir, logLevel: 'silent' });
    copyPage(project, outdir, '<script defer ');
    return result.warnings.map(({ text }) => text);
  },

  rollup: async (project, dir) => {
    const warnings: string[] = [];
    const bundle = await rollup({
      input: join(project, 'page.js'),
      plugins: [nodeResolve({ browser: true })],
      onLog: (_, { message }) => warnings.push(message),
    });
    await bundle.write({ dir, format: 'es' });
    await bundle.close();
    copyPage(project, dir);
    return warnings;
  },
};

function copyPage(project: string, target: string, script = '<script type="module" '): void {
  const page = readFileSync(join(project, 'index.html'), 'utf8');
  writeFileSync(join(target, 'index.html'), page.replace('<script type="module" ', script));
}

/** Serves the consumer's page from Vite's development server; `warnings` gets what it complains of. */
export async function serveWithVite(root: string, isolated: boolean, warnings: string[]): Promise<PageServer> {
  const server = await vite.createServer({
    ...viteOptions(root, warnings),
    // Port 0 is any that is free.
    server: { host: '127.0.0.1', port: 0, headers: isolated ? ISOLATION_HEADERS : {} },
  });
  await server.listen();
  return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() };
}

function viteOptions(root: string, warnings: string[]): vite.InlineConfig {
  const keep = (message: string) => warnings.push(message);
  const silent = vite.createLogger('silent');
  const customLogger = { ...silent, warn: keep, warnOnce: keep, error: keep };
  return { root, configFile: false, logLevel: 'silent', customLogger };
}
