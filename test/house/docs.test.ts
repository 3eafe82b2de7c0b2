// The documentation is true: the TypeScript of each page, block after block, is one program that compiles against the built
// package and runs; scenes are valid; commands have the options they are shown with; links lead somewhere; live examples run in
// a browser (test/browser/live-examples).

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { LATTICE_DEFAULTS, READ_MESH_DEFAULTS, SIMULATABLE_DEFAULTS, SURFACE_DEFAULTS } from '../../src/index.js';
import { checkScene } from '../../src/scenes/index.js';
import { codeBlocks, PROGRAM_OPTIONS, SURROUNDINGS } from './page-programs.js';

const { docsPages, readPage } = await import(new URL('../../scripts/docs-index.mjs', import.meta.url).href);
const root = fileURLToPath(new URL('../../', import.meta.url));
const docs = `${root}docs/`;
const folder = `${root}out/docs/`;
const pages: string[] = docsPages(docs);

/** The page's program: all of its blocks in the order in which they stand. */
function programOf(page: string): string {
  const source = readFileSync(docs + page, 'utf8');
  return [/^prelude: three$/m.test(source) ? SURROUNDINGS : '', ...codeBlocks(source, 'ts'), 'export {};'].join('\n');
}

/** Files that a page shows beside its program: blocks that are marked with a name. */
const filesOf = (page: string): { name: string; text: string }[] =>
  [...readFileSync(docs + page, 'utf8').matchAll(/^```ts (\S+\.ts)\n([\s\S]*?)^```/gm)].map(([, name, text]) => ({
    name,
    text,
  }));
const files = pages.flatMap(filesOf);

/** Pages with components instead: test/react/docs-page runs them. */
const components = pages.filter((page) => codeBlocks(readFileSync(docs + page, 'utf8'), 'tsx').length > 0);
const programs = pages.filter((page) => codeBlocks(readFileSync(docs + page, 'utf8'), 'ts').length > 0);
const fileOf = (page: string) => page.replace(/[/.]/g, '-');

describe('documentation', () => {
  beforeAll(() => mkdirSync(folder, { recursive: true }));

  it('has programs on all pages of the guide', () => {
    expect([...programs, ...components].sort()).toEqual(pages.filter((page) => page.startsWith('guide')).sort());
  });

  it('shows code that type-checks against the package', { timeout: 120_000 }, () => {
    for (const page of programs) writeFileSync(`${folder}${fileOf(page)}.ts`, programOf(page));
    for (const page of components)
      writeFileSync(`${folder}${fileOf(page)}.tsx`, codeBlocks(readFileSync(docs + page, 'utf8'), 'tsx').join('\n'));
    for (const { name, text } of files) writeFileSync(folder + name, text);
    const names = [...programs.map((page) => `${fileOf(page)}.ts`), ...components.map((page) => `${fileOf(page)}.tsx`)];
    const compilerOptions = { ...PROGRAM_OPTIONS, jsx: 'react-jsx' };
    const checked = [...names, ...files.map(({ name }) => name)];
    writeFileSync(`${folder}tsconfig.json`, JSON.stringify({ compilerOptions, files: checked }));
    let errors = '';
    try {
      execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', folder], { encoding: 'utf8' });
    } catch (error) {
      errors = (error as { stdout: string }).stdout;
    }
    expect(errors).toBe('');
  });

  it('shows programs that run', { timeout: 120_000 }, () => {
    for (const page of programs) {
      const { code } = transformSync(programOf(page), { loader: 'ts' });
      writeFileSync(`${folder}${fileOf(page)}.mjs`, code);
    }
    for (const { name, text } of files)
      writeFileSync(folder + name.replace(/ts$/, 'js'), transformSync(text, { loader: 'ts' }).code);
    const names = programs.map((page) => `./${fileOf(page)}.mjs`);
    // Browsers have workers without asking for them.
    const all = `globalThis.Worker = (await import('node:worker_threads')).Worker;
      for (const name of ${JSON.stringify(names)}) { await import(name); console.log('ran ' + name); } process.exit();`;
    writeFileSync(`${folder}all.mjs`, all);
    const output = execFileSync(process.execPath, [`${folder}all.mjs`], { encoding: 'utf8' });
    expect(output.match(/^ran /gm)?.length).toBe(programs.length);
    // What the page on determinism says is printed.
    expect(output).toMatch(/^true$/m);
  });

  it('shows valid scenes', () => {
    const scenes = pages.flatMap((page) => codeBlocks(readFileSync(docs + page, 'utf8'), 'json'));
    expect(scenes.length).toBeGreaterThan(0);
    for (const scene of scenes) expect(checkScene(JSON.parse(scene)).bodies.length).toBeGreaterThan(0);
  });

  it('tells the defaults as they are', () => {
    const page = readFileSync(`${docs}guide/options.md`, 'utf8');
    const { regionRadius, stiffness, damping } = SURFACE_DEFAULTS;
    const words = [
      `surface({ regionRadius: ${regionRadius}, stiffness: ${stiffness}, damping: ${damping}, volume: true })`,
      `lattice({ regionSize: ${LATTICE_DEFAULTS.regionSize}, resolution: ${LATTICE_DEFAULTS.resolution},`,
      `\`unit: '${READ_MESH_DEFAULTS.unit}'\``,
      `\`upAxis: '${READ_MESH_DEFAULTS.upAxis}'\``,
      `\`parts: '${SIMULATABLE_DEFAULTS.parts}'\``,
      `a cage's are ${SIMULATABLE_DEFAULTS.cageVertices}`,
      `\`weldTolerance: ${SIMULATABLE_DEFAULTS.weldTolerance.toExponential().replace('+', '')}\``,
    ];
    for (const text of words) expect(page).toContain(text);
  });

  it('shows commands with options that there are', () => {
    const commands = pages
      .flatMap((page) => codeBlocks(readFileSync(docs + page, 'utf8'), 'sh'))
      .flatMap((block) => block.trim().split('\n'))
      .filter((line) => line.startsWith('npx isochore'));
    expect(commands.length).toBeGreaterThan(4);
    const help = new Map<string, string>();
    for (const command of commands) {
      const [, , verb, ...words] = command.split(/\s+/);
      if (!help.has(verb)) {
        const main = `${root}dist/cli/main.js`;
        help.set(verb, execFileSync(process.execPath, [main, verb, '--help'], { encoding: 'utf8' }));
      }
      for (const word of words.filter((one) => /^--?[a-z]/.test(one))) expect(help.get(verb), command).toContain(word);
    }
  });

  it('is listed in the site: no page that nothing leads to', () => {
    const config = readFileSync(`${docs}.vitepress/config.ts`, 'utf8');
    for (const page of pages.filter((name) => name !== 'index.md'))
      expect(config).toContain(`link: '/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}'`);
  });

  it('links to pages and pictures that are there', () => {
    const addresses = /\]\(([^)#\s]+)[^)]*\)|\b(?:link|src): (\/[^\s,}]*)/g;
    let links = 0;
    for (const page of pages.filter((name) => !readPage(docs, name).includes('src/'))) {
      for (const [, relative, absolute] of readFileSync(docs + page, 'utf8').matchAll(addresses)) {
        const link = relative ?? absolute;
        if (/^[a-z]+:/.test(link) || link.includes('api/')) continue;
        const path = link.startsWith('/') ? join(docs, link) : join(docs, dirname(page), link);
        const found = [path, `${path}.md`, join(path, 'index.md'), join(docs, 'public', link)].some(existsSync);
        expect(found, `${page}: ${link}`).toBe(true);
        links++;
      }
    }
    expect(links).toBeGreaterThan(20);
  });
});
