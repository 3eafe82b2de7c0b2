// Reads Wavefront OBJ: vertices and faces; everything else in such a file is passed over.
// Our own reader because three's OBJLoader gives every corner of every face a vertex of its own (measured: a teapot of
// 792 vertices and 992 triangles comes back with 2976 vertices) and loses vertices without faces.

import type { TriangleMesh } from '../triangle-mesh.js';
import { FaceList, MOST_CORNERS, MOST_ELEMENTS, meshFromFaces } from './polygons.js';
import { decodeText, TextLines } from './text-lines.js';

export function readObj(bytes: Uint8Array): TriangleMesh {
  const lines: TextLines = new TextLines(decodeText(bytes, 'the text of an OBJ file'), '#', true);
  const coordinates: number[] = [];
  const faces = new FaceList();
  // A face may name a vertex that comes later, so the largest index can only be judged at the end.
  let [largest, largestLine] = [-1, 0];
  for (let line = lines.next(); line !== null; line = lines.next()) {
    const code = line.charCodeAt(1);
    // Only "v" and "f" alone; "vt", "vn" and the like share the letter.
    if (code !== 32 && code !== 9) continue;
    if (line[0] === 'v') {
      if (coordinates.length >= 3 * MOST_ELEMENTS) lines.fail(`at most ${MOST_ELEMENTS} vertices`, line);
      const words = line.split(/\s+/, 4);
      for (let k = 1; k <= 3; k++) coordinates.push(lines.number(words[k], 'three coordinates after "v"'));
    } else if (line[0] === 'f') {
      if (faces.sizes.length >= MOST_ELEMENTS) lines.fail(`at most ${MOST_ELEMENTS} faces`, line);
      const words = line.split(/\s+/, MOST_CORNERS + 2);
      const size = words.length - 1;
      if (size < 3 || size > MOST_CORNERS) lines.fail(`a face with 3 to ${MOST_CORNERS} corners`, line);
      for (let k = 1; k <= size; k++) {
        const slash = words[k].indexOf('/');
        const index = lines.integer(slash < 0 ? words[k] : words[k].slice(0, slash), 'the index of a vertex');
        const vertex = index < 0 ? coordinates.length / 3 + index : index - 1;
        if (vertex < 0) lines.fail(`an index from 1 on, or back to -${coordinates.length / 3}`, words[k]);
        if (vertex > largest) [largest, largestLine] = [vertex, lines.lineNumber];
        faces.corners.push(vertex);
      }
      faces.sizes.push(size);
    }
  }
  if (coordinates.length === 0) lines.fail('vertices ("v x y z") in an OBJ file', null);
  if (faces.sizes.length === 0) lines.fail('faces ("f a b c") in an OBJ file', null);
  if (largest >= coordinates.length / 3) {
    lines.lineNumber = largestLine;
    lines.fail(`an index up to ${coordinates.length / 3}, the number of vertices`, String(largest + 1));
  }
  return meshFromFaces(new Float64Array(coordinates), faces);
}
