// Reads a mesh from the bytes of a file; the format is told by the name's ending.

import type { AttributedMesh } from '../vertex-attributes.js';
import { asVisibleMesh, type VisibleMesh } from '../visible-mesh.js';
import { readGltf } from './gltf/gltf.js';
import { MeshReadError } from './mesh-read-error.js';
import { readObj } from './obj.js';
import { readVisibleObj } from './obj-visible.js';
import { readOff } from './off.js';
import { readPly } from './ply.js';
import { applyReadOptions, checkReadOptions, type ReadMeshOptions } from './read-options.js';
import { readStl } from './stl.js';

export { MeshReadError } from './mesh-read-error.js';

type Reader = (bytes: Uint8Array, options: ReadMeshOptions) => VisibleMesh | Promise<VisibleMesh>;

const READERS: Readonly<Record<string, Reader>> = {
  obj: (bytes) => asVisibleMesh(readObj(bytes)),
  off: (bytes) => asVisibleMesh(readOff(bytes)),
  stl: (bytes) => asVisibleMesh(readStl(bytes)),
  ply: (bytes, { attributes }) => asVisibleMesh(readPly(bytes, attributes)),
  glb: readGltf,
  gltf: readGltf,
};
/** OBJ numbers texture coordinates apart from vertices, so that keeping them splits vertices. */
const VISIBLE_READERS: Readonly<Record<string, Reader>> = { ...READERS, obj: readVisibleObj };

/** Endings of the files that can be read. */
export const MESH_FORMATS: readonly string[] = Object.keys(READERS);

/** Attributes that are no numbers would spoil whatever is made of them. */
function expectFinite({ attributes = {} }: VisibleMesh): void {
  for (const [name, values] of Object.entries(attributes)) {
    const wrong = values.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0)
      throw new MeshReadError(`attribute ${name}: expected a number at vertex ${wrong}, found ${values[wrong]}`);
  }
}

async function read(
  readers: Readonly<Record<string, Reader>>,
  bytes: Uint8Array,
  fileName: string,
  options: ReadMeshOptions,
): Promise<VisibleMesh> {
  checkReadOptions(options);
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1].toLowerCase() ?? '';
  if (!Object.hasOwn(readers, extension)) {
    const known = MESH_FORMATS.map((name) => `.${name}`).join(', ');
    throw new MeshReadError(`${fileName}: unknown kind of file, expected one of ${known}`);
  }
  let mesh: VisibleMesh;
  try {
    mesh = await readers[extension](bytes, options);
    expectFinite(mesh);
  } catch (problem) {
    // Running out of memory for an array is a RangeError; whatever else a reader trips over is the file's fault too.
    const reason = problem instanceof Error ? problem.message.split('\n', 1)[0] : String(problem);
    throw new MeshReadError(`${fileName}: ${reason}`);
  }
  return applyReadOptions(mesh, options);
}

/**
 * Rejects with a `MeshReadError`, and nothing else, where the file cannot be read; with a `RangeError` where the options
 * cannot be meant. What it holds may still be no body:
 * see `validate` and `makeSimulatable`. Vertices and their order are those of the file, node by node in a glTF file,
 * except that STL is welded.
 * @example
 * ```ts
 * const mesh = await readMesh(bytes, 'model.obj', { unit: 'cm' });
 * ```
 */
export async function readMesh(
  bytes: Uint8Array,
  fileName: string,
  options: ReadMeshOptions = {},
): Promise<AttributedMesh> {
  const { positions, triangles, attributes } = await read(READERS, bytes, fileName, options);
  return attributes ? { positions, triangles, attributes } : { positions, triangles };
}

/**
 * As `readMesh`, with what is needed to draw the mesh: normals, tangents, texture coordinates and parts (glTF, OBJ).
 * @example
 * ```ts
 * const visible = await readVisibleMesh(bytes, 'model.obj');
 * ```
 */
export function readVisibleMesh(
  bytes: Uint8Array,
  fileName: string,
  options: ReadMeshOptions = {},
): Promise<VisibleMesh> {
  return read(VISIBLE_READERS, bytes, fileName, options);
}
