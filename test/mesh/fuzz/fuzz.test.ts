// A few hundred damaged files and meshes; `npm run soak` tries ten thousand.

import draco3d from 'draco3dgltf';
import { expect, it } from 'vitest';
import { readVisibleMesh } from '../../../src/mesh/io/read-mesh.js';
import { repairDamaged } from './damaged-meshes.js';
import { fuzzFiles } from './fuzz.js';
import { makeSeedFiles } from './seed-files.js';

it('reads every file that the mutations begin with', async () => {
  for (const { name, bytes } of await makeSeedFiles()) {
    const mesh = await readVisibleMesh(bytes, name, { draco: () => draco3d.createDecoderModule() });
    expect(mesh.triangles.length, name).toBeGreaterThan(0);
  }
});

it('ends 250 damaged files in bodies or refusals, soon', async () => {
  const { bodies, refused, unreadable, slowest, slowestFile } = await fuzzFiles(250, 1);
  expect(bodies + refused + unreadable).toBe(250);
  // Each must happen often, or the mutations test nothing.
  expect(bodies).toBeGreaterThan(50);
  expect(unreadable).toBeGreaterThan(50);
  expect(slowest, slowestFile).toBeLessThan(5000);
}, 300_000);

it('makes sound bodies of damaged meshes, soon', async () => {
  const { bodies, cages, slowest, slowestSeed } = await repairDamaged(8, 100);
  expect(bodies).toBeGreaterThan(4);
  expect(cages).toBeGreaterThan(2);
  expect(slowest, `${slowestSeed}`).toBeLessThan(5000);
}, 300_000);
