// How files look: materials of OBJ libraries, and what is not there is told of and left out.

import { expect, it } from 'vitest';
import { readLook } from '../../../src/mesh/index.js';
import { bytesOfJson, tetrahedronJson } from './gltf-files.js';

const text = (lines: string[]) => new TextEncoder().encode(lines.join('\n'));

it('reads the materials of an OBJ file, and keeps the order of its vertices', async () => {
  const obj = text([
    'mtllib paints.mtl',
    ...['v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'v 0 0 1', 'vt 0 0', 'vt 1 0.25', 'vt 0 1'],
    ...[
      'usemtl red',
      'f 1/1 3/3 2/2',
      'usemtl glass',
      'f 1/2 2/1 4/3',
      'f 1/1 4/2 3/3',
      'usemtl none',
      'f 2/1 3/2 4/3',
    ],
  ]);
  const files: Record<string, Uint8Array> = {
    'paints.mtl': text(['newmtl red', 'Kd 1 0.5 0', 'newmtl glass', 'Kd 0 0 1', 'd 0.25', 'map_Kd lost.png']),
  };
  const resolve = async (path: string) => files[path] ?? Promise.reject(new Error('no such file'));
  const { mesh, visible, sources, materials, missing } = await readLook(obj, 'a.obj', { resolve });
  expect(mesh.positions).toHaveLength(12);
  visible.triangles.forEach((v, corner) => {
    expect(sources[v]).toBe(mesh.triangles[corner]);
  });
  expect(visible.parts.map(({ materialIndex }) => materialIndex)).toEqual([0, 1, 2]);
  expect(materials.map(({ name, baseColor, alphaMode }) => [name, baseColor, alphaMode])).toEqual([
    ['red', [1, 0.5, 0, 1], 'OPAQUE'],
    ['glass', [0, 0, 1, 0.25], 'BLEND'],
    ['none', [0.8, 0.8, 0.8, 1], 'OPAQUE'],
  ]);
  // Upwards in OBJ, downwards in glTF.
  expect(Array.from(visible.uvs ?? []).slice(0, 6)).toEqual([0, 1, 0, 0, 1, 0.75]);
  expect(missing).toEqual(['a.obj: map_Kd lost.png: expected a PNG or JPEG beside this file']);
});

it('leaves out images of a glTF file that are not there', async () => {
  const json = tetrahedronJson();
  json.materials = [{ name: 'red', pbrMetallicRoughness: { baseColorTexture: { index: 0 }, roughnessFactor: 0.25 } }];
  json.textures = [{ source: 0 }];
  json.images = [{ uri: 'lost.png' }];
  const resolve = async () => Promise.reject(new Error('no such file'));
  const { materials, missing } = await readLook(bytesOfJson(json), 'a.gltf', { resolve });
  expect(materials[0]).toMatchObject({ name: 'red', roughness: 0.25, metallic: 1, textures: {} });
  expect(missing).toEqual(['a.gltf: images[0].uri: expected a file that can be read (no such file), got "lost.png"']);
});
