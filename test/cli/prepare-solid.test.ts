// `isochore prepare --tetrahedra`: solid meshes in the formats that people have, called without the built package around it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { prepareSolid } from '../../src/cli/commands/prepare-solid.js';
import { icosphere, readTetrahedra, writeMeshes } from '../../src/mesh/index.js';

const folder = mkdtempSync(join(tmpdir(), 'isochore-solid-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

describe('prepare --tetrahedra', () => {
  it.each(['msh', 'mesh', 'vtk', 'ele'])('writes .%s', async (ending) => {
    const ball = { name: 'ball', mesh: icosphere({ detail: 2, radius: 1 }) };
    writeFileSync(path('ball.obj'), await writeMeshes([ball], 'ball.obj'));
    const output = path(`out.${ending}`);
    await prepareSolid(path('ball.obj'), 200, { output, quiet: true });
    const companion = ending === 'ele' ? readFileSync(path('out.node')) : undefined;
    const made = readTetrahedra(readFileSync(output), output, { companion });
    expect(made.tetrahedra.length / 4).toBeGreaterThan(100);
    expect(made.tetrahedra.length / 4).toBeLessThan(400);
  });

  it('refuses endings that hold no tetrahedra, in a line', async () => {
    await expect(prepareSolid('ball.obj', 200, { output: 'out.obj' })).rejects.toThrow(
      'out.obj: expected one of .msh, .mesh, .vtk, .ele for tetrahedra, got .obj',
    );
  });
});
