// Reads a mesh from the bytes of a file; the format is told by the name's ending.

import type { TriangleMesh } from '../triangle-mesh.js';
import { MeshReadError } from './mesh-read-error.js';
import { readObj } from './obj.js';
import { readOff } from './off.js';
import { readPly } from './ply.js';
import { readStl } from './stl.js';

export { MeshReadError } from './mesh-read-error.js';

const READERS: Readonly<Record<string, (bytes: Uint8Array) => TriangleMesh>> = {
  obj: readObj,
  off: readOff,
  stl: readStl,
  ply: readPly,
};

/**
 * Rejects with a `MeshReadError`, and nothing else, where the file cannot be read. What it holds may still be no body:
 * see `validate`. Vertices and their order are those of the file, except that STL is welded.
 */
export async function readMesh(bytes: Uint8Array, fileName: string): Promise<TriangleMesh> {
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1].toLowerCase() ?? '';
  const known = Object.keys(READERS)
    .map((name) => `.${name}`)
    .join(', ');
  if (extension === 'glb' || extension === 'gltf') {
    throw new MeshReadError(`${fileName}: glTF is not supported yet, expected one of ${known}`);
  }
  if (!Object.hasOwn(READERS, extension)) {
    throw new MeshReadError(`${fileName}: unknown kind of file, expected one of ${known}`);
  }
  try {
    return READERS[extension](bytes);
  } catch (problem) {
    // Running out of memory for an array is a RangeError; whatever else a reader trips over is the file's fault too.
    const reason = problem instanceof Error ? problem.message.split('\n', 1)[0] : String(problem);
    throw new MeshReadError(`${fileName}: ${reason}`);
  }
}
