// Reads STL, binary and ASCII, with three's STLLoader. The file is checked first: the loader trusts the count in a binary
// file, and its patterns take quadratic time on text that is not quite STL.

import type { TriangleMesh } from '../triangle-mesh.js';
import { weld } from '../weld.js';
import { MeshReadError } from './mesh-read-error.js';
import { MOST_ELEMENTS } from './polygons.js';
import { decodeText, TextLines } from './text-lines.js';
import { loadPositions } from './three-loader.js';

const HEADER_BYTES = 84;
const FACET_BYTES = 50;

/** Begins like ASCII and is not, by its length, a binary file whose header happens to begin with "solid". */
function isText(bytes: Uint8Array, binaryLength: number): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 80)).replace(/^\u00ef\u00bb\u00bf/, '');
  return /^\s*solid/i.test(start) && bytes.length !== binaryLength;
}

/** The facets as three expects them: lower case, and without names or normals, which may hold anything. */
function checkText(bytes: Uint8Array): ArrayBuffer {
  const lines: TextLines = new TextLines(decodeText(bytes, 'the text of an STL file'), '');
  const checked: string[] = [];
  const expect = (pattern: RegExp, expected: string): string => {
    const line = lines.next();
    if (line === null || !pattern.test(line)) lines.fail(expected, line);
    return line;
  };
  expect(/^solid/i, '"solid"');
  checked.push('solid');
  let inside = true;
  for (let line = lines.next(); line !== null || inside; line = lines.next()) {
    if (inside && line !== null && /^facet\s/i.test(line)) {
      expect(/^outer\s+loop$/i, '"outer loop"');
      checked.push('facet normal 0 0 0');
      for (let k = 0; k < 3; k++) {
        const words = expect(/^vertex\s/i, '"vertex x y z"').split(/\s+/, 4);
        const numbers = [1, 2, 3].map((i) => lines.number(words[i], 'three coordinates after "vertex"'));
        if (!numbers.every(Number.isFinite)) lines.fail('three finite coordinates after "vertex"', words.join(' '));
        checked.push(`vertex ${numbers.join(' ')}`);
      }
      expect(/^endloop$/i, '"endloop"');
      expect(/^endfacet$/i, '"endfacet"');
      checked.push('endfacet');
    } else if (inside && line !== null && /^endsolid/i.test(line)) inside = false;
    else if (!inside && line !== null && /^solid/i.test(line)) inside = true;
    else lines.fail(inside ? '"facet" or "endsolid"' : '"solid" or the end of the file', line);
  }
  if (checked.length === 1) lines.fail('at least one facet', null);
  // The loader looks for a binary header first and would trip over a text shorter than that.
  checked.push('endsolid'.padEnd(HEADER_BYTES));
  return new TextEncoder().encode(checked.join('\n')).buffer as ArrayBuffer;
}

/** The part of the file that its count of facets speaks of. */
function checkBinary(bytes: Uint8Array, count: number): ArrayBuffer {
  const needed = HEADER_BYTES + FACET_BYTES * count;
  if (needed > bytes.length) {
    throw new MeshReadError(`byte 80: expected ${needed} bytes for ${count} triangles, the file has ${bytes.length}`);
  }
  if (count > MOST_ELEMENTS) {
    throw new MeshReadError(`byte 80: expected at most ${MOST_ELEMENTS} triangles, found ${count}`);
  }
  if (count === 0) throw new MeshReadError('byte 80: expected at least one triangle, found a count of 0');
  return bytes.slice(0, needed).buffer as ArrayBuffer;
}

/** Facets of an STL file share no vertices, so equal corners are welded at once. */
export async function readStl(bytes: Uint8Array): Promise<TriangleMesh> {
  if (bytes.length === 0) throw new MeshReadError('byte 0: expected an STL file, the file is empty');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= HEADER_BYTES ? view.getUint32(80, true) : -1;
  let data: ArrayBuffer;
  if (isText(bytes, HEADER_BYTES + FACET_BYTES * count)) data = checkText(bytes);
  else if (count < 0) {
    throw new MeshReadError(
      `byte 0: expected "solid" or a binary header of ${HEADER_BYTES} bytes, the file has ${bytes.length}`,
    );
  } else data = checkBinary(bytes, count);
  const load = async () => new (await import('three/examples/jsm/loaders/STLLoader.js')).STLLoader();
  const positions = await loadPositions('STL', load, data);
  const triangles = new Uint32Array(positions.length / 3).map((_, i) => i);
  return weld({ positions, triangles }, { tolerance: 0 }).mesh;
}
