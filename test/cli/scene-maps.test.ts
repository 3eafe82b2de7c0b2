// A scene file that paints a body by a property of the PLY file beside it, from disk to the body.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openScene } from '../../src/cli/scene-file.js';
import { generateShape } from '../../src/mesh/generate/index.js';
import { buildScene } from '../../src/scenes/index.js';

const folder = mkdtempSync(join(tmpdir(), 'isochore-maps-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { positions, triangles } = generateShape({ shape: 'box', size: 2, divisions: 2 });
const vertices = Array.from({ length: positions.length / 3 }, (_, v) => positions.subarray(3 * v, 3 * v + 3));
const faces = Array.from({ length: triangles.length / 3 }, (_, t) => triangles.subarray(3 * t, 3 * t + 3));

const PLY = [
  'ply',
  'format ascii 1.0',
  `element vertex ${vertices.length}`,
  ...['x', 'y', 'z'].map((axis) => `property float ${axis}`),
  'property uchar red',
  `element face ${faces.length}`,
  'property list uchar int vertex_indices',
  'end_header',
  ...vertices.map((at) => `${at.join(' ')} ${at[1] > 0 ? 255 : 0}`),
  ...faces.map((corners) => `3 ${corners.join(' ')}`),
].join('\n');

function write(attribute: string): string {
  const map = { attribute, from: 1, to: 0.25 };
  writeFileSync(join(folder, 'box.ply'), `${PLY}\n`);
  const path = join(folder, 'scene.json');
  writeFileSync(path, JSON.stringify({ isochore: 1, bodies: [{ mesh: 'box.ply', maps: { stiffness: [map] } }] }));
  return path;
}

it('reaches the body', async () => {
  const { scene, loadMesh } = await openScene(write('red'));
  const { world, bodies } = await buildScene(scene, { backend: 'reference', loadMesh });
  expect([...(bodies[0].prepared.maps.stiffness ?? [])]).toEqual(vertices.map((at) => (at[1] > 0 ? 0.25 : 1)));
  world.dispose();
});

it('is refused where the file does not have it', async () => {
  const { scene, loadMesh } = await openScene(write('green'));
  await expect(buildScene(scene, { backend: 'reference', loadMesh })).rejects.toThrow(
    /^bodies\[0\]\.maps\.stiffness\[0\]\.attribute: expected a number per vertex that the mesh file has .*, got "green"$/,
  );
});
