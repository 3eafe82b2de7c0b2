// Reads STL, binary and ASCII. Our own reader because the format is a list of corners: three's loader trusts the count in
// a binary file, takes quadratic time on text that is not quite STL, rounds text to single precision, and is half a
// megabyte.

import type { TriangleMesh } from '../triangle-mesh.js';
import { weld } from '../weld.js';
import { MeshReadError } from './mesh-read-error.js';
import { MOST_ELEMENTS } from './polygons.js';
import { decodeText, TextLines } from './text-lines.js';

const HEADER_BYTES = 84;
const FACET_BYTES = 50;

/** Begins like ASCII and is not, by its length, a binary file whose header happens to begin with "solid". */
function isText(bytes: Uint8Array, binaryLength: number): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 80)).replace(/^\u00ef\u00bb\u00bf/, '');
  return /^\s*solid/i.test(start) && bytes.length !== binaryLength;
}

/** Corners of all facets; names and normals, which may hold anything, are passed over. */
function readText(bytes: Uint8Array): Float64Array {
  const lines: TextLines = new TextLines(decodeText(bytes, 'the text of an STL file'), '');
  const corners: number[] = [];
  const expect = (pattern: RegExp, expected: string): string => {
    const line = lines.next();
    if (line === null || !pattern.test(line)) lines.fail(expected, line);
    return line;
  };
  expect(/^solid/i, '"solid"');
  let inside = true;
  for (let line = lines.next(); line !== null || inside; line = lines.next()) {
    if (inside && line !== null && /^facet\s/i.test(line)) {
      if (corners.length >= 9 * MOST_ELEMENTS) lines.fail(`at most ${MOST_ELEMENTS} triangles`, line);
      expect(/^outer\s+loop$/i, '"outer loop"');
      for (let k = 0; k < 3; k++) {
        const words = expect(/^vertex\s/i, '"vertex x y z"').split(/\s+/, 4);
        for (let i = 1; i <= 3; i++) {
          const value = lines.number(words[i], 'three coordinates after "vertex"');
          if (!Number.isFinite(value)) lines.fail('three finite coordinates after "vertex"', words.join(' '));
          corners.push(value);
        }
      }
      expect(/^endloop$/i, '"endloop"');
      expect(/^endfacet$/i, '"endfacet"');
    } else if (inside && line !== null && /^endsolid/i.test(line)) inside = false;
    else if (!inside && line !== null && /^solid/i.test(line)) inside = true;
    else lines.fail(inside ? '"facet" or "endsolid"' : '"solid" or the end of the file', line);
  }
  if (corners.length === 0) lines.fail('at least one facet', null);
  return Float64Array.from(corners);
}

/** Corners of the facets that the file's count speaks of; what stands behind them is passed over. */
function readBinary(bytes: Uint8Array, view: DataView, count: number): Float64Array {
  const needed = HEADER_BYTES + FACET_BYTES * count;
  if (needed > bytes.length) {
    throw new MeshReadError(`byte 80: expected ${needed} bytes for ${count} triangles, the file has ${bytes.length}`);
  }
  if (count > MOST_ELEMENTS) {
    throw new MeshReadError(`byte 80: expected at most ${MOST_ELEMENTS} triangles, found ${count}`);
  }
  if (count === 0) throw new MeshReadError('byte 80: expected at least one triangle, found a count of 0');
  const corners = new Float64Array(9 * count);
  for (let facet = 0; facet < count; facet++) {
    // Behind the normal.
    const at = HEADER_BYTES + FACET_BYTES * facet + 12;
    for (let k = 0; k < 9; k++) corners[9 * facet + k] = view.getFloat32(at + 4 * k, true);
  }
  return corners;
}

/** Facets of an STL file share no vertices, so equal corners are welded at once. */
export function readStl(bytes: Uint8Array): TriangleMesh {
  if (bytes.length === 0) throw new MeshReadError('byte 0: expected an STL file, the file is empty');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= HEADER_BYTES ? view.getUint32(80, true) : -1;
  let positions: Float64Array;
  if (isText(bytes, HEADER_BYTES + FACET_BYTES * count)) positions = readText(bytes);
  else if (count < 0) {
    throw new MeshReadError(
      `byte 0: expected "solid" or a binary header of ${HEADER_BYTES} bytes, the file has ${bytes.length}`,
    );
  } else positions = readBinary(bytes, view, count);
  const triangles = new Uint32Array(positions.length / 3).map((_, i) => i);
  return weld({ positions, triangles }, { tolerance: 0 }).mesh;
}
