// A ball as modellers write it: texture coordinates with a seam and a vertex per column at the poles, two materials, one with a texture,
// whose parts meet at the equator. Written by glTF-Transform, so that it is nobody's own file.

import { deflateSync } from 'node:zlib';
import { type Accessor, Document } from '@gltf-transform/core';
import { quietIo } from '../mesh/io/gltf-files.js';

const COLUMNS = 16;
const ROWS = 10;
const RADIUS = 0.4;

export interface SeamedBall {
  readonly bytes: Uint8Array;
  readonly vertexCount: number;
  readonly triangleCount: number;
  /** All parts. */
  readonly uvs: number[];
  /** Vertices without the seams. */
  readonly placeCount: number;
  readonly image: Uint8Array;
}

export async function seamedBall(): Promise<SeamedBall> {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type: 'VEC2' | 'VEC3' | 'SCALAR', array: Float32Array | Uint16Array): Accessor =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const image = png();
  const texture = document.createTexture('checks').setImage(image).setMimeType('image/png');
  const upper = document
    .createMaterial('skin')
    .setBaseColorTexture(texture)
    .setRoughnessFactor(0.7)
    .setMetallicFactor(0);
  upper.getBaseColorTextureInfo()?.setWrapS(33071).setMagFilter(9728);
  const lower = document.createMaterial('belly').setBaseColorFactor([0.1, 0.2, 0.8, 0.5]).setAlphaMode('BLEND');
  const mesh = document.createMesh('ball');
  const uvs: number[] = [];
  let [vertexCount, triangleCount] = [0, 0];
  for (const [first, last, material] of [
    [0, ROWS / 2, upper],
    [ROWS / 2, ROWS, lower],
  ] as const) {
    const [points, normals, coordinates, corners] = [[], [], [], []] as number[][];
    // A pole has a vertex for each of its triangles; none is left over, which Blender would leave out.
    const lengthOf = (row: number) => (row % ROWS === 0 ? COLUMNS : COLUMNS + 1);
    const at = (row: number, column: number) =>
      (row > first ? lengthOf(first) + (row - first - 1) * (COLUMNS + 1) : 0) + Math.min(column, lengthOf(row) - 1);
    for (let row = first; row <= last; row++) {
      for (let column = 0; column < lengthOf(row); column++) {
        const [theta, phi] = [(Math.PI * row) / ROWS, (2 * Math.PI * (column % COLUMNS)) / COLUMNS];
        const [r, y] = row % ROWS === 0 ? [0, row === 0 ? 1 : -1] : [Math.sin(theta), Math.cos(theta)];
        const direction = [r * Math.cos(phi), y, -r * Math.sin(phi)];
        normals.push(...direction);
        points.push(...direction.map((x) => RADIUS * x));
        coordinates.push(column / COLUMNS, row / ROWS);
        if (row === last || column === COLUMNS) continue;
        const right = row === 0 ? column : column + 1;
        const [a, b, c, d] = [at(row, column), at(row + 1, column), at(row + 1, column + 1), at(row, right)];
        if (row > 0) corners.push(a, b, d);
        if (row < ROWS - 1) corners.push(b, c, d);
      }
    }
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', accessor('VEC3', Float32Array.from(points)))
      .setAttribute('NORMAL', accessor('VEC3', Float32Array.from(normals)))
      .setAttribute('TEXCOORD_0', accessor('VEC2', Float32Array.from(coordinates)))
      .setIndices(accessor('SCALAR', Uint16Array.from(corners)))
      .setMaterial(material);
    mesh.addPrimitive(primitive);
    uvs.push(...coordinates);
    vertexCount += points.length / 3;
    triangleCount += corners.length / 3;
  }
  document.createScene().addChild(document.createNode('ball').setMesh(mesh));
  const placeCount = COLUMNS * (ROWS - 1) + 2;
  return { bytes: await quietIo().writeBinary(document), vertexCount, triangleCount, uvs, placeCount, image };
}

/** Two by two pixels. */
function png(): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(2, 0);
  header.writeUInt32BE(2, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.from([0, 255, 80, 60, 240, 240, 240, 0, 240, 240, 240, 255, 80, 60]);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Uint8Array.from(Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...chunks]));
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  let crc = -1;
  for (const byte of body) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeInt32BE(~crc);
  return Buffer.concat([length, body, sum]);
}
