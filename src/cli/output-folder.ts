// A folder as an output: all of its files are there, or the folder is not.

import { rmSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OutputFile } from '../bake/index.js';
import { CliError } from './cli-error.js';
import { checkOutput, reasonOf, writeOutput } from './files.js';

/** Throws where `writeFolder` to this path would fail, or replace a folder without leave. */
export async function checkFolder(path: string, mayReplace: boolean): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  // What is beside it tells whether anything can be written there.
  await checkOutput(join(dirname(path), `.${basename(path)}.isochore-check`));
  if (there && !there.isDirectory()) throw new CliError(`${path}: expected a directory, got a file`);
  if (there && !mayReplace) throw new CliError(`${path}: there is a directory of this name; --force replaces it`);
}

/** Writes beside the target and renames at the end; a folder that was there is replaced. */
export async function writeFolder(
  path: string,
  files: readonly OutputFile[],
  onFile: (name: string) => void,
): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.isochore-draft`);
  const discard = (): void => rmSync(draft, { recursive: true, force: true });
  process.once('exit', discard);
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft);
    for (const file of files) {
      onFile(file.name);
      await writeOutput(join(draft, basename(file.name)), file.pieces());
    }
    await rm(path, { recursive: true, force: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
    throw error instanceof CliError || error instanceof RangeError
      ? error
      : new CliError(`${path}: ${reasonOf(error)}`);
  } finally {
    process.removeListener('exit', discard);
  }
}
