// glTF files that lie, loop, claim memory or reach for other files: one line that names the place, soon, and no more.

import { describe, expect, it } from 'vitest';
import { MeshReadError, readMesh } from '../../../src/mesh/io/read-mesh.js';
import { cube } from '../sample-meshes.js';
import { bytesOfJson, documentOf, type Json, quietIo, tetrahedronJson } from './gltf-files.js';

async function failure(bytes: Uint8Array, name = 'a.gltf', resolve?: (path: string) => Promise<Uint8Array>) {
  try {
    await readMesh(bytes, name, { resolve });
  } catch (problem) {
    expect(problem).toBeInstanceOf(MeshReadError);
    const { message } = problem as Error;
    expect(message).toMatch(/^a\.gl(tf|b): [\w.[\]]+( \d+)?: expected [\x20-\x7e…]+$/);
    return message;
  }
  throw new Error('it was read without complaint');
}

/** Spoils a good file. */
const spoilt = (change: (json: Json) => void) => {
  const json = tetrahedronJson();
  change(json);
  return bytesOfJson(json);
};

describe('hostile glTF', () => {
  it.each<[string, (json: Json) => void, string]>([
    ['another version', (j) => (j.asset.version = '1.0'), 'asset.version: expected version "2.0"'],
    ['no asset', (j) => delete j.asset, 'asset.version: expected version "2.0" of glTF, got nothing'],
    [
      'an unknown extension',
      (j) => (j.extensionsRequired = ['X_shape']),
      'extensionsRequired[0]: expected an extension',
    ],
    ['a scene that is not there', (j) => (j.scene = 1), 'scene: expected a whole number from 0 to 0, got 1'],
    ['a node that is not there', (j) => (j.scenes[0].nodes = [7]), 'scenes[0].nodes[0]: expected a whole number'],
    ['a mesh that is not there', (j) => (j.nodes[0].mesh = -1), 'nodes[0].mesh: expected a whole number from 0 to 0'],
    ['nodes in a circle', (j) => (j.nodes[0].children = [0]), 'nodes[0]: expected a tree of nodes'],
    [
      'a node with two parents',
      (j) => {
        j.nodes = [{ children: [1, 2] }, { children: [2] }, { mesh: 0 }];
      },
      'nodes[2]: expected a tree of nodes',
    ],
    [
      'only circles, without a scene',
      (j) => {
        delete j.scene;
        delete j.scenes;
        j.nodes = [{ children: [1], mesh: 0 }, { children: [0] }];
      },
      'meshes: expected triangles in the scene, got none',
    ],
    ['a matrix of words', (j) => (j.nodes[0].matrix = ['x']), 'nodes[0].matrix: expected 16 finite numbers'],
    ['a rotation of 0', (j) => (j.nodes[0].rotation = [0, 0, 0, 0]), 'nodes[0].rotation: expected a quaternion'],
    [
      'transforms that overflow',
      (j) => {
        j.nodes = [
          { children: [1], scale: [1e300, 1, 1] },
          { mesh: 0, scale: [1e300, 1, 1] },
        ];
      },
      'nodes[1]: expected a transform of finite numbers',
    ],
    ['nodes that are no list', (j) => (j.nodes = {}), 'nodes: expected a list'],
    [
      'a primitive that is no object',
      (j) => (j.meshes[0].primitives = [3]),
      'meshes[0].primitives[0]: expected an object',
    ],
    ['only lines', (j) => (j.meshes[0].primitives[0].mode = 1), 'meshes: expected triangles in the scene, got none'],
    ['positions of another kind', (j) => (j.accessors[0].type = 'VEC2'), 'accessors[0].type: expected "VEC3"'],
    [
      'an unknown component',
      (j) => (j.accessors[0].componentType = 5130),
      'accessors[0].componentType: expected one of',
    ],
    ['indices in floats', (j) => (j.accessors[1].componentType = 5126), 'accessors[1].componentType: expected one of'],
    [
      'a huge count',
      (j) => (j.accessors[0].count = 4e9),
      'accessors[0].count: expected a whole number from 1 to 5000000',
    ],
    ['a fractional count', (j) => (j.accessors[0].count = 2.5), 'accessors[0].count: expected a whole number'],
    ['a count beyond the view', (j) => (j.accessors[0].count = 5), 'bufferViews[0].byteLength: expected at least 60'],
    [
      'a huge count without data',
      (j) => {
        j.accessors[0] = { componentType: 5126, count: 5_000_000, type: 'VEC3' };
        j.meshes[0].primitives = new Array(8)
          .fill(0)
          .map((_, i) => ({ attributes: { POSITION: 0 }, indices: 1, mode: 4, material: i * 0 }));
      },
      'meshes[0]: expected at most 5000000 vertices and triangles in all',
    ],
    [
      'an offset beyond the view',
      (j) => (j.accessors[0].byteOffset = 1e9),
      'bufferViews[0].byteLength: expected at least',
    ],
    ['a view beyond its buffer', (j) => (j.bufferViews[1].byteOffset = 60), 'bufferViews[1]: expected a range within'],
    [
      'a buffer shorter than it says',
      (j) => (j.buffers[0].byteLength = 400),
      'buffers[0].byteLength: expected at most 72',
    ],
    [
      'a stride too small',
      (j) => (j.bufferViews[0].byteStride = 4),
      'bufferViews[0].byteStride: expected a whole number',
    ],
    [
      'an index beyond the vertices',
      (j) => (j.accessors[0].count = 3),
      'meshes[0].primitives[0].indices: expected vertices below 3',
    ],
    [
      'attributes of other lengths',
      (j) => (j.meshes[0].primitives[0].attributes.NORMAL = 1),
      'accessors[1].count: expected 4, as of POSITION',
    ],
    [
      'more sparse values than values',
      (j) => (j.accessors[0].sparse = { count: 9, indices: {}, values: {} }),
      'accessors[0].sparse.count: expected a whole number from 1 to 4',
    ],
    ['no binary chunk', (j) => delete j.buffers[0].uri, 'buffers[0]: expected a "uri"'],
    [
      'broken base64',
      (j) => (j.buffers[0].uri = 'data:;base64,@@'),
      'buffers[0].uri: expected a data URI with well-formed',
    ],
    [
      'a data URI in plain text',
      (j) => (j.buffers[0].uri = 'data:,abc'),
      'buffers[0].uri: expected a data URI in base64',
    ],
    [
      'unpacked data of a terabyte',
      (j) => {
        const packed = { buffer: 0, byteLength: 8, byteStride: 256, count: 15_000_000, mode: 'ATTRIBUTES' };
        j.bufferViews[0] = { buffer: 0, byteLength: 256 * 15e6, extensions: { EXT_meshopt_compression: packed } };
      },
      'expected at most 402653184 bytes of vertices and indices',
    ],
    [
      'compressed data that is none',
      (j) => {
        const packed = { buffer: 0, byteLength: 8, byteStride: 12, count: 4, mode: 'ATTRIBUTES' };
        j.bufferViews[0] = { buffer: 0, byteLength: 48, extensions: { KHR_meshopt_compression: packed } };
      },
      'bufferViews: expected compressed data that can be decoded',
    ],
  ])('refuses %s', async (_, change, expected) => {
    expect(await failure(spoilt(change))).toContain(expected);
  });

  it.each([
    '../secret.bin',
    'a/../../secret.bin',
    'a/%2e%2e/%2E%2E/secret.bin',
    '/etc/passwd',
    '%2Fetc/passwd',
    'file:///etc/passwd',
    'http://example.com/a.bin',
    'HTTPS://example.com/a.bin',
    '//example.com/a.bin',
    'C:/secret.bin',
    'C:\\secret.bin',
    '..\\secret.bin',
    'a%5c..%5c..%5csecret.bin',
    'a%00.bin',
    '%E0%A4%A',
    '.',
    '',
  ])('never asks for %j', async (uri) => {
    let asked = false;
    const resolve = async () => {
      asked = true;
      return new Uint8Array(72);
    };
    const bytes = spoilt((json) => {
      json.buffers[0].uri = uri;
    });
    expect(await failure(bytes, 'a.gltf', resolve)).toContain('buffers[0].uri: expected');
    expect(asked).toBe(false);
  });

  it('says why a buffer beside the file cannot be had', async () => {
    const bytes = spoilt((json) => {
      json.buffers[0].uri = 'gone.bin';
    });
    expect(await failure(bytes)).toContain('as none can be loaded here, got "gone.bin"');
    const resolve = () => Promise.reject(new Error('no such file\nat line 3'));
    expect(await failure(bytes, 'a.gltf', resolve)).toContain('a file that can be read (no such file), got "gone.bin"');
  });

  it('lets NaN through for validate to name', async () => {
    const glb = await quietIo().writeBinary(
      documentOf({ ...cube(), positions: cube().positions.fill(Number.NaN, 3, 4) }),
    );
    expect(Number.isNaN((await readMesh(glb, 'a.glb')).positions[3])).toBe(true);
  });

  it('refuses every cut of a GLB file', async () => {
    const glb = await quietIo().writeBinary(documentOf(cube()));
    for (let length = 0; length < glb.length; length += 7) {
      expect(await failure(glb.subarray(0, length), 'a.glb')).toContain('expected');
    }
    const wrong = glb.slice();
    wrong[4] = 1;
    expect(await failure(wrong, 'a.glb')).toContain('byte 4: expected version 2');
  });

  it('says where the JSON goes wrong', async () => {
    const text = new TextDecoder().decode(bytesOfJson(tetrahedronJson())).replace('"scene":', '\n"scene"');
    expect(await failure(new TextEncoder().encode(text))).toContain(
      'line 2: expected ":" in the JSON of a glTF file at column 8',
    );
    expect(await failure(new TextEncoder().encode('['.repeat(1e6)))).toContain('expected');
  });
});
