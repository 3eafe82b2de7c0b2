// Nobody outside a solver's folder knows it by name: a new solver is one folder and a line in the list of built-ins.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_SOLVERS } from '../../src/scenes/index.js';
import type { Fields } from '../../src/solvers/fields.js';
import { importsOf } from './import-graph.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const SOLVERS = BUILT_IN_SOLVERS.map(({ type }) => type);

/** The library's public face and the list of built-ins; of the kernels, the one that calls them, and what the tests compile. */
const MAY_IMPORT = ['src/index.ts', 'src/solvers/built-in.ts', 'assembly/solvers/move.ts', 'assembly/testing.ts'];
/** Scenes: a body that is not simulated in the default way says so. */
const SCENE_DATA = [
  ...importsOf(readFileSync(`${root}src/scenes/catalogue.ts`, 'utf8'))
    .filter((specifier) => !specifier.endsWith('-schema.js'))
    .map((specifier) => specifier.replace(/^\.\/(.*)\.js$/, 'src/scenes/$1.ts')),
  'apps/playground/src/extra-scenes.ts',
  'apps/playground/src/worker/open-source.ts',
];
/** Settings that all elastic solvers have, and words that mean other things as well. */
const COMMON = [
  ...['stiffness', 'damping', 'volume', 'target', 'width', 'max', 'cells', 'levels', 'yield', 'refine'],
  ...['material', 'mass', 'tolerance', 'resolution', 'strength', 'axis'],
];
/** What the octree refines, `refine: 'surface'`, and what files of solid meshes list are no solvers. */
const OTHER_MEANING = [
  ...['src/solvers/octree/refinement.ts', 'src/solvers/octree/settings.ts'],
  ...['src/mesh/io/tet/medit.ts', 'src/mesh/io/tet/tetgen.ts'],
];

function sourcesOf(folder: string): [string, string][] {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.ts$/.test(path) && !/node_modules|\/dist\/|\.generated\.ts$/.test(path))
    .map((path) => [path, readFileSync(root + path, 'utf8')]);
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

/** Every way in which a file outside a solver's folder knows the solver. */
function findNames(path: string, text: string, solver: string): string[] {
  if (path.includes(`/solvers/${solver}/`)) return [];
  const found: string[] = [];
  const code = withoutComments(text);
  for (const specifier of importsOf(text)) {
    const inFolder = new RegExp(`(^|/)${solver}/`).test(specifier);
    if (inFolder && !MAY_IMPORT.includes(path)) found.push(`${path}: imports ${specifier}`);
  }
  const imported = [...code.matchAll(/import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'isochore/g)].flatMap(([, names]) =>
    names.split(',').map(
      (name) =>
        name
          .replace(/^\s*type\s/, '')
          .trim()
          .split(' ')[0],
    ),
  );
  const named = new RegExp(`^(${solver}$|Prepared${solver}|${solver}_)`, 'i');
  for (const name of imported) if (named.test(name)) found.push(`${path}: imports ${name}`);
  if (OTHER_MEANING.includes(path)) return found;
  const isDefault = solver === BUILT_IN_SOLVERS[0].type;
  if (!(SCENE_DATA.includes(path) && !isDefault) && new RegExp(`(['"\`])${solver}\\1`).test(code)) {
    found.push(`${path}: says '${solver}'`);
  }
  return found;
}

const sources = ['src', 'assembly', 'apps'].flatMap(sourcesOf);

it('no file outside its folder names a solver', () => {
  expect(sources.length).toBeGreaterThan(250);
  expect(sources.flatMap(([path, text]) => SOLVERS.flatMap((solver) => findNames(path, text, solver)))).toEqual([]);
});

it('one file of the kernels calls those of a solver', () => {
  const callers = sources.filter(
    ([path, text]) =>
      path.startsWith('assembly/') &&
      SOLVERS.some((solver) => !path.includes(`/${solver}/`) && importsOf(text).some((s) => s.includes(`${solver}/`))),
  );
  expect(callers.map(([path]) => path).sort()).toEqual(['assembly/solvers/move.ts', 'assembly/testing.ts']);
});

it('the playground names no setting that only some solvers have', () => {
  const namesOf = (fields: Fields): string[] =>
    Object.entries(fields).flatMap(([name, field]) => [
      name,
      ...(field.kind === 'group'
        ? namesOf(field.fields)
        : field.kind === 'pair' || field.kind === 'direction'
          ? field.names
          : []),
    ]);
  const names = [...new Set(BUILT_IN_SOLVERS.flatMap(({ fields }) => namesOf(fields)))].filter(
    (name) => !COMMON.includes(name),
  );
  expect(names).toContain('regionSize');
  const pages = sources.filter(([path]) => path.startsWith('apps/') && !SCENE_DATA.includes(path));
  const faults = pages.flatMap(([path, text]) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(withoutComments(text))).map((name) => `${path}: ${name}`),
  );
  expect(faults).toEqual([]);
});

describe('the check itself', () => {
  it.each([
    ['apps/a.ts', "if (solver.type === 'jelly') b();", ["apps/a.ts: says 'jelly'"]],
    ['src/world/a.ts', 'const a = "jelly";', ["src/world/a.ts: says 'jelly'"]],
    ['src/world/a.ts', "import { b } from '../solvers/jelly/b.js';", ['src/world/a.ts: imports ../solvers/jelly/b.js']],
    ['src/solvers/a.ts', "import { b } from './jelly/b.js';", ['src/solvers/a.ts: imports ./jelly/b.js']],
    ['apps/a.ts', "import { c, jelly } from 'isochore';", ['apps/a.ts: imports jelly']],
    ['apps/a.ts', "import { type JELLY_DEFAULTS } from 'isochore';", ['apps/a.ts: imports JELLY_DEFAULTS']],
    ['src/solvers/jelly/a.ts', "import { b } from '../jelly/b.js'; const type = 'jelly';", []],
    ['src/solvers/built-in.ts', "import { jelly } from './jelly/jelly.js';", []],
    ['src/scenes/twist.ts', "const solver = { type: 'jelly' };", []],
    ['src/scenes/build-scene.ts', "const solver = { type: 'jelly' };", ["src/scenes/build-scene.ts: says 'jelly'"]],
    ['src/world/a.ts', '// A jelly.\n/* jelly */ const jellyfish = `a jelly`;', []],
  ])('of %s with %j', (path, text, faults) => {
    expect(findNames(path, text, 'jelly')).toEqual(faults);
  });
});
