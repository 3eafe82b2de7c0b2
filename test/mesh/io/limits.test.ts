// Files may claim or hold any number of elements; what is read is bounded.

import { expect, it } from 'vitest';
import { MeshReadError, readMesh } from '../../../src/index.js';
import { parseObj } from '../../../src/mesh/io/obj.js';
import { MOST_ELEMENTS } from '../../../src/mesh/io/polygons.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

it.each([
  ['a.off', `OFF\n${MOST_ELEMENTS + 1} 4 0\n0 0 0\n`],
  ['a.off', `OFF\n4 ${MOST_ELEMENTS + 1} 0\n0 0 0\n`],
  ['a.ply', `ply\nformat ascii 1.0\nelement vertex ${MOST_ELEMENTS + 1}\nproperty float x\nend_header\n`],
])('refuses %s that claims more than it may have', async (name, text) => {
  await expect(readMesh(bytesOf(text), name)).rejects.toThrow(MeshReadError);
  await expect(readMesh(bytesOf(text), name)).rejects.toThrow(`at most ${MOST_ELEMENTS}`);
});

// With a limit of its own: five million faces take 8 s to read.
it.each([
  ['faces', 'v 0 0 0\n'.repeat(3) + 'f 1 2 3\n'.repeat(101)],
  ['vertices', `${'v 0 0 0\n'.repeat(101)}f 1 2 3\n`],
])('refuses an OBJ file that holds more %s than it may have', (kind, text) => {
  expect(() => parseObj(bytesOf(text), false, 100)).toThrow(`at most 100 ${kind}`);
  expect(parseObj(bytesOf(text), false).faces.sizes.length).toBeGreaterThan(0);
});
