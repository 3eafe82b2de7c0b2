// The reference is whole: every export of every entry has words of its own, and every function an example that compiles against the built
// package and runs.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { PROGRAM_OPTIONS, SURROUNDINGS } from './page-programs.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}out/reference/`;

interface Export {
  readonly name: string;
  readonly entry: string;
  readonly kind: string;
  readonly comment: string;
}

const FROM = /export (?:type )?(?:\*|\{([^}]*)\}) from ['"](\.[^'"]+)['"]/g;
const AGAIN = /export (?:type )?\{([^}]*)\};/g;
const DECLARED =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)?export (?:declare )?(?:abstract )?(function|class|const|interface|type) (\w+)/g;

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((one) => one.replace(/^\s*type /, '').trim())
    .filter(Boolean);

/** The declarations that an entry's file exports, directly or from others; all of them, or one. */
function exportsOf(path: string, entry: string, only?: string): Export[] {
  const text = readFileSync(path, 'utf8');
  const other = (specifier: string) => join(dirname(path), specifier.replace(/\.js$/, '.d.ts'));
  const found: Export[] = [];
  for (const [, list, specifier] of text.matchAll(FROM)) {
    if (list === undefined) found.push(...exportsOf(other(specifier), entry, only));
    else
      for (const name of namesIn(list))
        if (!only || only === name) found.push(...exportsOf(other(specifier), entry, name));
  }
  for (const name of [...text.matchAll(AGAIN)].flatMap(([, list]) => namesIn(list))) {
    const source = new RegExp(`import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from ['"](\\.[^'"]+)['"]`).exec(
      text,
    )?.[1];
    if (source && (!only || only === name)) found.push(...exportsOf(other(source), entry, name));
  }
  for (const [, comment = '', kind, name] of text.matchAll(DECLARED)) {
    // Of overloads the first has the words.
    if ((!only || only === name) && !found.some((one) => one.name === name)) found.push({ name, entry, kind, comment });
  }
  return found;
}

const entries = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
  typeof target === 'object' && 'types' in target ? [{ name: `isochore${subpath.slice(1)}`, types: target.types }] : [],
);
const all = entries.flatMap(({ name, types }) => exportsOf(join(root, types), name));
const isFunction = ({ kind, name }: Export) => kind === 'function' || (kind === 'const' && /^[a-z]/.test(name));
// What two entries export is one thing.
const functions = [...new Map(all.filter(isFunction).map((one) => [one.name, one])).values()];

function exampleOf({ comment }: Export): string | undefined {
  const block = /@example\s*\n\s*\* ```ts\n([\s\S]*?)\n\s*\* ```/.exec(comment)?.[1];
  return block?.replace(/^\s*\* ?/gm, '');
}

/** A program of its own: the example, with imports of what it names. */
function programOf(one: Export): string {
  const example = exampleOf(one) as string;
  const imports = new Map<string, Set<string>>();
  for (const { name, entry, kind } of all) {
    if (kind === 'interface' || kind === 'type' || !new RegExp(`\\b${name}\\b(?!:)`).test(example)) continue;
    if (new RegExp(`const (\\{[^}]*\\b)?${name}\\b`).test(example)) continue;
    // The first entry that exports it will do.
    if ([...imports.values()].some((names) => names.has(name))) continue;
    imports.set(entry, (imports.get(entry) ?? new Set()).add(name));
  }
  const lines = [...imports].map(([entry, names]) => `import { ${[...names].join(', ')} } from '${entry}';`);
  const needsSurroundings = /\b(bytes|gltf|scene\.add)\b/.test(example) && !/const bytes/.test(example);
  return [...lines, needsSurroundings ? SURROUNDINGS : '', '{', example, '}', 'export {};'].join('\n');
}

describe('reference', () => {
  beforeAll(() => mkdirSync(folder, { recursive: true }));

  it('finds the entries and what they export', () => {
    expect(entries.length).toBeGreaterThan(6);
    expect(all.length).toBeGreaterThan(400);
    expect(functions.length).toBeGreaterThan(90);
  });

  it('has words for every export', () => {
    expect(all.filter(({ comment }) => comment === '').map(({ name, entry }) => `${entry}: ${name}`)).toEqual([]);
  });

  it('has an example for every function', () => {
    expect(functions.filter((one) => !exampleOf(one)).map(({ name, entry }) => `${entry}: ${name}`)).toEqual([]);
  });

  it('has examples that type-check against the package', { timeout: 120_000 }, () => {
    for (const one of functions) writeFileSync(`${folder}${one.name}.ts`, programOf(one));
    const files = functions.map(({ name }) => `${name}.ts`);
    writeFileSync(`${folder}tsconfig.json`, JSON.stringify({ compilerOptions: PROGRAM_OPTIONS, files }));
    let errors = '';
    try {
      execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', folder], { encoding: 'utf8' });
    } catch (error) {
      errors = (error as { stdout: string }).stdout;
    }
    expect(errors).toBe('');
  });

  it('has examples that run', { timeout: 120_000 }, () => {
    for (const one of functions) {
      writeFileSync(`${folder}${one.name}.mjs`, transformSync(programOf(one), { loader: 'ts' }).code);
    }
    const names = functions.map(({ name }) => `./${name}.mjs`);
    const program = `const failed = [];
      for (const name of ${JSON.stringify(names)}) await import(name).catch((error) => failed.push(name + ': ' + error));
      console.log('\\n' + JSON.stringify(failed));
      process.exit();`;
    writeFileSync(`${folder}all.mjs`, program);
    const output = execFileSync(process.execPath, [`${folder}all.mjs`], { encoding: 'utf8', maxBuffer: 1 << 28 });
    expect(JSON.parse(output.trim().split('\n').at(-1) as string)).toEqual([]);
  });
});
