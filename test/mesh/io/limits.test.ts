// Files may claim or hold any number of elements; what is read is bounded.

import { expect, it } from 'vitest';
import { MeshReadError, readMesh } from '../../../src/index.js';
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

it('refuses an OBJ file that holds more faces than it may have', async () => {
  const text = `v 0 0 0\nv 1 0 0\nv 0 1 0\n${'f 1 2 3\n'.repeat(MOST_ELEMENTS + 1)}`;
  await expect(readMesh(bytesOf(text), 'a.obj')).rejects.toThrow(`at most ${MOST_ELEMENTS} faces`);
}, 60_000);
