// Reading input and writing results: regular files only, within a size, and never half a file.

import { randomUUID } from 'node:crypto';
import { constants, unlinkSync } from 'node:fs';
import { access, chmod, chown, readFile, readlink, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CliError, EXIT } from './cli-error.js';

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

/** Most links that lead from one to the next. */
const MAX_LINKS = 40;

/** Where a path leads, also where there is nothing yet: a link stays a link. */
async function targetOf(path: string): Promise<string> {
  let target = resolve(path);
  for (let n = 0; n < MAX_LINKS; n++) {
    const next = await readlink(target).catch(() => undefined);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  throw new CliError(`${path}: ${REASONS.ELOOP}`);
}

/** Throws where an output would replace a file that is read, under whatever name. */
export async function expectOther(output: string, input: string): Promise<void> {
  const [one, other] = await Promise.all([output, input].map((path) => stat(path).catch(() => undefined)));
  if (one && other && one.dev === other.dev && one.ino === other.ino)
    throw new CliError(`${output}: expected another file than ${input}, which is read`);
}

/** Throws where `writeOutput` to this path would fail, so that it shows before long work and not after it. */
export async function checkOutput(path: string): Promise<void> {
  const leadsTo = await targetOf(path);
  // As the user wrote it, unless a link says otherwise.
  const folder = dirname(leadsTo === resolve(path) ? path : leadsTo);
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

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** All of it, or piece by piece where it may be larger than memory. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes beside the target and renames: the file is there whole or not at all, and nothing else is, whatever ends the process
 * meanwhile. A file that is replaced keeps its owner and who may read it. What can be killed and goes on later names its draft, so
 * that the next one takes its place.
 */
export async function writeOutput(path: string, content: FileContent, draftName?: string): Promise<void> {
  const target = await targetOf(path);
  const before = await stat(target).catch(() => undefined);
  const draft = join(dirname(target), draftName ?? `.isochore-${randomUUID()}.tmp`);
  const discard = (): void => {
    try {
      unlinkSync(draft);
    } catch {}
  };
  const end = (signal: (typeof SIGNALS)[number]): void => {
    discard();
    process.exit(EXIT[signal]);
  };
  process.once('exit', discard);
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    // Nobody else reads what is on its way to a file that is not for them.
    if (draftName !== undefined) await rm(draft, { force: true });
    await writeFile(draft, content, { flag: 'wx', flush: true, mode: before ? 0o600 : 0o666 });
    if (before) {
      await chmod(draft, before.mode & 0o7777);
      await chown(draft, before.uid, before.gid).catch(() => undefined);
    }
    await rename(draft, target);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw new CliError(`${path}: ${reasonOf(error)}`);
  } finally {
    process.removeListener('exit', discard);
    for (const signal of SIGNALS) process.removeListener(signal, end);
  }
}
