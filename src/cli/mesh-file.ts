// Mesh files from disk, for `inspect` and for the bodies of a scene.

import { MeshReadError, readMesh, type TriangleMesh } from '../mesh/index.js';
import { CliError, EXIT } from './cli-error.js';
import { MAX_MESH_BYTES, readInput } from './files.js';

/** Throws CliError: code 1 where there is no file to read, code 2 where what it holds is not a mesh. */
export async function readMeshFile(path: string): Promise<TriangleMesh> {
  const bytes = await readInput(path, MAX_MESH_BYTES);
  try {
    return await readMesh(bytes, path);
  } catch (error) {
    if (error instanceof MeshReadError) throw new CliError(error.message, EXIT.notSimulatable);
    throw error;
  }
}
