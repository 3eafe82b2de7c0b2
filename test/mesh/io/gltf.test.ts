// glTF: what files hold arrives, compared with what glTF-Transform says about the same file and with closed forms.

import { EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer';
import { describe, expect, it } from 'vitest';
import { MeshReadError, readMesh, readVisibleMesh } from '../../../src/mesh/io/read-mesh.js';
import { measure } from '../../../src/mesh/measure.js';
import { validate } from '../../../src/mesh/validate.js';
import { cube, gridTorus, tetrahedron, triples } from '../sample-meshes.js';
import { bytesOfJson, dataUri, documentOf, type Json, quietIo, tetrahedronJson } from './gltf-files.js';

const torus = gridTorus(24, 12);
const rounded = torus.positions.map(Math.fround);
const readJson = (json: Json) => readVisibleMesh(bytesOfJson(json), 'a.gltf');

describe('glTF', () => {
  it('reads what glTF-Transform writes as GLB', async () => {
    const mesh = await readMesh(await quietIo().writeBinary(documentOf(torus)), 'torus.glb');
    expect(mesh.positions).toEqual(rounded);
    expect(mesh.triangles).toEqual(torus.triangles);
  });

  it('reads JSON with a buffer beside it, which it asks for by its path', async () => {
    const { json, resources } = await quietIo().writeJSON(documentOf(torus));
    const [uri] = Object.keys(resources);
    json.buffers = [{ ...json.buffers?.[0], uri: './sub%20dir/../a.bin' } as never];
    const asked: string[] = [];
    const resolve = async (path: string) => {
      asked.push(path);
      return resources[uri];
    };
    const mesh = await readMesh(bytesOfJson(json), 'torus.gltf', { resolve });
    expect(mesh.triangles).toEqual(torus.triangles);
    expect(asked).toEqual(['a.bin']);
  });

  it('keeps names, materials, normals, tangents and texture coordinates, part by part', async () => {
    const document = documentOf(tetrahedron());
    const root = document.getRoot();
    const [buffer] = root.listBuffers();
    const add = (type: 'VEC2' | 'VEC3' | 'VEC4', values: number[]) =>
      document.createAccessor().setType(type).setArray(Float32Array.from(values)).setBuffer(buffer);
    const [plain] = root.listMeshes()[0].listPrimitives();
    const uvs = [0, 0.5, 1, 0, 0, 1, 0.25, 0.75];
    const normals = [0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0.6, 0.8];
    const tangents = [1, 0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 1, 1, 0, 0, -1];
    const rich = document
      .createPrimitive()
      .setAttribute('POSITION', plain.getAttribute('POSITION'))
      .setAttribute('NORMAL', add('VEC3', normals))
      .setAttribute('TANGENT', add('VEC4', tangents))
      .setAttribute('TEXCOORD_0', add('VEC2', uvs))
      .setIndices(plain.getIndices())
      .setMaterial(document.createMaterial('red'));
    root.listMeshes()[0].addPrimitive(rich);
    const mesh = await readVisibleMesh(await quietIo().writeBinary(document), 'a.glb');
    expect(mesh.parts).toEqual([
      {
        name: 'node',
        material: '',
        materialIndex: null,
        firstVertex: 0,
        vertexCount: 4,
        firstTriangle: 0,
        triangleCount: 4,
      },
      {
        name: 'node',
        material: 'red',
        materialIndex: 0,
        firstVertex: 4,
        vertexCount: 4,
        firstTriangle: 4,
        triangleCount: 4,
      },
    ]);
    expect(mesh.uvs).toEqual(Float32Array.from([...new Array(8).fill(0), ...uvs]));
    expect(mesh.normals).toEqual(Float32Array.from([...new Array(12).fill(0), ...normals]));
    expect(mesh.tangents).toEqual(Float32Array.from([...new Array(16).fill(0), ...tangents]));
    expect(triples(mesh.triangles).slice(4)).toEqual(triples(mesh.triangles.subarray(0, 12).map((v) => v + 4)));
  });

  it('puts meshes where their nodes are, mirrored ones with their outside out', async () => {
    const document = documentOf(cube([-0.5, -0.5, -0.5]));
    const [scene] = document.getRoot().listScenes();
    const [mesh] = document.getRoot().listMeshes();
    const parent = document
      .createNode('parent')
      .setTranslation([1, 2, 3])
      .setRotation([0.5, 0.5, -0.5, 0.5])
      .setScale([1, -2, 3]);
    const child = document.createNode('child').setTranslation([0.5, 0, 4]).setRotation([0, 0.6, 0, 0.8]).setMesh(mesh);
    const mirrored = document.createNode('twice').setScale([-1, 0.5, 1]).setMesh(mesh);
    scene.addChild(parent.addChild(child.addChild(mirrored)));
    const read = await readVisibleMesh(await quietIo().writeBinary(document), 'a.glb');
    expect(read.parts.map(({ name }) => name)).toEqual(['node', 'child', 'twice']);
    for (const [i, node] of [child, mirrored].entries()) {
      const m = node.getWorldMatrix();
      for (let v = 0; v < 8; v++) {
        const p = [v & 1, (v >> 1) & 1, (v >> 2) & 1].map((bit) => bit - 0.5);
        for (let k = 0; k < 3; k++) {
          const expected = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
          // Both work in doubles on numbers below 10.
          expect(Math.abs(read.positions[24 * (i + 1) + 3 * v + k] - expected)).toBeLessThan(1e-13);
        }
      }
    }
    // 1 + |1·−2·3| + |…·−0.5|: every cube counts positive only if it faces outwards.
    expect(Math.abs(measure(read).volume - (1 + 6 + 3))).toBeLessThan(1e-12);
  });

  it('applies a sheared hierarchy as it is, and turns normals with it', async () => {
    const json = tetrahedronJson();
    const half = Math.SQRT1_2;
    json.nodes = [
      { children: [1], scale: [1, 3, 1] },
      { mesh: 0, rotation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] },
    ];
    json.meshes[0].primitives[0].attributes.NORMAL = 0;
    const mesh = await readJson(json);
    const expected = [0, 0, 0, half, 3 * half, 0, -half, 3 * half, 0, 0, 0, 1];
    mesh.positions.forEach((value, i) => {
      expect(Math.abs(value - expected[i])).toBeLessThan(1e-14);
    });
    // "Normals" (1, 0, 0) and (0, 1, 0): the inverse transpose divides by the scale where the matrix multiplies.
    const length = Math.sqrt(half * half + (half / 3) ** 2);
    const normals = [half, half / 3, 0, -half, half / 3, 0].map((value) => value / length);
    normals.forEach((value, i) => {
      // Single precision.
      expect(Math.abs((mesh.normals as Float32Array)[3 + i] - value)).toBeLessThan(1e-7);
    });
  });

  it('reads strips and fans, and passes over points and lines', async () => {
    const json = tetrahedronJson();
    const [primitive] = json.meshes[0].primitives;
    json.meshes[0].primitives = [0, 1, 2, 3, 5, 6].map((mode) => ({ ...primitive, mode }));
    json.accessors[1].count = 5;
    const mesh = await readJson(json);
    // Indices 0 2 1 0 1. Strip: 0 2 1, then 2 0 1, then 1 0 1, which only joins. Fan about 0: 2 1, then 1 0 and 0 1.
    expect(triples(mesh.triangles.subarray(0, 6))).toEqual([
      [0, 2, 1],
      [2, 0, 1],
    ]);
    expect(triples(mesh.triangles.subarray(6).map((v) => v - 4))).toEqual([[2, 1, 0]]);
    expect(mesh.parts.length).toBe(2);
  });

  it('reads interleaved, sparse and absent data', async () => {
    const json = tetrahedronJson();
    const bytes = new Uint8Array(128);
    const view = new DataView(bytes.buffer);
    // Positions every 20 bytes from byte 4 on; two of them replaced by sparse values.
    for (let v = 0; v < 4; v++) for (let k = 0; k < 3; k++) view.setFloat32(4 + 20 * v + 4 * k, 10 * v + k, true);
    bytes.set([1, 3], 84);
    [7, 8, 9, -1, -2, -3].forEach((value, i) => {
      view.setFloat32(88 + 4 * i, value, true);
    });
    json.bufferViews = [
      { buffer: 0, byteLength: 84, byteStride: 20 },
      { buffer: 1, byteOffset: 48, byteLength: 24 },
      { buffer: 0, byteOffset: 80, byteLength: 48 },
    ];
    json.buffers = [{ byteLength: 128, uri: dataUri(bytes) }, json.buffers[0]];
    const sparse = {
      count: 2,
      indices: { bufferView: 2, byteOffset: 4, componentType: 5121 },
      values: { bufferView: 2, byteOffset: 8 },
    };
    Object.assign(json.accessors[0], { byteOffset: 4, sparse });
    expect([...(await readJson(json)).positions]).toEqual([0, 1, 2, 7, 8, 9, 20, 21, 22, -1, -2, -3]);
    delete json.accessors[0].bufferView;
    delete json.accessors[0].byteOffset;
    expect([...(await readJson(json)).positions]).toEqual([0, 0, 0, 7, 8, 9, 0, 0, 0, -1, -2, -3]);
    delete json.accessors[0].sparse;
    expect([...(await readJson(json)).positions]).toEqual(new Array(12).fill(0));
  });

  it('reads quantised, meshopt-compressed and Draco-compressed positions', async () => {
    const quantised = documentOf(torus);
    quantised.createExtension(KHRMeshQuantization).setRequired(true);
    const [accessor] = quantised.getRoot().listAccessors();
    accessor.setArray(Int16Array.from(torus.positions, (x) => Math.round((32767 * x) / 3))).setNormalized(true);
    const io = quietIo().registerExtensions([KHRMeshQuantization, EXTMeshoptCompression, KHRDracoMeshCompression]);
    await MeshoptEncoder.ready;
    io.registerDependencies({
      'meshopt.encoder': MeshoptEncoder,
      'draco3d.encoder': await draco3d.createEncoderModule(),
    });
    const plain = await readMesh(await io.writeBinary(quantised), 'a.glb');
    plain.positions.forEach((value, i) => {
      // Half a step of 1/32767.
      expect(Math.abs(value - torus.positions[i] / 3)).toBeLessThan(1.6e-5);
    });
    quantised.createExtension(EXTMeshoptCompression).setRequired(true);
    const meshopt = await readMesh(await io.writeBinary(quantised), 'a.glb');
    expect(meshopt.positions).toEqual(plain.positions);
    expect(measure(meshopt)).toMatchObject({ genus: 1, volume: measure(plain).volume });

    const compressed = documentOf(torus);
    compressed.createExtension(KHRDracoMeshCompression).setRequired(true);
    const bytes = await io.writeBinary(compressed);
    await expect(readMesh(bytes, 'a.glb')).rejects.toThrow(/draco3dgltf/);
    const draco = await readMesh(bytes, 'a.glb', { draco: () => draco3d.createDecoderModule() });
    expect(validate(draco).problems).toEqual([]);
    // 14 bits for a torus 5 m wide.
    expect(Math.abs(measure(draco).volume / measure(torus).volume - 1)).toBeLessThan(1e-3);
  });

  it('takes files without scenes, without nodes, and several trees', async () => {
    const json = tetrahedronJson();
    delete json.scene;
    delete json.scenes;
    json.nodes = [{ children: [1] }, { mesh: 0 }, { mesh: 0 }];
    expect((await readJson(json)).parts.length).toBe(2);
    delete json.nodes;
    expect((await readJson(json)).parts.map(({ name, material }) => [name, material])).toEqual([['mesh', 'red']]);
  });

  it('walks down a hundred thousand nested nodes', async () => {
    const json = tetrahedronJson();
    const depth = 100_000;
    json.nodes = Array.from({ length: depth }, (_, i) => ({ children: [i + 1], translation: [0, 1e-5, 0] }));
    json.nodes.push({ mesh: 0 });
    const mesh = await readJson(json);
    // The sum of a hundred thousand roundings of 1e-5.
    expect(Math.abs(mesh.positions[1] - 1)).toBeLessThan(1e-9);
  });
});

