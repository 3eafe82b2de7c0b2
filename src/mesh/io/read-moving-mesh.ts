// Reads a mesh that moves from the bytes of a file; the format is told by the name's ending.

import { readMovingGltf } from './gltf/moving-gltf.js';
import { MeshReadError } from './mesh-read-error.js';
import type { MovingMesh, ReadMovingOptions } from './moving-mesh.js';
import { readPointCache } from './point-cache.js';

/** Endings of the files that can be read. */
export const MOVING_FORMATS = ['glb', 'gltf', 'pc2'] as const;

/**
 * Rejects with a `MeshReadError`, and nothing else, where the file cannot be read.
 * @example
 * ```ts
 * const cache = writePointCache([icosphere().positions], 0);
 * const moving = await readMovingMesh(cache, 'ball.pc2', { fps: 24 });
 * console.log(moving.positionsAt(0).length);
 * ```
 */
export async function readMovingMesh(
  bytes: Uint8Array,
  fileName: string,
  options: ReadMovingOptions = {},
): Promise<MovingMesh> {
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1].toLowerCase() ?? '';
  if (!(MOVING_FORMATS as readonly string[]).includes(extension)) {
    const known = MOVING_FORMATS.map((name) => `.${name}`).join(', ');
    throw new MeshReadError(`${fileName}: unknown kind of moving mesh, expected one of ${known}`);
  }
  try {
    if (extension === 'pc2') return readPointCache(bytes, options.fps ?? 24);
    return await readMovingGltf(bytes, options);
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message.split('\n', 1)[0] : String(problem);
    throw new MeshReadError(`${fileName}: ${reason}`);
  }
}
