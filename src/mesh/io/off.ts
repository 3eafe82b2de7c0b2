// Reads the Object File Format (OFF), with colours, normals and texture coordinates passed over.
// Our own reader because three has none.

import type { TriangleMesh } from '../triangle-mesh.js';
import { FaceList, MOST_CORNERS, MOST_ELEMENTS, meshFromFaces } from './polygons.js';
import { decodeText, TextLines } from './text-lines.js';

/** Counts of vertices and faces from the header, which is optional, and the counts, which may stand on its line. */
function readCounts(lines: TextLines): [number, number] {
  const expected = 'the header "OFF" (or COFF, NOFF, CNOFF, STOFF)';
  let line = lines.next();
  if (line === null || !/^((ST)?C?N?OFF\b|\d)/.test(line)) lines.fail(expected, line);
  if (/OFF\s+BINARY/.test(line)) lines.fail('an OFF file in text, not in binary', line);
  line = line.replace(/^[A-Z]*OFF\s*/, '');
  if (line === '') line = lines.next();
  const countsExpected = 'the counts of vertices and faces';
  if (line === null) lines.fail(countsExpected, null);
  const words = line.split(/\s+/, 3);
  const counts = [0, 1].map((k) => lines.integer(words[k], countsExpected));
  if (counts[0] < 1 || counts[1] < 1) lines.fail('at least one vertex and one face', line);
  if (counts[0] > MOST_ELEMENTS || counts[1] > MOST_ELEMENTS) {
    lines.fail(`at most ${MOST_ELEMENTS} vertices and as many faces`, line);
  }
  return [counts[0], counts[1]];
}

export function readOff(bytes: Uint8Array): TriangleMesh {
  const lines: TextLines = new TextLines(decodeText(bytes, 'the text of an OFF file'), '#');
  const [vertexCount, faceCount] = readCounts(lines);
  // Lists grow with what is read: counts in a header are no reason to claim memory.
  const coordinates: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    const line = lines.next();
    if (line === null) lines.fail(`vertex ${v + 1} of ${vertexCount}`, null);
    const words = line.split(/\s+/, 3);
    for (let k = 0; k < 3; k++) coordinates.push(lines.number(words[k], `three coordinates of vertex ${v}`));
  }
  const faces = new FaceList();
  for (let f = 0; f < faceCount; f++) {
    const line = lines.next();
    if (line === null) lines.fail(`face ${f + 1} of ${faceCount}`, null);
    const words = line.split(/\s+/, MOST_CORNERS + 1);
    const size = lines.integer(words[0], `the number of corners of face ${f}`);
    if (size < 3 || size > MOST_CORNERS) lines.fail(`a face with 3 to ${MOST_CORNERS} corners`, words[0]);
    for (let k = 1; k <= size; k++) {
      const vertex = lines.integer(words[k], `${size} vertices of face ${f}`);
      if (vertex < 0 || vertex >= vertexCount) lines.fail(`a vertex from 0 to ${vertexCount - 1}`, words[k]);
      faces.corners.push(vertex);
    }
    faces.sizes.push(size);
  }
  const rest = lines.next();
  if (rest !== null) lines.fail(`the end of the file after ${faceCount} faces`, rest);
  return meshFromFaces(new Float64Array(coordinates), faces);
}
