// What an app does not name it does not carry: one that uses a single solver has nothing of the others in its bundle.

import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { expect, it } from 'vitest';
import { BUILT_IN_SOLVERS } from '../../src/scenes/index.js';

const entry = fileURLToPath(new URL('../../src/index.ts', import.meta.url));
const SOLVERS = BUILT_IN_SOLVERS.map(({ type }) => type);

/** Bytes of each source file in the minified bundle of a program. */
async function bundle(program: string): Promise<ReadonlyMap<string, number>> {
  const { metafile } = await esbuild.build({
    stdin: { contents: program.replace('isochore', entry), resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    metafile: true,
    packages: 'external',
    logLevel: 'silent',
  });
  const [output] = Object.values(metafile.outputs);
  return new Map(Object.entries(output.inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput]));
}

const bytesOf = (files: ReadonlyMap<string, number>, folder: string): number =>
  [...files].reduce((sum, [path, bytes]) => sum + (path.includes(folder) ? bytes : 0), 0);

it.each([
  ['surface', "import { createWorld, prepare, surface } from 'isochore'; console.log(createWorld, prepare, surface);"],
  ['the default solver', "import { createWorld, prepare } from 'isochore'; console.log(createWorld, prepare);"],
])('an app of %s carries no other solver', async (_, program) => {
  const files = await bundle(program);
  expect(bytesOf(files, 'src/solvers/surface/')).toBeGreaterThan(5000);
  for (const other of SOLVERS.slice(1)) expect([other, bytesOf(files, `src/solvers/${other}/`)]).toEqual([other, 0]);
  // Nor what only others need.
  const rooms = ['src/deformer/', 'src/mesh/io/', 'src/scenes/', 'src/three/'];
  for (const room of rooms) expect([room, bytesOf(files, room)]).toEqual([room, 0]);
});

it('one that names others carries them', async () => {
  const names = SOLVERS.join(', ');
  const files = await bundle(
    `import { createWorld, prepare, ${names} } from 'isochore'; console.log(createWorld, prepare, ${names});`,
  );
  for (const solver of SOLVERS) expect(bytesOf(files, `src/solvers/${solver}/`)).toBeGreaterThan(5000);
});
