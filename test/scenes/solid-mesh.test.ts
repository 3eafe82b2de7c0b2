// Files of solid meshes as bodies of a scene: taken as they are, scaled and painted, and refused by name where they cannot be.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openScene } from '../../src/cli/scene-file.js';
import { writeTetrahedra } from '../../src/mesh/index.js';
import { buildScene } from '../../src/scenes/index.js';
import { kuhnBox } from '../solvers/tetrahedra/tetra-bodies.js';

const folder = mkdtempSync(join(tmpdir(), 'isochore-solid-'));
afterAll(() => rmSync(folder, { recursive: true }));

const box = kuhnBox(1, 2, 1, 0.5);
for (const [name, format] of [
  ['box.msh', 'msh-4.1'],
  ['box.node', 'node'],
  ['box.ele', 'ele'],
] as const) {
  // biome-ignore format: pairs
  writeFileSync(join(folder, name), writeTetrahedra(box, format));
}

const open = (body: object) => {
  writeFileSync(join(folder, 'scene.json'), JSON.stringify({ isochore: 1, bodies: [{ scale: 2, ...body }] }));
  return openScene(join(folder, 'scene.json')).then((source) => buildScene(source.scene, source));
};

it.each(['box.msh', 'box.node'])('takes %s', async (mesh) => {
  const maps = { density: [{ box: [[-9, -9, -9], [9, 0.01, 9]], value: 3 }] }; // biome-ignore format: a box
  const { world, bodies } = await open({ mesh, maps, solver: { type: 'tetrahedra' } });
  expect(bodies[0].figures()).toMatchObject({ nodes: box.positions.length / 3, tetrahedra: box.tetrahedra.length / 4 });
  // Half a metre by a metre by half a metre, twice as large.
  expect(Math.abs(bodies[0].volume() - 2)).toBeLessThan(1e-9);
  expect(bodies[0].mass).toBeGreaterThan(2000);
  world.dispose();
});

it('refuses it for a solver of surfaces', async () => {
  await expect(open({ mesh: 'box.msh', solver: { type: 'surface' } })).rejects.toThrow(
    /^bodies\[0\]\.mesh: expected a mesh that can be simulated, got "box.msh" \(mesh: expected triangles/,
  );
});
