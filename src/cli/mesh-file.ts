// Mesh files from disk, for `inspect`, `prepare` and the bodies of a scene, with the files they refer to beside them.

import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import {
  type AttributedMesh,
  type MeshLook,
  MeshReadError,
  type MovingMesh,
  type ReadMeshOptions,
  type ReadMovingOptions,
  readLook,
  readMesh,
  readMovingMesh,
  readTetrahedra,
  type TetraMesh,
} from '../mesh/index.js';
import { CliError, EXIT, toLine } from './cli-error.js';
import { MAX_MESH_BYTES, readInput, reasonOf } from './files.js';

/** Reads a file in a folder or below it; a link that leads out of it is refused. */
async function readBeside(folder: string, path: string): Promise<Uint8Array> {
  const file = join(folder, path);
  let inner: string;
  try {
    inner = relative(await realpath(folder), await realpath(file));
  } catch (error) {
    throw new Error(reasonOf(error));
  }
  if (inner.startsWith(`..${sep}`) || inner === '..') throw new Error('a link out of the folder');
  return readInput(file, MAX_MESH_BYTES);
}

/** The decoder is an optional package: few files need it. */
async function loadDraco(): Promise<unknown> {
  const draco = await import('draco3dgltf').catch(() => undefined);
  if (draco === undefined) {
    throw new Error(
      'extensionsUsed: expected no Draco compression, as the package draco3dgltf is not installed (npm install draco3dgltf)',
    );
  }
  return draco.default.createDecoderModule();
}

/** As `readMeshFile`, of a mesh that moves. */
export async function readMovingFile(path: string, options: ReadMovingOptions = {}): Promise<MovingMesh> {
  const bytes = await readInput(path, MAX_MESH_BYTES);
  try {
    return await readMovingMesh(bytes, path, {
      resolve: (inner) => readBeside(dirname(path), inner),
      draco: loadDraco,
      ...options,
    });
  } catch (error) {
    if (error instanceof MeshReadError) throw new CliError(error.message, EXIT.notSimulatable);
    throw error;
  }
}

/** As `readMeshFile`, with what is needed to show it. */
export async function readLookFile(path: string): Promise<MeshLook> {
  const bytes = await readInput(path, MAX_MESH_BYTES);
  try {
    const resolve = (inner: string) => readBeside(dirname(path), inner);
    const look = await readLook(bytes, path, { resolve, draco: loadDraco });
    // It is shown without them.
    for (const line of new Set(look.missing)) process.stderr.write(`${toLine(line)}\n`);
    return look;
  } catch (error) {
    if (error instanceof MeshReadError) throw new CliError(error.message, EXIT.notSimulatable);
    throw error;
  }
}

/** Throws CliError: code 1 where there is no file to read, code 2 where what it holds is not a mesh. */
export async function readMeshFile(path: string, options: ReadMeshOptions = {}): Promise<AttributedMesh> {
  const bytes = await readInput(path, MAX_MESH_BYTES);
  try {
    return await readMesh(bytes, path, {
      resolve: (inner) => readBeside(dirname(path), inner),
      draco: loadDraco,
      ...options,
    });
  } catch (error) {
    if (error instanceof MeshReadError) throw new CliError(error.message, EXIT.notSimulatable);
    throw error;
  }
}

/** As `readMeshFile`, of a solid mesh; TetGen's other file lies beside it. */
export async function readSolidFile(path: string): Promise<TetraMesh> {
  const bytes = await readInput(path, MAX_MESH_BYTES);
  const other = /\.node$/i.test(path) ? 'ele' : /\.ele$/i.test(path) ? 'node' : undefined;
  const companion = other && (await readInput(path.replace(/[^.]+$/, other), MAX_MESH_BYTES));
  try {
    return readTetrahedra(bytes, path, { companion });
  } catch (error) {
    if (error instanceof MeshReadError) throw new CliError(error.message, EXIT.notSimulatable);
    throw error;
  }
}
