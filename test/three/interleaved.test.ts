// Geometries whose attributes share one array, as loaders make them of files with a stride: shown and simulated as those with
// arrays of their own, texture coordinates in 16 bits too; on the oldest three.js that we claim to work with as well.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshBasicMaterial,
} from 'three';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, createWorld, prepare } from '../../src/index.js';
import { fromObject3D, SoftMesh } from '../../src/three/index.js';

const plain = new BoxGeometry(1, 1, 1, 2, 2, 2);
// Steps of 1/65535 both in the interleaved and in the plain one.
const coordinates = Uint16Array.from(plain.attributes.uv.array, (x) => Math.round(65535 * x));
plain.setAttribute('uv', new BufferAttribute(coordinates, 2, true));

function interleave(): BufferGeometry {
  const { position, normal } = plain.attributes;
  const shared = new InterleavedBuffer(new Float32Array(6 * position.count), 6);
  for (let i = 0; i < position.count; i++) {
    shared.array.set(position.array.subarray(3 * i, 3 * i + 3), 6 * i);
    shared.array.set(normal.array.subarray(3 * i, 3 * i + 3), 6 * i + 3);
  }
  // Padded to four bytes and more, as glTF asks for.
  const padded = new InterleavedBuffer(new Uint16Array(4 * position.count), 4);
  for (let i = 0; i < position.count; i++) padded.array.set(coordinates.subarray(2 * i, 2 * i + 2), 4 * i);
  return new BufferGeometry()
    .setIndex(plain.index)
    .setAttribute('position', new InterleavedBufferAttribute(shared, 3, 0))
    .setAttribute('normal', new InterleavedBufferAttribute(shared, 3, 3))
    .setAttribute('uv', new InterleavedBufferAttribute(padded, 2, 0, true));
}

describe.each(['the three.js that is installed', 'three.js 0.160'])('on %s', (version) => {
  // What tells the two apart for these attributes.
  const { prototype } = InterleavedBufferAttribute as { prototype: { getComponent?: unknown } };
  const { getComponent } = prototype;
  beforeAll(() => {
    if (version === 'three.js 0.160') delete prototype.getComponent;
  });
  afterAll(() => {
    prototype.getComponent = getComponent;
  });

  it('an object with interleaved attributes becomes as soft as one without', async () => {
    const shown = await Promise.all(
      [plain, interleave()].map(async (geometry) => {
        const world = await createWorld({ backend: 'reference' });
        const soft = await fromObject3D(new Mesh(geometry, new MeshBasicMaterial()), world, { vertices: 60 });
        for (let step = 0; step < 3; step++) world.step();
        soft.update();
        const { position, normal, uv } = soft.meshes[0].geometry.attributes;
        return [position, normal, uv].map(({ array }) => Array.from(array));
      }),
    );
    expect(shown[1]).toEqual(shown[0]);
    // Texture coordinates as what they stand for: from 0 to 1.
    expect([Math.min(...shown[1][2]), Math.max(...shown[1][2])]).toEqual([0, 1]);
  });

  it('a soft mesh shows a geometry with interleaved attributes as one without', async () => {
    const world = await createWorld({ backend: 'reference' });
    const body = world.add(prepare(box({ divisions: 2 })));
    const [a, b] = [plain, interleave()].map((geometry) => new SoftMesh(body, new MeshBasicMaterial(), { geometry }));
    for (let step = 0; step < 3; step++) world.step();
    for (const mesh of [a, b]) mesh.update();
    for (const name of ['position', 'normal']) {
      expect(b.geometry.attributes[name].array).toEqual(a.geometry.attributes[name].array);
    }
  });
});
