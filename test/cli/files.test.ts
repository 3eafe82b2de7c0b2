// Writing a result is interrupted: nothing is left behind.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { writeOutput } from '../../src/cli/files.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'isochore-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while it is written leaves the older file and nothing else', async (signal, code) => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const target = join(folder, 'out.json');
  writeFileSync(target, 'old');
  // Some tenths of a second to write.
  const written = writeOutput(target, new Uint8Array(64 * 1024 * 1024)).catch((error: Error) => error.message);
  while (readdirSync(folder).length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  process.emit(signal, signal);
  expect(exit).toHaveBeenCalledWith(code);
  expect(readdirSync(folder)).toEqual(['out.json']);
  expect(readFileSync(target, 'utf8')).toBe('old');
  await written;
  // What had been waiting for signals no longer is.
  expect(process.listeners(signal).filter(({ name }) => name === 'end')).toEqual([]);
});
