// Small sound files of every format, for mutations to begin with.

import { type Document, Logger } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer';
import { writeMeshes } from '../../../src/mesh/io/write-mesh.js';
import { bytesOfJson, documentOf, quietIo, tetrahedronJson } from '../io/gltf-files.js';
import { combine, cube, gridTorus, moved, soup } from '../sample-meshes.js';

export interface SeedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Text of an ASCII file: our writers of STL and PLY are binary. */
function asciiFiles(): SeedFile[] {
  const { positions, triangles } = cube();
  const point = (v: number) => [...positions.subarray(3 * v, 3 * v + 3)].join(' ');
  const corners = Array.from({ length: triangles.length / 3 }, (_, t) => [...triangles.subarray(3 * t, 3 * t + 3)]);
  const facets = corners.map(
    (t) => `facet normal 0 0 0\nouter loop\n${t.map((v) => `vertex ${point(v)}`).join('\n')}\nendloop\nendfacet`,
  );
  const ply = [
    'ply',
    'format ascii 1.0',
    'element vertex 8',
    'property float x',
    'property float y',
    'property float z',
    `element face ${corners.length}`,
    'property list uchar int vertex_indices',
    'end_header',
    ...Array.from({ length: 8 }, (_, v) => point(v)),
    ...corners.map((t) => `3 ${t.join(' ')}`),
  ];
  const encode = (lines: string[]) => new TextEncoder().encode(`${lines.join('\n')}\n`);
  return [
    { name: 'ascii.stl', bytes: encode(['solid a', ...facets, 'endsolid a']) },
    { name: 'ascii.ply', bytes: encode(ply) },
  ];
}

/** Two parts with normals and texture coordinates on nested nodes, one of them mirrored. */
function richDocument(): Document {
  const document = documentOf(soup(gridTorus(8, 6)));
  const root = document.getRoot();
  const [primitive] = root.listMeshes()[0].listPrimitives();
  const count = primitive.getAttribute('POSITION')?.getCount() ?? 0;
  const [buffer] = root.listBuffers();
  const fill = (type: 'VEC2' | 'VEC3', size: number) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(new Float32Array(size * count).fill(0.5))
      .setBuffer(buffer);
  primitive.setAttribute('NORMAL', fill('VEC3', 3)).setAttribute('TEXCOORD_0', fill('VEC2', 2));
  const child = document
    .createNode('child')
    .setMesh(root.listMeshes()[0])
    .setScale([-1, 1, 1])
    .setTranslation([1, 0, 0]);
  root.listNodes()[0].addChild(child).setRotation([0.5, 0.5, 0.5, 0.5]);
  return document.setLogger(new Logger(Logger.Verbosity.SILENT));
}

export async function makeSeedFiles(): Promise<SeedFile[]> {
  const meshes = [
    { name: 'a', mesh: gridTorus(8, 6) },
    { name: 'b', mesh: combine(cube(), moved(cube(), [0.4, 0.3, 0.2])) },
  ];
  await MeshoptEncoder.ready;
  const io = quietIo().registerExtensions([EXTMeshoptCompression, KHRDracoMeshCompression]);
  io.registerDependencies({
    'meshopt.encoder': MeshoptEncoder,
    'draco3d.encoder': await draco3d.createEncoderModule(),
  });
  const packed = documentOf(gridTorus(10, 8));
  packed.createExtension(EXTMeshoptCompression).setRequired(true);
  const draco = documentOf(gridTorus(10, 8));
  draco.createExtension(KHRDracoMeshCompression).setRequired(true);
  const sparse = tetrahedronJson();
  sparse.bufferViews.push({ buffer: 0, byteOffset: 48, byteLength: 2 }, { buffer: 0, byteOffset: 0, byteLength: 12 });
  sparse.accessors[0].sparse = {
    count: 1,
    indices: { bufferView: 2, componentType: 5123 },
    values: { bufferView: 3 },
  };
  const own = await Promise.all(
    ['obj', 'off', 'stl', 'ply', 'glb'].flatMap((format) =>
      (format === 'glb' || format === 'obj' ? [meshes, meshes.slice(1)] : [meshes.slice(0, 1), meshes.slice(1)]).map(
        async (chosen, i) => ({ name: `own${i}.${format}`, bytes: await writeMeshes(chosen, `a.${format}`) }),
      ),
    ),
  );
  return [
    ...own,
    ...asciiFiles(),
    { name: 'rich.glb', bytes: await quietIo().writeBinary(richDocument()) },
    { name: 'meshopt.glb', bytes: await io.writeBinary(packed) },
    { name: 'draco.glb', bytes: await io.writeBinary(draco) },
    { name: 'plain.gltf', bytes: bytesOfJson(tetrahedronJson()) },
    { name: 'sparse.gltf', bytes: bytesOfJson(sparse) },
  ];
}
