// Reads PLY, ASCII and binary of both byte orders. Numbers of vertices are decoded by three's PLYLoader; faces are
// our own, because the loader drops faces with more than four corners and splits all vertices of a mesh with coloured
// faces.

import type { TriangleMesh } from '../triangle-mesh.js';
import { MeshReadError } from './mesh-read-error.js';
import { walkPlyBody } from './ply-body.js';
import { type PlyElement, type PlyHeader, readPlyHeader } from './ply-header.js';
import { meshFromFaces } from './polygons.js';
import { loadPositions } from './three-loader.js';

function requireElement(header: PlyHeader, name: string): PlyElement {
  const element = header.elements.find((candidate) => candidate.name === name);
  if (element === undefined || element.count === 0) {
    throw new MeshReadError(`line 1: expected an element "${name}" with at least one entry in the header`);
  }
  return element;
}

/** A file for three's loader that holds only the vertices, without any attribute but their positions. */
function vertexFile(format: string, element: PlyElement, body: Uint8Array): ArrayBuffer {
  const axes = ['x', 'y', 'z'];
  const properties = element.properties.map(({ name, type, countType }, i) => {
    const kept = axes.includes(name) ? name : `other${i}`;
    return countType === null ? `property ${type} ${kept}` : `property list ${countType} ${type} ${kept}`;
  });
  const lines = ['ply', `format ${format} 1.0`, `element vertex ${element.count}`, ...properties, 'end_header', ''];
  const header = new TextEncoder().encode(lines.join('\n'));
  const data = new Uint8Array(header.length + body.length);
  data.set(header);
  data.set(body, header.length);
  return data.buffer;
}

export async function readPly(bytes: Uint8Array): Promise<TriangleMesh> {
  const header = readPlyHeader(bytes);
  const vertex = requireElement(header, 'vertex');
  const face = requireElement(header, 'face');
  for (const axis of ['x', 'y', 'z']) {
    if (vertex.properties.filter(({ name, countType }) => name === axis && countType === null).length !== 1) {
      throw new MeshReadError(`line 1: expected the property "${axis}" of the element "vertex" once in the header`);
    }
  }
  if (
    face.properties.filter(({ name, countType }) => /^vertex_(index|indices)$/.test(name) && countType).length !== 1
  ) {
    throw new MeshReadError('line 1: expected one list "vertex_indices" of the element "face" in the header');
  }
  const { vertices, faces } = walkPlyBody(bytes, header);
  const load = async () => new (await import('three/examples/jsm/loaders/PLYLoader.js')).PLYLoader();
  const positions = await loadPositions('PLY', load, vertexFile(header.format, vertex, vertices));
  if (positions.length !== 3 * vertex.count) {
    throw new MeshReadError(`byte ${header.length}: expected ${vertex.count} vertices, found ${positions.length / 3}`);
  }
  return meshFromFaces(positions, faces);
}
