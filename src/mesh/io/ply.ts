// Reads PLY, ASCII and binary of both byte orders. Our own reader because three's loader drops faces with more than four
// corners, splits all vertices of a mesh with coloured faces, and is half a megabyte.

import type { AttributedMesh } from '../vertex-attributes.js';
import { MeshReadError } from './mesh-read-error.js';
import { walkPlyBody } from './ply-body.js';
import { type PlyElement, type PlyHeader, readPlyHeader } from './ply-header.js';
import { meshFromFaces } from './polygons.js';

function requireElement(header: PlyHeader, name: string): PlyElement {
  const element = header.elements.find((candidate) => candidate.name === name);
  if (element === undefined || element.count === 0) {
    throw new MeshReadError(`line 1: expected an element "${name}" with at least one entry in the header`);
  }
  return element;
}

/** @param attributes properties of the vertices that are kept, where the file has them as single numbers. */
export function readPly(bytes: Uint8Array, attributes: readonly string[] = []): AttributedMesh {
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
  const kept = attributes.filter((name) =>
    vertex.properties.some((property) => property.name === name && property.countType === null),
  );
  for (const name of kept) {
    if (vertex.properties.filter((property) => property.name === name).length > 1) {
      throw new MeshReadError(`line 1: expected the property "${name}" of the element "vertex" once in the header`);
    }
  }
  const { positions, faces, columns } = walkPlyBody(bytes, header, kept);
  const mesh = meshFromFaces(positions, faces);
  if (attributes.length === 0) return mesh;
  return { ...mesh, attributes: Object.fromEntries(columns.map((column, i) => [kept[i], Float64Array.from(column)])) };
}
