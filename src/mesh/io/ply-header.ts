// The header of a PLY file: its encoding and the layout of its elements.

import { MeshReadError } from './mesh-read-error.js';
import { MOST_ELEMENTS } from './polygons.js';
import { TextLines } from './text-lines.js';

export type PlyFormat = 'ascii' | 'binary_little_endian' | 'binary_big_endian';

export interface PlyProperty {
  readonly name: string;
  readonly type: string;
  /** Type of the length of a list; null for a single value. */
  readonly countType: string | null;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: PlyProperty[];
}

export interface PlyHeader {
  readonly format: PlyFormat;
  readonly elements: readonly PlyElement[];
  /** Bytes and lines before the body. */
  readonly length: number;
  readonly lineCount: number;
}

/** Bytes of each type, under both of its names. */
export const PLY_TYPE_BYTES: Readonly<Record<string, number>> = {
  char: 1,
  int8: 1,
  uchar: 1,
  uint8: 1,
  short: 2,
  int16: 2,
  ushort: 2,
  uint16: 2,
  int: 4,
  int32: 4,
  uint: 4,
  uint32: 4,
  float: 4,
  float32: 4,
  double: 8,
  float64: 8,
};

/** No header is longer than this; without a bound a file of anything would be searched to its end. */
const LONGEST_HEADER = 65536;

/** Text up to and with the line "end_header", and the number of bytes it takes. */
function cutHeader(bytes: Uint8Array): { text: string; length: number } {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, LONGEST_HEADER));
  if (!/^ply[ \t]*(\r\n|\r|\n)/.test(start)) {
    throw new MeshReadError(
      `line 1: expected "ply", ${bytes.length === 0 ? 'the file is empty' : 'found something else'}`,
    );
  }
  const end = /(?:\r\n|\r|\n)end_header[ \t]*(?:\r\n|\r|\n|$)/.exec(start);
  if (end === null) {
    throw new MeshReadError(`byte ${start.length}: expected "end_header" within the first ${LONGEST_HEADER} bytes`);
  }
  return { text: start.slice(0, end.index), length: end.index + end[0].length };
}

function isType(word: string | undefined): word is string {
  return word !== undefined && Object.hasOwn(PLY_TYPE_BYTES, word);
}

export function readPlyHeader(bytes: Uint8Array): PlyHeader {
  const { text, length } = cutHeader(bytes);
  const lines: TextLines = new TextLines(text, '');
  lines.next();
  let format: PlyFormat | null = null;
  const elements: PlyElement[] = [];
  for (let line = lines.next(); line !== null; line = lines.next()) {
    const words = line.split(/\s+/);
    switch (words[0]) {
      case 'comment':
      case 'obj_info':
        break;
      case 'format':
        if (!/^(ascii|binary_little_endian|binary_big_endian)$/.test(words[1] ?? '')) {
          lines.fail('"ascii", "binary_little_endian" or "binary_big_endian" after "format"', line);
        }
        format = words[1] as PlyFormat;
        break;
      case 'element': {
        const count = lines.integer(words[2], '"element", a name and a count');
        if (count < 0 || elements.some(({ name }) => name === words[1]))
          lines.fail('a new element and its count', line);
        if (count > MOST_ELEMENTS) lines.fail(`at most ${MOST_ELEMENTS} of an element`, line);
        elements.push({ name: words[1], count, properties: [] });
        break;
      }
      case 'property': {
        const isList = words[1] === 'list';
        const [countType, type, name] = isList ? words.slice(2) : [null, words[1], words[2]];
        if (elements.length === 0 || !isType(type) || !name || (isList && !isType(countType ?? undefined))) {
          lines.fail('"property", known types and a name, after an "element"', line);
        }
        elements[elements.length - 1].properties.push({ name, type, countType });
        break;
      }
      default:
        lines.fail('"format", "element", "property", "comment" or "end_header"', line);
    }
  }
  if (format === null) throw new MeshReadError('line 2: expected "format" in the header of a PLY file');
  // The line "end_header" follows the last one of the text.
  return { format, elements, length, lineCount: text.split(/\r\n|\r|\n/).length + 1 };
}
