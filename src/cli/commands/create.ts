// `isochore create FOLDER`: a page of one's own, made of a template that comes with the package.

import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../scenes/index.js';
import { CliError, toLine } from '../cli-error.js';
import { reasonOf } from '../files.js';

export interface CreateOptions {
  readonly react?: boolean;
}

/** What scripts/build puts beside the command line. */
const TEMPLATES = fileURLToPath(new URL('../templates/', import.meta.url));
const IGNORED = 'node_modules\ndist\n';

export async function createPage(folder: string, { react }: CreateOptions): Promise<void> {
  const there = await stat(folder).catch(() => undefined);
  if (there && !(there.isDirectory() && (await readdir(folder)).length === 0))
    throw new CliError(`${folder}: expected an empty folder, or none of this name`);
  const from = join(TEMPLATES, react ? 'react' : 'three');
  try {
    for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const source = join(entry.parentPath, entry.name);
      const target = join(folder, source.slice(from.length));
      await mkdir(dirname(target), { recursive: true });
      await copyFile(source, target);
    }
    await writeFile(join(folder, '.gitignore'), IGNORED);
    await nameAfter(folder);
  } catch (error) {
    if (!there) await rm(folder, { recursive: true, force: true }).catch(() => {});
    throw new CliError(`${folder}: ${reasonOf(error)}`);
  }
  const place = /^[\w./\\-]+$/.test(folder) ? folder : JSON.stringify(folder);
  const next = [`cd ${toLine(place)}`, 'npm install', 'npm run dev'].map((line) => `  ${line}\n`).join('');
  process.stdout.write(`${toLine(folder)}: soft ducks on stairs, ready to be changed\nNext:\n${next}`);
}

/** Lets the page's package.json bear the folder's name, and ask for this version. */
async function nameAfter(folder: string): Promise<void> {
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  if (name) manifest.name = name;
  manifest.dependencies.isochore = `^${VERSION}`;
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