describe('units and axes', () => {
  it('scales and turns every format alike, exactly', async () => {
    const json = tetrahedronJson();
    json.meshes[0].primitives[0].attributes.NORMAL = 0;
    const bytes = bytesOfJson(json);
    const [x, z] = [
      await readVisibleMesh(bytes, 'a.gltf', { upAxis: 'x' }),
      await readVisibleMesh(bytes, 'a.gltf', { upAxis: 'z' }),
    ];
    // The tips of x, y and z in turn; up becomes +Y.
    expect([...x.positions.subarray(3)].map((value) => value + 0)).toEqual([0, 1, 0, -1, 0, 0, 0, 0, 1]);
    expect([...z.positions.subarray(3)].map((value) => value + 0)).toEqual([1, 0, 0, 0, 0, -1, 0, 1, 0]);
    expect([...(z.normals as Float32Array)].map((value) => value + 0)).toEqual(
      [...z.positions].map((value) => value + 0),
    );
    for (const mesh of [x, z]) expect(Math.abs(measure(mesh).volume - 1 / 6)).toBeLessThan(1e-15);
    const text = new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 8\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
    const scaled = await readMesh(text, 'a.obj', { unit: 'cm', scale: 2, upAxis: 'z' });
    expect(scaled.positions[10]).toBe(0.02 * 8);
    await expect(readMesh(text, 'a.obj', { scale: 0 })).rejects.toThrow(RangeError);
    await expect(readMesh(text, 'a.obj', { unit: 'ell' as never })).rejects.toThrow('unit must be one of m, dm');
  });
});

