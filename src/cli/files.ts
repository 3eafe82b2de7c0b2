// Reading input and writing results: regular files only, within a size, and never half a file.

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from './cli-error.js';

const MIB = 1024 * 1024;
export const MAX_SCENE_BYTES = 64 * MIB;
export const MAX_MESH_BYTES = 512 * MIB;

const REASONS: Record<string, string> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EISDIR: 'expected a file, got a directory',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
};

/** The reason in words; the system's own where there are none of ours. */
export const reasonOf = (error: unknown): string =>
  REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message;

/** The bytes of a regular file of at most `limit` bytes. A pipe or a device could block or never end, so it is refused. */
export async function readInput(path: string, limit: number): Promise<Uint8Array> {
  try {
    const about = await stat(path);
    if (about.isDirectory()) throw new CliError(`${path}: expected a file, got a directory`);
    if (!about.isFile()) throw new CliError(`${path}: expected a regular file`);
    if (about.size > limit) {
      throw new CliError(`${path}: expected at most ${limit / MIB} MiB, got ${Math.ceil(about.size / MIB)} MiB`);
    }
    return await readFile(path);
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(`${path}: ${reasonOf(error)}`);
  }
}

/** Throws where `writeOutput` to this path would fail, so that it shows before long work and not after it. */
export async function checkOutput(path: string): Promise<void> {
  const folder = dirname(path);
  const about = await stat(folder).catch(() => undefined);
  if (!about?.isDirectory()) throw new CliError(`${path}: expected an existing directory, got ${folder}`);
  const target = await stat(path).catch(() => undefined);
  if (target && !target.isFile()) throw new CliError(`${path}: expected the name of a regular file`);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new CliError(`${path}: ${reasonOf(error)}`);
  }
}

/** Writes beside the target and renames: the file is there whole or not at all. */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const draft = join(dirname(target), `.isochore-${randomUUID()}.tmp`);
  try {
    await writeFile(draft, content, { flag: 'wx', flush: true });
    await rename(draft, target);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw new CliError(`${path}: ${reasonOf(error)}`);
  }
}
