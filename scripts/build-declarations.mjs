// Writes the type declarations of the package's entries, and of what they refer to; tsc alone writes those of every file.

import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, runTool } from './bootstrap.mjs';

const REFERENCE = /(?:\bfrom|\bimport\(|\bimport)\s*['"](\.[^'"]+)['"]/g;

/** Adds a declaration file and all that it refers to, directly or not. */
function addReached(path, reached) {
  if (reached.has(path)) return;
  reached.add(path);
  for (const [, specifier] of readFileSync(path, 'utf8').matchAll(REFERENCE))
    addReached(join(dirname(path), specifier.replace(/\.js$/, '.d.ts')), reached);
}

export function buildDeclarations(dist) {
  if (runTool('tsc', ['-p', 'tsconfig.build.json']) !== 0) throw new Error('the type declarations failed');
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const reached = new Set();
  for (const { types } of Object.values(exports)) if (types) addReached(join(root, types), reached);
  const paths = readdirSync(dist, { recursive: true }).map((name) => join(dist, name));
  for (const path of paths) if (path.endsWith('.d.ts') && !reached.has(path)) rmSync(path);
  // Deepest first, so that a folder of empty folders goes too.
  for (const path of paths.filter((name) => !/\.\w+$/.test(name)).sort((a, b) => b.length - a.length))
    if (readdirSync(path).length === 0) rmdirSync(path);
}