describe('visible OBJ', () => {
  it('splits vertices where texture coordinates or normals differ, and keeps groups', async () => {
    const text = [
      'mtllib a.mtl',
      'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0',
      'vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5',
      'vn 0 0 1',
      'o first\nusemtl red',
      'f 1/1/1 2/2/1 3/3/1',
      'f 1/4/1 3/3/1 4/1/1',
      'g second',
      'f 1 2 3 4',
    ].join('\n');
    const mesh = await readVisibleMesh(new TextEncoder().encode(text), 'a.obj');
    expect(triples(mesh.triangles)).toEqual([
      [0, 1, 2],
      [3, 2, 4],
      [5, 6, 7],
      [5, 7, 8],
    ]);
    expect(
      mesh.parts.map(({ name, material, firstVertex, triangleCount }) => [name, material, firstVertex, triangleCount]),
    ).toEqual([
      ['first', 'red', 0, 2],
      ['second', 'red', 5, 2],
    ]);
    expect([...(mesh.uvs as Float32Array).subarray(0, 10)]).toEqual([0, 0, 1, 0, 1, 1, 0.5, 0, 0, 0]);
    expect([...(mesh.normals as Float32Array).subarray(12, 18)]).toEqual([0, 0, 1, 0, 0, 0]);
    expect([...mesh.positions.subarray(9, 12)]).toEqual([0, 0, 0]);
    const failing = readVisibleMesh(new TextEncoder().encode(text.replace('3/3/1', '3/5/1')), 'a.obj');
    await expect(failing).rejects.toThrow(MeshReadError);
    await expect(failing).rejects.toThrow(
      'line 13: expected an index up to 4, the number of texture coordinates, found "5"',
    );
  });
});
