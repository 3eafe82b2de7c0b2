// Vertex attributes of mesh files: kept where they are asked for, as the file has them, and nothing that a file says about them
// does harm.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { MeshReadError, readMesh } from '../../../src/mesh/io/read-mesh.js';
import { mutate } from '../fuzz/mutations.js';
import { bytesOfJson, documentOf, quietIo, tetrahedronJson } from './gltf-files.js';

const MESH = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3),
};
const text = (lines: readonly string[]) => new TextEncoder().encode(`${lines.join('\n')}\n`);

const PLY_HEAD = ['element vertex 4', 'property float x', 'property float y', 'property float z'];
const PLY_TAIL = ['element face 4', 'property list uchar int vertex_indices', 'end_header'];
const FACES = [0, 3, 6, 9].map((t) => `3 ${[...MESH.triangles.subarray(t, t + 3)].join(' ')}`);
const PLY = text([
  'ply',
  'format ascii 1.0',
  ...PLY_HEAD,
  'property uchar red',
  'property double quality',
  'property list uchar int others',
  'property int label',
  ...PLY_TAIL,
  '0 0 0 0 0.25 0 7',
  '1 0 0 51 -2 1 9 8',
  '0 1 0 255 1e3 0 -9',
  '0 0 1 102 0.5 2 1 2 10',
  ...FACES,
]);

function binaryPly(littleEndian: boolean): Uint8Array {
  const format = littleEndian ? 'binary_little_endian' : 'binary_big_endian';
  const head = text(['ply', `format ${format} 1.0`, ...PLY_HEAD, 'property ushort weight', ...PLY_TAIL]);
  const bytes = new Uint8Array(head.length + 4 * 14 + 4 * 13);
  bytes.set(head);
  const view = new DataView(bytes.buffer, head.length);
  for (let v = 0; v < 4; v++) {
    for (let k = 0; k < 3; k++) view.setFloat32(14 * v + 4 * k, MESH.positions[3 * v + k], littleEndian);
    view.setUint16(14 * v + 12, 21845 * v, littleEndian);
  }
  for (let t = 0; t < 4; t++) {
    view.setUint8(56 + 13 * t, 3);
    for (let k = 0; k < 3; k++) view.setInt32(57 + 13 * t + 4 * k, MESH.triangles[3 * t + k], littleEndian);
  }
  return bytes;
}

type Values = Uint8Array | Uint16Array | Float32Array;

async function glb(
  attributes: Record<string, { type: 'SCALAR' | 'VEC3' | 'VEC4'; array: Values; normalized?: boolean }>,
) {
  const document = documentOf(MESH);
  const [primitive] = document.getRoot().listMeshes()[0].listPrimitives();
  const [buffer] = document.getRoot().listBuffers();
  for (const [name, { type, array, normalized = false }] of Object.entries(attributes)) {
    const accessor = document
      .createAccessor()
      .setType(type)
      .setArray(array as never)
      .setNormalized(normalized);
    primitive.setAttribute(name, accessor.setBuffer(buffer));
  }
  return quietIo().writeBinary(document);
}

describe('PLY', () => {
  it('gives scalar properties, small whole numbers as shares of their largest', async () => {
    const { attributes, positions } = await readMesh(PLY, 'a.ply', { attributes: ['red', 'quality', 'label', 'blue'] });
    expect(Object.keys(attributes ?? {})).toEqual(['red', 'quality', 'label']);
    expect([...(attributes?.red ?? [])]).toEqual([0, 51 / 255, 1, 102 / 255]);
    expect([...(attributes?.quality ?? [])]).toEqual([0.25, -2, 1000, 0.5]);
    expect([...(attributes?.label ?? [])]).toEqual([7, 8, -9, 10]);
    expect([...positions]).toEqual([...MESH.positions]);
  });

  it.each([true, false])('does so of binary files, little-endian: %s', async (littleEndian) => {
    const { attributes, triangles } = await readMesh(binaryPly(littleEndian), 'a.ply', { attributes: ['weight'] });
    expect([...(attributes?.weight ?? [])]).toEqual([0, 1 / 3, 2 / 3, 1]);
    expect([...triangles]).toEqual([...MESH.triangles]);
  });

  it('refuses a property that is there twice', async () => {
    const twice = text(new TextDecoder().decode(PLY).replace('quality', 'red').trimEnd().split('\n'));
    await expect(readMesh(twice, 'a.ply', { attributes: ['red'] })).rejects.toThrow(
      'a.ply: line 1: expected the property "red" of the element "vertex" once in the header',
    );
    // Nobody looks at it otherwise.
    expect((await readMesh(twice, 'a.ply')).attributes).toBeUndefined();
  });
});

