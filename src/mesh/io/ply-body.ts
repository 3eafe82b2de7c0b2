// Walks over the elements of a PLY file's body: reads the positions of vertices and the corners of faces.

import { MeshReadError } from './mesh-read-error.js';
import { PLY_TYPE_BYTES, type PlyElement, type PlyHeader } from './ply-header.js';
import { FaceList, MOST_CORNERS } from './polygons.js';
import { decodeText, TextLines } from './text-lines.js';

export interface PlyBody {
  readonly positions: Float64Array;
  readonly faces: FaceList;
  /** Of each property that is kept, a number per vertex. */
  readonly columns: readonly (readonly number[])[];
}

/** Words looked at in one line of text; a longer list is refused before it fills the memory. */
const MOST_WORDS = 1_000_000;

const AXES = ['x', 'y', 'z'];

/** Whole numbers of one or two bytes without sign are shares of the largest, as colours are. */
const LARGEST: Readonly<Record<string, number>> = { uchar: 255, uint8: 255, ushort: 65535, uint16: 65535 };

const isCorners = (element: PlyElement, name: string) =>
  element.name === 'face' && (name === 'vertex_indices' || name === 'vertex_index');

/** Adds one face after checking it; `fail` knows the place. */
function addFace(
  faces: FaceList,
  corners: readonly number[],
  vertexCount: number,
  fail: (expected: string, found: string) => never,
): void {
  if (corners.length < 3 || corners.length > MOST_CORNERS) {
    fail(`a face with 3 to ${MOST_CORNERS} corners`, String(corners.length));
  }
  for (const corner of corners) {
    if (!(corner >= 0 && corner < vertexCount) || !Number.isInteger(corner)) {
      fail(`a vertex from 0 to ${vertexCount - 1}`, String(corner));
    }
    faces.corners.push(corner);
  }
  faces.sizes.push(corners.length);
}

const vertexCountOf = (header: PlyHeader) => header.elements.find(({ name }) => name === 'vertex')?.count ?? 0;

function walkText(bytes: Uint8Array, header: PlyHeader, kept: readonly string[]): PlyBody {
  const text = decodeText(bytes.subarray(header.length), 'the body of an ASCII PLY file');
  const lines: TextLines = new TextLines(text, '', false, header.lineCount);
  // Lists grow with what is read: counts in a header are no reason to claim memory.
  const coordinates: number[] = [];
  const faces = new FaceList();
  const columns = kept.map((): number[] => []);
  const fail = (expected: string, found: string) => lines.fail(expected, found);
  for (const element of header.elements) {
    for (let i = 0; i < element.count; i++) {
      const line = lines.next();
      if (line === null) lines.fail(`${element.name} ${i + 1} of ${element.count}`, null);
      const words = line.split(/\s+/, MOST_WORDS);
      let at = 0;
      for (const { name, type, countType } of element.properties) {
        if (countType === null) {
          const value = lines.number(words[at++], `the number "${name}" of ${element.name} ${i}`);
          if (element.name !== 'vertex') continue;
          const axis = AXES.indexOf(name);
          if (axis >= 0) coordinates[3 * i + axis] = value;
          columns[kept.indexOf(name)]?.push(value / (LARGEST[type] ?? 1));
          continue;
        }
        const size = lines.integer(words[at++], `the length of "${name}" of ${element.name} ${i}`);
        if (size < 0 || at + size > words.length)
          lines.fail(`"${name}" of ${element.name} ${i} with its numbers`, line);
        if (isCorners(element, name)) {
          const corners = words.slice(at, at + size);
          addFace(
            faces,
            corners.map((word) => lines.integer(word, 'the index of a vertex')),
            vertexCountOf(header),
            fail,
          );
        }
        at += size;
      }
      if (at !== words.length) lines.fail(`${at} numbers for ${element.name} ${i}`, line);
    }
  }
  return { positions: Float64Array.from(coordinates), faces, columns };
}

/** Reads one number of a given type. */
function readNumber(view: DataView, at: number, type: string, littleEndian: boolean): number {
  switch (type) {
    case 'char':
    case 'int8':
      return view.getInt8(at);
    case 'uchar':
    case 'uint8':
      return view.getUint8(at);
    case 'short':
    case 'int16':
      return view.getInt16(at, littleEndian);
    case 'ushort':
    case 'uint16':
      return view.getUint16(at, littleEndian);
    case 'int':
    case 'int32':
      return view.getInt32(at, littleEndian);
    case 'uint':
    case 'uint32':
      return view.getUint32(at, littleEndian);
    case 'float':
    case 'float32':
      return view.getFloat32(at, littleEndian);
    default:
      return view.getFloat64(at, littleEndian);
  }
}

function walkBinary(bytes: Uint8Array, header: PlyHeader, kept: readonly string[]): PlyBody {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const littleEndian = header.format === 'binary_little_endian';
  const vertexCount = vertexCountOf(header);
  const faces = new FaceList();
  const columns = kept.map((): number[] => []);
  const coordinates: number[] = [];
  let at = header.length;
  const fail = (expected: string, found: string): never => {
    throw new MeshReadError(`byte ${at}: expected ${expected}, found ${found}`);
  };
  for (const element of header.elements) {
    for (let i = 0; i < element.count; i++) {
      const need = (size: number) => {
        if (at + size > bytes.length) fail(`${element.name} ${i + 1} of ${element.count}`, 'the end of the file');
      };
      for (const { name, type, countType } of element.properties) {
        const itemBytes = PLY_TYPE_BYTES[type];
        if (countType === null) {
          need(itemBytes);
          const axis = element.name === 'vertex' ? AXES.indexOf(name) : -1;
          if (axis >= 0) coordinates[3 * i + axis] = readNumber(view, at, type, littleEndian);
          const column = element.name === 'vertex' ? columns[kept.indexOf(name)] : undefined;
          column?.push(readNumber(view, at, type, littleEndian) / (LARGEST[type] ?? 1));
          at += itemBytes;
          continue;
        }
        need(PLY_TYPE_BYTES[countType]);
        const size = readNumber(view, at, countType, littleEndian);
        if (!(size >= 0) || !Number.isInteger(size))
          fail(`the length of "${name}" of ${element.name} ${i}`, String(size));
        at += PLY_TYPE_BYTES[countType];
        need(size * itemBytes);
        if (isCorners(element, name)) {
          const corners: number[] = [];
          for (let k = 0; k < Math.min(size, MOST_CORNERS + 1); k++) {
            corners.push(readNumber(view, at + k * itemBytes, type, littleEndian));
          }
          addFace(faces, corners, vertexCount, fail);
        }
        at += size * itemBytes;
      }
    }
  }
  return { positions: Float64Array.from(coordinates), faces, columns };
}

/** Walks over the whole body; a body that ends early or refers to missing vertices is an error. */
export function walkPlyBody(bytes: Uint8Array, header: PlyHeader, kept: readonly string[] = []): PlyBody {
  for (const { name, count, properties } of header.elements) {
    if (count > 0 && properties.length === 0)
      throw new MeshReadError(`line 1: expected properties of the element "${name}"`);
  }
  return header.format === 'ascii' ? walkText(bytes, header, kept) : walkBinary(bytes, header, kept);
}
