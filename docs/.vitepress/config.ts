// The documentation site: `npm run docs` builds it, `npm run docs -- dev` serves it while one writes.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { liveBlocks } from './live-blocks.js';
import { plainBraces } from './plain-braces.js';
import { sourceLinks } from './source-links.js';

/** What typedoc-plugin-markdown lists of the reference; nothing while one only writes pages. */
function referencePages(): DefaultTheme.SidebarItem[] {
  const path = fileURLToPath(new URL('../api/typedoc-sidebar.json', import.meta.url));
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
}

const guide: DefaultTheme.SidebarItem[] = [
  {
    text: 'First steps',
    items: [
      { text: 'Getting started', link: '/guide/getting-started' },
      { text: 'The game loop', link: '/guide/game-loop' },
      { text: 'Level geometry', link: '/guide/level-geometry' },
      { text: 'Your own models', link: '/guide/models' },
      { text: 'Handles, events, queries', link: '/guide/handles' },
      { text: 'React', link: '/guide/react' },
    ],
  },
  {
    text: 'Look and feel',
    items: [
      { text: 'Tuning', link: '/guide/tuning' },
      { text: 'Choosing a solver', link: '/guide/solvers' },
      { text: 'Cutting, inflating, muscles', link: '/guide/changing-bodies' },
      { text: 'The deformer', link: '/guide/deformer' },
    ],
  },
  {
    text: 'In production',
    items: [
      { text: 'In a worker', link: '/guide/worker' },
      { text: 'Threads and isolation', link: '/guide/threads' },
      { text: 'Performance', link: '/guide/performance' },
      { text: 'WebGPU', link: '/webgpu' },
      { text: 'Saving and determinism', link: '/guide/determinism' },
      { text: 'Scene files', link: '/guide/scene-files' },
      { text: 'Baking and sweeps', link: '/guide/baking' },
      { text: 'Options', link: '/guide/options' },
    ],
  },
];

const methods: DefaultTheme.SidebarItem[] = [
  {
    text: 'How it works',
    items: [
      { text: 'One step', link: '/how/' },
      { text: 'Surface', link: '/how/surface' },
      { text: 'Volume', link: '/how/volume' },
      { text: 'Lattice', link: '/how/lattice' },
      { text: 'Octree', link: '/how/octree' },
      { text: 'Tetrahedra', link: '/how/tetrahedra' },
      { text: 'Deformer', link: '/how/deformer' },
    ],
  },
  { text: 'Figures', items: [{ text: 'Results', link: '/results' }] },
];

/** The playground's: a ball that is pressed. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath d='M16 4c9 0 13 5 13 12s-5 12-13 12S3 23 3 16 7 4 16 4z' fill='%23e5583c'/%3E%3C/svg%3E";

export default defineConfig({
  title: 'Isochore',
  description: 'Soft bodies that keep their volume, in real time, in TypeScript',
  base: process.env.ISOCHORE_DOCS_BASE ?? '/',
  cleanUrls: false,
  head: [['link', { rel: 'icon', href: ICON }]],
  markdown: { config: (markdown) => markdown.use(liveBlocks).use(plainBraces).use(sourceLinks) },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/getting-started' },
      { text: 'How it works', link: '/how/' },
      { text: 'Results', link: '/results' },
      { text: 'Reference', link: '/api/' },
      { text: 'Playground', link: 'https://isochore.github.io/isochore/playground/' },
    ],
    socialLinks: [{ icon: 'github', link: 'https://github.com/isochore/isochore' }],
    sidebar: { '/guide/': guide, '/how/': methods, '/results': methods, '/webgpu': guide, '/api/': referencePages() },
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
