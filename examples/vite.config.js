// Serves the examples: `npm run examples`. In a project of your own nothing of this is needed but the headers, and those only
// for threads.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

export default defineConfig({
  root: here('.'),
  // The package is this repository itself, as it is built.
  resolve: {
    alias: [
      { find: /^isochore\/(three|bake|scenes)$/, replacement: here('../dist/$1/index.js') },
      { find: /^isochore$/, replacement: here('../dist/index.js') },
    ],
  },
  server: { headers: isolation },
  preview: { headers: isolation },
  build: {
    rollupOptions: {
      input: ['', 'drop/', 'soft-glb/', 'vertex-animation/', 'webgpu/'].map((page) => here(`${page}index.html`)),
    },
    // three.js alone is larger than what Vite warns of.
    chunkSizeWarningLimit: 2000,
  },
});
