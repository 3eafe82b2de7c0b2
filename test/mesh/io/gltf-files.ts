// Small glTF files for tests: written by glTF-Transform where it can, by hand where a file is to be odd.

import { Document, Logger, WebIO } from '@gltf-transform/core';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';

export const quietIo = () => new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));

/** A document with the mesh on one node, in single precision. */
export function documentOf(mesh: TriangleMesh): Document {
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  const buffer = document.createBuffer();
  const positions = document.createAccessor().setType('VEC3').setArray(Float32Array.from(mesh.positions));
  const indices = document.createAccessor().setType('SCALAR').setArray(Uint16Array.from(mesh.triangles));
  for (const accessor of [positions, indices]) accessor.setBuffer(buffer);
  const primitive = document.createPrimitive().setAttribute('POSITION', positions).setIndices(indices);
  const node = document.createNode('node').setMesh(document.createMesh('mesh').addPrimitive(primitive));
  document.createScene().addChild(node);
  return document;
}

/** biome-ignore lint/suspicious/noExplicitAny: JSON to be spoilt at will */
export type Json = any;

/** A tetrahedron as JSON with its buffer in a data URI: positions (48 bytes), then indices (12 × uint16). */
export function tetrahedronJson(): Json {
  const bytes = new Uint8Array(72);
  new Float32Array(bytes.buffer, 0, 12).set([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  new Uint16Array(bytes.buffer, 48, 12).set([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
  return {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, name: 'node' }],
    meshes: [{ name: 'mesh', primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [{ name: 'red' }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
      { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 24 },
    ],
    buffers: [{ byteLength: 72, uri: dataUri(bytes) }],
  };
}

export const dataUri = (bytes: Uint8Array): string =>
  `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;

export const bytesOfJson = (json: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(json));
