// Reads Wavefront OBJ: vertices and faces, with texture coordinates and normals on request; everything else in such a
// file is passed over.
// Our own reader because three's OBJLoader gives every corner of every face a vertex of its own (measured: a teapot of
// 792 vertices and 992 triangles comes back with 2976 vertices) and loses vertices without faces.

import type { TriangleMesh } from '../triangle-mesh.js';
import { FaceList, MOST_CORNERS, MOST_ELEMENTS, meshFromFaces } from './polygons.js';
import { decodeText, TextLines } from './text-lines.js';

/** Kinds of numbered things that a corner of a face refers to, in the order in which it does. */
const KINDS = [
  { key: 'v', size: 3, plural: 'vertices' },
  { key: 'vt', size: 2, plural: 'texture coordinates' },
  { key: 'vn', size: 3, plural: 'normals' },
] as const;

export const NO_INDEX = -1;

/** Faces from `firstFace` on, to the next group. */
export interface ObjGroup {
  readonly firstFace: number;
  readonly name: string;
  readonly material: string;
}

export interface ObjContents {
  /** Numbers of the vertices, the texture coordinates and the normals. */
  readonly values: readonly [number[], number[], number[]];
  readonly faces: FaceList;
  /** Beside `faces.corners`: texture coordinates and normals of the corners, `NO_INDEX` for none. Empty unless asked for. */
  readonly uvCorners: number[];
  readonly normalCorners: number[];
  readonly groups: ObjGroup[];
}

/** Reads the text; `complete` asks for more than vertices and faces, of each of which there may be `most`. */
export function parseObj(bytes: Uint8Array, complete: boolean, most = MOST_ELEMENTS): ObjContents {
  const lines: TextLines = new TextLines(decodeText(bytes, 'the text of an OBJ file'), '#', true);
  const values: [number[], number[], number[]] = [[], [], []];
  const faces = new FaceList();
  const corners = [faces.corners, [] as number[], [] as number[]];
  const groups: ObjGroup[] = [];
  let [name, material] = ['', ''];
  // A face may name a vertex that comes later, so the largest index can only be judged at the end.
  const largest = [-1, -1, -1];
  const largestLine = [0, 0, 0];

  const readValues = (line: string, kind: number): void => {
    const { key, size, plural } = KINDS[kind];
    if (values[kind].length >= size * most) lines.fail(`at most ${most} ${plural}`, line);
    const words = line.split(/\s+/, size + 1);
    const expected = kind === 1 ? 'two texture coordinates after "vt"' : `three coordinates after "${key}"`;
    // A texture along a line has one coordinate.
    if (kind === 1) words[2] ??= '0';
    for (let k = 1; k <= size; k++) values[kind].push(lines.number(words[k], expected));
  };
  const readCorner = (word: string): void => {
    const references = complete ? word.split('/', 3) : [word.split('/', 1)[0]];
    for (let kind = 0; kind < (complete ? 3 : 1); kind++) {
      const text = references[kind];
      if (kind > 0 && !text) {
        corners[kind].push(NO_INDEX);
        continue;
      }
      const count = values[kind].length / KINDS[kind].size;
      const index = lines.integer(text, kind === 0 ? 'the index of a vertex' : `the index of ${KINDS[kind].plural}`);
      const place = index < 0 ? count + index : index - 1;
      if (place < 0) lines.fail(`an index from 1 on, or back to -${count}`, word);
      if (place > largest[kind]) [largest[kind], largestLine[kind]] = [place, lines.lineNumber];
      corners[kind].push(place);
    }
  };
  const readFace = (line: string): void => {
    if (faces.sizes.length >= most) lines.fail(`at most ${most} faces`, line);
    const words = line.split(/\s+/, MOST_CORNERS + 2);
    const size = words.length - 1;
    if (size < 3 || size > MOST_CORNERS) lines.fail(`a face with 3 to ${MOST_CORNERS} corners`, line);
    const last = groups.at(-1);
    if (complete && (last === undefined || last.name !== name || last.material !== material)) {
      groups.push({ firstFace: faces.sizes.length, name, material });
    }
    for (let k = 1; k <= size; k++) readCorner(words[k]);
    faces.sizes.push(size);
  };

  for (let line = lines.next(); line !== null; line = lines.next()) {
    const end = line.search(/[ \t]/);
    switch (end < 0 ? '' : line.slice(0, end)) {
      case 'v':
        readValues(line, 0);
        break;
      case 'vt':
        if (complete) readValues(line, 1);
        break;
      case 'vn':
        if (complete) readValues(line, 2);
        break;
      case 'f':
        readFace(line);
        break;
      case 'o':
      case 'g':
        name = line.slice(end).trim();
        break;
      case 'usemtl':
        material = line.slice(end).trim();
    }
  }
  if (values[0].length === 0) lines.fail('vertices ("v x y z") in an OBJ file', null);
  if (faces.sizes.length === 0) lines.fail('faces ("f a b c") in an OBJ file', null);
  KINDS.forEach(({ size, plural }, kind) => {
    const count = values[kind].length / size;
    if (largest[kind] < count) return;
    lines.lineNumber = largestLine[kind];
    lines.fail(`an index up to ${count}, the number of ${plural}`, String(largest[kind] + 1));
  });
  return { values, faces, uvCorners: corners[1], normalCorners: corners[2], groups };
}

export function readObj(bytes: Uint8Array): TriangleMesh {
  const { values, faces } = parseObj(bytes, false);
  return meshFromFaces(new Float64Array(values[0]), faces);
}
