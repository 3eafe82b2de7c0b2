// The order of the layers: imports go downwards only, in no circle, and nothing below the command line needs Node. The kernels
// too.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCycle, findLayerFaults, importsOf, KERNEL_LAYERS, type Sources } from './import-graph.js';

function readSources(name: string): Sources {
  const folder = fileURLToPath(new URL(`../../${name}/`, import.meta.url));
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(folder + path, 'utf8')]));
}

const sources = readSources('src');
const kernels = readSources('assembly');

it.each([
  ['src', sources],
  ['assembly', kernels],
])('%s has files and imports to check', (_, files) => {
  const texts = Object.values(files);
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.flatMap(importsOf).length).toBeGreaterThan(texts.length);
});

describe('src', () => {
  it('imports downwards only, and only what each layer may use', () => {
    expect(findLayerFaults(sources)).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(findCycle(sources)).toBeUndefined();
  });
});

/** Descriptions of memory in assembly, and those in src that they are. */
const LAYOUTS = [
  ['layout.ts', '../src/backends/wasm/layout'],
  ['solvers/octree/layout.ts', '../../../src/solvers/octree/kernel-layout'],
] as const;

describe('assembly', () => {
  it.each(LAYOUTS)('shares with src the layout of its memory, which needs nothing, and no more: %s', (path, shared) => {
    expect(importsOf(kernels[path])).toEqual([shared]);
    expect(importsOf(sources[shared.replace(/^.*src\/(.*)$/, '$1.ts')])).toEqual([]);
  });

  it('imports downwards only', () => {
    const without = Object.fromEntries(LAYOUTS.map(([path]) => [path, '']));
    expect(findLayerFaults({ ...kernels, ...without }, KERNEL_LAYERS)).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(findCycle(kernels)).toBeUndefined();
  });
});

describe('the check itself', () => {
  it('reads every form of import and skips comments', () => {
    const text = `
      import a from './a.js';
      import { b,
        type B } from "./b.js";
      import type { C } from './c.js';
      export * from './d.js';
      export { e } from './e.js';
      const f = await import('./f.js');
      import './g.js';
      // import h from './h.js';
      /* export * from './i.js'; */
      export const j = 'from here';
    `;
    expect(importsOf(text)).toEqual(['./a.js', './b.js', './c.js', './d.js', './e.js', './f.js', './g.js']);
  });

  it.each<[string, Sources, string]>([
    [
      'an import upwards',
      { 'math/a.ts': "import { b } from '../mesh/b.js';", 'mesh/b.ts': '' },
      'math/a.ts: imports upwards from mesh/b.ts',
    ],
    [
      'a type imported upwards',
      { 'mesh/a.ts': "import type { W } from '../world/w.js';", 'world/w.ts': '' },
      'mesh/a.ts: imports upwards from world/w.ts',
    ],
    ['a node module in the library', { 'scenes/a.ts': "import 'node:fs';" }, 'scenes/a.ts: imports node:fs below cli'],
    ['a package in the wrong place', { 'world/a.ts': "import 'zod';" }, 'world/a.ts: imports the package zod'],
    [
      'a name that only begins like it',
      { 'scenes/a.ts': "import 'zodiac';" },
      'scenes/a.ts: imports the package zodiac',
    ],
    ['a file that is not there', { 'math/a.ts': "import './b.js';" }, 'math/a.ts: imports ./b.js, which is no file'],
    ['an unknown layer', { 'extra/a.ts': '' }, 'extra/a.ts: not in a known layer'],
  ])('finds %s', (_, graph, fault) => {
    expect(findLayerFaults(graph)).toEqual([fault]);
  });

  it('passes what is allowed', () => {
    const graph = {
      'math/a.ts': '',
      'scenes/s.ts': "import { z } from 'zod'; import '../math/a.js';",
      'cli/main.ts': "import { readFile } from 'node:fs/promises'; import { run } from '../scenes/s.js';",
      'mesh/io/gltf.ts': "const l = await import('meshoptimizer/decoder');",
    };
    expect(findLayerFaults(graph)).toEqual([]);
    expect(findCycle(graph)).toBeUndefined();
  });

  it('follows the imports of kernels, which have no ending', () => {
    const graph = {
      'contact/a.ts': "import { b } from '../solvers/b';",
      'solvers/b.ts': "import { a } from '../contact/a';",
    };
    expect(findLayerFaults(graph, KERNEL_LAYERS)).toEqual(['contact/a.ts: imports upwards from solvers/b.ts']);
    expect(findCycle(graph)).toEqual(['contact/a.ts', 'solvers/b.ts', 'contact/a.ts']);
  });

  it('finds a cycle over three files', () => {
    const graph = {
      'math/a.ts': "import './b.js';",
      'math/b.ts': "import './c.js';",
      'math/c.ts': "export * from './a.js';",
    };
    expect(findCycle(graph)).toEqual(['math/a.ts', 'math/b.ts', 'math/c.ts', 'math/a.ts']);
  });
});
