// Runs what "copy code" gives, as a stranger would: against the built package, in a folder with the user's files.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const { isBuilt } = await import(new URL('../../scripts/build.mjs', import.meta.url).href);
const root = fileURLToPath(new URL('../../out/playground/', import.meta.url));

/** Returns what the program prints. Inside the repository `isochore` is the built package. */
export async function runProgram(
  text: string,
  files: readonly { name: string; bytes: Uint8Array }[] = [],
): Promise<string> {
  expect(isBuilt(), 'the package is built; npm run build does it').toBe(true);
  mkdirSync(root, { recursive: true });
  const folder = mkdtempSync(`${root}program-`);
  for (const { name, bytes } of files) writeFileSync(`${folder}/${name}`, bytes);
  writeFileSync(`${folder}/program.mjs`, text);
  return execFileSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
}
