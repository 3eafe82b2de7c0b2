import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const soaks = process.env.ISOCHORE_SOAK === '1';
/** Laws on WebGPU: software adapters take minutes for what takes WebAssembly a second. */
const onGpu = process.env.ISOCHORE_LAWS_ON === 'webgpu';
const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

export default defineConfig({
  // The playground imports the library by its name.
  resolve: {
    alias: [
      { find: /^isochore$/, replacement: source('index.ts') },
      { find: /^isochore\/(mesh|scenes|bake|worker)$/, replacement: source('$1/index.ts') },
    ],
  },
  test: {
    // `npm run soak` runs what takes hours, and nothing else.
    include: [onGpu ? 'test/laws/*.test.ts' : soaks ? 'test/soak/**/*.test.ts' : 'test/**/*.test.ts'],
    // Lattices have no shaders.
    exclude: onGpu ? ['test/laws/lattice.test.ts'] : soaks ? [] : ['test/soak/**'],
    // Simulations keep a core busy: more workers than cores would only make each other time out.
    maxWorkers: 2,
    // A process for every file would load and compile the same modules 150 times: a quarter of all processor time. No file
    // leaves anything behind; those that replace something put it back.
    isolate: false,
    testTimeout: onGpu ? 3_600_000 : soaks ? 600_000 : 60_000,
    hookTimeout: onGpu ? 3_600_000 : soaks ? 600_000 : 60_000,
  },
});
