// The order of the layers: imports go downwards only, in no circle, and nothing below the command line needs Node. The kernels
// too.

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
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

describe('assembly', () => {
  it('shares with src the layout of its memory and what is tuned, which need nothing, and no more', () => {
    const shared = Object.entries(kernels).flatMap(([path, text]) =>
      importsOf(text)
        .map((specifier) => posix.join('assembly', posix.dirname(path), specifier))
        .filter((target) => target.startsWith('src/')),
    );
    expect(new Set(shared)).toContain('src/backends/wasm/layout/body-record');
    for (const target of new Set(shared)) {
      expect(target).toMatch(/^src\/(backends\/wasm\/(layout\/[\w-]+|partial-sums)|[\w/-]+\/(tuning|kernel-layout))$/);
      expect(importsOf(sources[`${target.slice('src/'.length)}.ts`])).toEqual([]);
    }
  });

  it('types no number of a room that src types in the same room: it is imported', () => {
    const typed = (files: Sources) =>
      Object.entries(files).flatMap(([path, text]) =>
        [...text.matchAll(/^(?:export )?const ([A-Z][A-Z_\d]+)(?:: \w+)? = (-?[\d.e+-]+);/gm)].map(
          ([, name, value]) => `${path.split('/')[0]} ${name} = ${Number(value)}`,
        ),
      );
    const ofSources = new Set(typed(sources));
    expect(ofSources.size).toBeGreaterThan(500);
    expect(typed(kernels).filter((one) => ofSources.has(one))).toEqual([]);
  });

  it('imports downwards only', () => {
    const own = (text: string) => text.replace(/^(im|ex)port \* .*'(\.\.\/)+src\/.*$/gm, '');
    const texts = Object.entries(kernels).map(([path, text]) => [path, own(text)]);
    expect(findLayerFaults(Object.fromEntries(texts), KERNEL_LAYERS)).toEqual([]);
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
