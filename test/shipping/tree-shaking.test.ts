// What an app does not name it does not carry: one that uses a single solver has nothing of the others in its bundle.

import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { expect, it } from 'vitest';

const entry = fileURLToPath(new URL('../../src/index.ts', import.meta.url));

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
  const others = /src\/solvers\/(lattice|octree|tetrahedra)\//;
  expect([...files].filter(([path, bytes]) => others.test(path) && bytes > 0)).toEqual([]);
});

it('one that names it does', async () => {
  const files = await bundle(
    "import { createWorld, lattice, prepare } from 'isochore'; console.log(createWorld, lattice, prepare);",
  );
  expect(bytesOf(files, 'src/solvers/lattice/')).toBeGreaterThan(5000);
});