describe('glTF', () => {
  it('gives the channels of colours and scalars of its own', async () => {
    const file = await glb({
      COLOR_0: {
        type: 'VEC4',
        array: Uint8Array.of(0, 51, 0, 9, 255, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 255),
        normalized: true,
      },
      COLOR_1: { type: 'VEC3', array: Float32Array.from({ length: 12 }, (_, i) => i / 16) },
      _STIFFNESS: { type: 'SCALAR', array: Float32Array.of(0.5, 2, -1, 0) },
    });
    const names = ['COLOR_0.g', 'COLOR_0.a', 'COLOR_1.b', 'COLOR_1.a', '_STIFFNESS', '_OTHER', 'NORMAL', 'COLOR_0'];
    const { attributes = {} } = await readMesh(file, 'a.glb', { attributes: names });
    expect(Object.keys(attributes)).toEqual(names.slice(0, 5));
    // Normalised bytes as numbers of double precision.
    [51 / 255, 0, 0, 2 / 255].forEach((value, i) => {
      expect(Math.abs(attributes['COLOR_0.g'][i] - value)).toBeLessThan(1e-7);
    });
    expect([...attributes['COLOR_1.b']]).toEqual([2 / 16, 5 / 16, 8 / 16, 11 / 16]);
    expect([...attributes['COLOR_1.a']]).toEqual([1, 1, 1, 1]);
    expect([...attributes._STIFFNESS]).toEqual([0.5, 2, -1, 0]);
  });

  it('refuses what is not there for all parts, of another kind, or no number', async () => {
    const json = tetrahedronJson();
    json.meshes[0].primitives.push({ attributes: { POSITION: 0, _W: 1 }, indices: 1 });
    json.meshes[0].primitives[0].attributes._W = 0;
    const read = (value: object) => readMesh(bytesOfJson(value), 'a.gltf', { attributes: ['_W'] });
    await expect(read(json)).rejects.toThrow('a.gltf: accessors[0].type: expected "SCALAR", got "VEC3"');
    delete json.meshes[0].primitives[0].attributes._W;
    json.accessors.push({ bufferView: 0, componentType: 5126, count: 4, type: 'SCALAR' });
    json.meshes[0].primitives[1].attributes._W = 2;
    await expect(read(json)).rejects.toThrow(
      'a.gltf: meshes[0].primitives[0].attributes: expected _W, as other parts have it',
    );
    const file = await glb({ _W: { type: 'SCALAR', array: Float32Array.of(0, 1, Number.NaN, 1) } });
    await expect(readMesh(file, 'a.glb', { attributes: ['_W'] })).rejects.toThrow(
      'a.glb: attribute _W: expected a number at vertex 2, found NaN',
    );
    expect((await readMesh(file, 'a.glb')).attributes).toBeUndefined();
  });
});

it('other files have none', async () => {
  const obj = text(['v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3']);
  expect((await readMesh(obj, 'a.obj', { attributes: ['red'] })).attributes).toBeUndefined();
});

it('what is asked for is a list of names', async () => {
  await expect(readMesh(PLY, 'a.ply', { attributes: 'red' as never })).rejects.toThrow(RangeError);
  await expect(readMesh(PLY, 'a.ply', { attributes: new Array(17).fill('red') })).rejects.toThrow(
    /^attributes must be a list of at most 16 names/,
  );
});

it('of damaged files is read whole or refused in one line', async () => {
  const seeds: [string, Uint8Array, string[]][] = [
    ['a.ply', PLY, ['red', 'quality', 'label']],
    ['b.ply', binaryPly(true), ['weight', 'x']],
    [
      'c.glb',
      await glb({
        COLOR_0: { type: 'VEC4', array: new Uint16Array(16).fill(9000), normalized: true },
        _W: { type: 'SCALAR', array: Float32Array.of(1, 2, 3, 4) },
      }),
      ['COLOR_0.r', '_W'],
    ],
  ];
  const random = seededRandom(11);
  const ends = { read: 0, kept: 0, refused: 0 };
  for (let n = 0; n < 600; n++) {
    const [name, seed, attributes] = seeds[n % seeds.length];
    try {
      const mesh = await readMesh(mutate(name, seed, random), name, { attributes });
      ends.read++;
      for (const values of Object.values(mesh.attributes ?? {})) {
        ends.kept++;
        expect(values.length).toBe(mesh.positions.length / 3);
        expect(values.every(Number.isFinite)).toBe(true);
      }
    } catch (problem) {
      ends.refused++;
      expect(problem, `${name}, mutation ${n}`).toBeInstanceOf(MeshReadError);
      expect((problem as Error).message).toMatch(/^[\w.]+: [^\n]*expected [^\n]+$/);
    }
  }
  // Enough of each end for the test to mean anything.
  expect(Math.min(ends.read, ends.kept, ends.refused)).toBeGreaterThan(30);
});
