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
  'apps/playground/src/program/open-source.ts',
];
/** Settings that all elastic solvers have, and words that mean other things as well. */
const COMMON = [
  ...['stiffness', 'damping', 'volume', 'target', 'width', 'max', 'cells', 'levels', 'yield', 'refine'],
  ...['material', 'mass', 'tolerance', 'resolution', 'strength', 'axis'],
];
/** What the octree refines, `refine: 'surface'`, and what files of solid meshes list are no solvers. */
const OTHER_TEXT = [
  ...['src/solvers/octree/refinement.ts', 'src/solvers/octree/settings.ts'],
  ...['src/mesh/io/tet/medit.ts', 'src/mesh/io/tet/tetgen.ts'],
];
/** Where a solver's name is a thing of geometry: rooms, and files that handle solid meshes. As a text it is not allowed there either. */
const OTHER_THING: Readonly<Record<string, readonly string[]>> = {
  lattice: ['src/mesh/'],
  octree: ['src/mesh/', 'src/deformer/'],
  tetrahedra: [
    ...['src/mesh/', 'src/deformer/', 'src/backends/webgpu/deformer-', 'src/cli/'],
    ...['src/solvers/prepare.ts', 'src/scenes/scene-mesh.ts'],
  ],
};

function sourcesOf(folder: string): [string, string][] {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(tsx?|m?js|wgsl|html|css|json)$/.test(path))
    .filter((path) => !/node_modules|\/dist\/|\.generated\.ts$/.test(path))
    .map((path) => [path, readFileSync(root + path, 'utf8')]);
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

/** Names of the solver's family: `LatticeSettings`, `PreparedLattice`, `LATTICE_DEFAULTS`. */
const familyOf = (solver: string): RegExp => {
  const Name = solver[0].toUpperCase() + solver.slice(1);
  return new RegExp(
    `^(Prepared${Name}|${Name}(Settings|Options|Solver|Body|Model|Rest)|${solver.toUpperCase()}_DEFAULTS)$`,
  );
};

/** The words of a name: `latticeCount`, `LATTICE_COUNT` and `lattice-count` have the same two. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/);

/** Every way in which a file outside a solver's folder knows the solver. */
function findNames(path: string, text: string, solver: string): string[] {
  if (path.includes(`/solvers/${solver}/`) || MAY_IMPORT.includes(path)) return [];
  if (!text.toLowerCase().includes(solver)) return [];
  const found: string[] = [];
  const code = withoutComments(text);
  for (const specifier of importsOf(text)) {
    if (new RegExp(`(^|/)${solver}/`).test(specifier)) found.push(`${path}: imports ${specifier}`);
  }
  const isDefault = solver === BUILT_IN_SOLVERS[0].type;
  if (SCENE_DATA.includes(path) && !isDefault) return found;
  if (!OTHER_TEXT.includes(path) && new RegExp(`(['"\`])${solver}\\1`).test(code))
    found.push(`${path}: says '${solver}'`);
  if (OTHER_THING[solver]?.some((room) => path.startsWith(room))) return found;
  // The default's name is a noun of everybody's, which counts where it is imported or called.
  const use = new RegExp(
    `import[^;]*[{,]\\s*(type )?${solver}\\b[^;]*from|(?<![.\\w$]|(get|set) )${solver}\\((?!\\)(:| \\{))`,
  );
  const isNamed = (name: string): boolean =>
    familyOf(solver).test(name) || (isDefault ? name === solver && use.test(code) : wordsOf(name).includes(solver));
  const names = [...new Set(code.match(/[A-Za-z_$][\w$-]*/g))].filter(isNamed);
  return [...found, ...names.map((name) => `${path}: names ${name}`)];
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
    ['apps/a.ts', "if (solver.type === 'jelly') b();", ["says 'jelly'", 'names jelly']],
    ['src/world/a.ts', 'const a = "jelly";', ["says 'jelly'", 'names jelly']],
    ['src/world/a.ts', "import { b } from '../solvers/jelly/b.js';", ['imports ../solvers/jelly/b.js', 'names jelly']],
    ['src/solvers/a.ts', "import { b } from './jelly/b.js';", ['imports ./jelly/b.js', 'names jelly']],
    ['apps/a.tsx', "import { c, jelly } from 'isochore';", ['names jelly']],
    ['apps/a.ts', "import { type JELLY_DEFAULTS } from 'isochore';", ['names JELLY_DEFAULTS']],
    ['src/three/a.ts', "import { jelly } from '../index.js';", ['names jelly']],
    ['src/three/a.ts', "import * as all from '../index.js'; all.jelly();", ['names jelly']],
    ['src/world/a.ts', 'const byType = { jelly: 1 }; byType[solver.type];', ['names jelly']],
    ['assembly/world/a.ts', 'load<u32>(body + BODY_JELLY_CELLS);', ['names BODY_JELLY_CELLS']],
    ['src/solvers/jelly/a.ts', "import { b } from '../jelly/b.js'; const type = 'jelly';", []],
    ['src/solvers/built-in.ts', "import { jelly } from './jelly/jelly.js';", []],
    ['src/scenes/twist.ts', "const solver = { type: 'jelly' };", []],
    ['src/scenes/build-scene.ts', "const solver = { type: 'jelly' };", ["says 'jelly'", 'names jelly']],
    ['src/world/a.ts', '// A jelly.\n/* jelly */ const jellyfish = 1;', []],
  ])('of %s with %j', (path, text, faults) => {
    expect(findNames(path, text, 'jelly')).toEqual(faults.map((fault) => `${path}: ${fault}`));
  });

  it.each([
    ["import { prepare, surface } from 'isochore';", ['names surface']],
    ["import { surface } from '../index.js';", ['names surface']],
    ['prepare(mesh, surface());', ['names surface']],
    ['let settings: SurfaceSettings;', ['names SurfaceSettings']],
    ["solver.type === 'surface'", ["says 'surface'"]],
    ['get surface(): TriangleTree { return this.tree.surface(); }', []],
    ['class Tree { surface() { return 1; } }', []],
    ['const { surface } = body; surface.near(SURFACE_GAP);', []],
  ])('of the noun %j', (text, faults) => {
    expect(findNames('src/world/a.ts', text, 'surface')).toEqual(faults.map((fault) => `src/world/a.ts: ${fault}`));
  });
});
