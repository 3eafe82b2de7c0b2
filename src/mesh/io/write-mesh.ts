// Writes meshes into the bytes of a file; the format is told by the name's ending.

import { boundsOf, centreOf, diagonalOf } from '../measure.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { GltfWriter } from './gltf/gltf-writer.js';

/** A mesh of a file, with its name there. */
export interface NamedMesh {
  readonly name: string;
  readonly mesh: TriangleMesh;
}

type Writer = (meshes: readonly NamedMesh[]) => Uint8Array | Promise<Uint8Array>;

const WRITERS: Readonly<Record<string, Writer>> = {
  glb: writeGlb,
  obj: writeObj,
  off: (meshes) => writeOff(meshes[0].mesh),
  stl: (meshes) => writeStl(meshes[0].mesh),
  ply: (meshes) => writePly(meshes[0].mesh),
};
/** Formats that hold several meshes in one file, each with its name. */
const SEVERAL = ['glb', 'obj'];
/** Formats that round coordinates to single precision. */
const SINGLE_PRECISION = ['glb', 'stl'];

/** Endings of the files that can be written. */
export const WRITTEN_FORMATS: readonly string[] = Object.keys(WRITERS);

const extensionOf = (fileName: string): string => /\.([^./\\]+)$/.exec(fileName)?.[1].toLowerCase() ?? '';

/**
 * Throws a RangeError where `writeMeshes` would, without meshes at hand.
 * @example
 * ```ts
 * checkWritten('body.obj', 1); // throws where such a file cannot be written
 * ```
 */
export function checkWritten(fileName: string, meshCount: number): void {
  const extension = extensionOf(fileName);
  if (!Object.hasOwn(WRITERS, extension)) {
    const known = WRITTEN_FORMATS.map((name) => `.${name}`).join(', ');
    throw new RangeError(`expected a name that ends with one of ${known}`);
  }
  if (meshCount > 1 && !SEVERAL.includes(extension)) {
    const fitting = SEVERAL.map((name) => `.${name}`).join(' or ');
    throw new RangeError(`expected a name that ends with ${fitting} for ${meshCount} bodies in one file`);
  }
}

/**
 * The mesh as it will be read from such a file again.
 * @example
 * ```ts
 * const mesh = roundForFile(icosphere(), 'ball.stl'); // as a reader of the file will see it
 * ```
 */
export function roundForFile(mesh: TriangleMesh, fileName: string): TriangleMesh {
  if (!SINGLE_PRECISION.includes(extensionOf(fileName))) return mesh;
  const origin = extensionOf(fileName) === 'glb' ? farOrigin(mesh) : [0, 0, 0];
  const positions = mesh.positions.map((value, i) => Math.fround(value - origin[i % 3]) + origin[i % 3]);
  return { positions, triangles: mesh.triangles };
}

/**
 * Throws a RangeError for an unknown ending, and for several meshes in a format that holds one.
 * @example
 * ```ts
 * const bytes = await writeMeshes([{ name: 'ball', mesh: icosphere() }], 'ball.glb');
 * ```
 */
export async function writeMeshes(meshes: readonly NamedMesh[], fileName: string): Promise<Uint8Array> {
  checkWritten(fileName, meshes.length);
  return WRITERS[extensionOf(fileName)](meshes);
}

/** Middle of a mesh that is farther away than it is large, the origin for others: single precision is relative to it. */
export function farOrigin(mesh: Pick<TriangleMesh, 'positions'>): readonly number[] {
  const bounds = boundsOf(mesh.positions);
  const centre = centreOf(bounds);
  const isFar = Math.sqrt(centre[0] ** 2 + centre[1] ** 2 + centre[2] ** 2) > diagonalOf(bounds);
  return isFar ? centre : [0, 0, 0];
}

async function writeGlb(meshes: readonly NamedMesh[]): Promise<Uint8Array> {
  const writer = await GltfWriter.open();
  for (const { name, mesh } of meshes) {
    const origin = farOrigin(mesh);
    const points = Float32Array.from(mesh.positions, (value, i) => value - origin[i % 3]);
    const node = writer.node(name, writer.mesh(name, [writer.primitive(points, mesh.triangles)]));
    node.setTranslation([origin[0], origin[1], origin[2]]);
  }
  return writer.write();
}

/** Numbers in text have as many digits as tell them apart. */
function writeObj(meshes: readonly NamedMesh[]): Uint8Array {
  const lines: string[] = [];
  let first = 1;
  for (const { name, mesh } of meshes) {
    const { positions: p, triangles: t } = mesh;
    lines.push(`o ${name.replace(/\s+/g, ' ')}`);
    for (let i = 0; i < p.length; i += 3) lines.push(`v ${p[i]} ${p[i + 1]} ${p[i + 2]}`);
    for (let i = 0; i < t.length; i += 3) lines.push(`f ${t[i] + first} ${t[i + 1] + first} ${t[i + 2] + first}`);
    first += p.length / 3;
  }
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

function writeOff({ positions: p, triangles: t }: TriangleMesh): Uint8Array {
  const lines = ['OFF', `${p.length / 3} ${t.length / 3} 0`];
  for (let i = 0; i < p.length; i += 3) lines.push(`${p[i]} ${p[i + 1]} ${p[i + 2]}`);
  for (let i = 0; i < t.length; i += 3) lines.push(`3 ${t[i]} ${t[i + 1]} ${t[i + 2]}`);
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

/** Binary, without normals, which readers work out from the corners. */
function writeStl({ positions, triangles }: TriangleMesh): Uint8Array {
  const bytes = new Uint8Array(84 + (50 * triangles.length) / 3);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('isochore'));
  view.setUint32(80, triangles.length / 3, true);
  triangles.forEach((v, i) => {
    const at = 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3);
    for (let k = 0; k < 3; k++) view.setFloat32(at + 4 * k, positions[3 * v + k], true);
  });
  return bytes;
}

/** Binary with double precision. */
function writePly({ positions, triangles }: TriangleMesh): Uint8Array {
  const header = new TextEncoder().encode(
    [
      'ply',
      'format binary_little_endian 1.0',
      `element vertex ${positions.length / 3}`,
      ...['x', 'y', 'z'].map((axis) => `property double ${axis}`),
      `element face ${triangles.length / 3}`,
      'property list uchar uint vertex_indices',
      'end_header\n',
    ].join('\n'),
  );
  const bytes = new Uint8Array(header.length + 8 * positions.length + (13 * triangles.length) / 3);
  bytes.set(header);
  const view = new DataView(bytes.buffer, header.length);
  positions.forEach((value, i) => {
    view.setFloat64(8 * i, value, true);
  });
  const first = 8 * positions.length;
  triangles.forEach((v, i) => {
    if (i % 3 === 0) view.setUint8(first + (13 * i) / 3, 3);
    view.setUint32(first + 13 * Math.floor(i / 3) + 1 + 4 * (i % 3), v, true);
  });
  return bytes;
}
