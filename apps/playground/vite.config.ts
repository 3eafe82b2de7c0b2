import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
// @ts-expect-error: plain JavaScript
import { PAGE_POLICY } from '../../scripts/page-policy.mjs';

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** glTF-Transform asks for Node's modules only where it reads files, which it is not asked to here. */
const withoutNode = {
  name: 'without-node',
  enforce: 'pre' as const,
  resolveId: (id: string) => (id.startsWith('node:') ? '\0nothing' : undefined),
  load: (id: string) => (id === '\0nothing' ? 'export default {};' : undefined),
};

/** The page's policy, in what is built: the development server has scripts of its own in the page. */
const withPolicy = {
  name: 'with-policy',
  apply: 'build' as const,
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: PAGE_POLICY },
      injectTo: 'head-prepend' as const,
    },
  ],
};

export default defineConfig({
  root: from('.'),
  // Relative addresses: the folder works wherever it is put.
  base: './',
  resolve: {
    // The library's sources, so that the page is always the current code.
    alias: [
      { find: /^isochore$/, replacement: from('../../src/index.ts') },
      { find: /^isochore\/mesh$/, replacement: from('../../src/mesh/index.ts') },
      { find: /^isochore\/scenes$/, replacement: from('../../src/scenes/index.ts') },
      { find: /^isochore\/worker$/, replacement: from('../../src/worker/index.ts') },
      { find: /^isochore\/bake$/, replacement: from('../../src/bake/index.ts') },
    ],
  },
  plugins: [withoutNode, withPolicy],
  worker: { format: 'es', plugins: () => [withoutNode] },
  build: { target: 'es2022', chunkSizeWarningLimit: 1000, reportCompressedSize: false },
});
