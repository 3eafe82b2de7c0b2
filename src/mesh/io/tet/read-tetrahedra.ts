// Reads tetrahedra from the bytes of a file; the format is told by the name's ending.

import type { TetraMesh } from '../../tetrahedralise/tetra-mesh.js';
import { MeshReadError } from '../mesh-read-error.js';
import { checkTetrahedra } from './check-tetrahedra.js';
import { readGmsh } from './gmsh.js';
import { readMedit } from './medit.js';
import { readTetgen } from './tetgen.js';
import { readVtk } from './vtk.js';

/** Endings of the files that can be read: Gmsh, Medit, VTK, and TetGen's two. */
export const TETRA_FORMATS = ['msh', 'mesh', 'vtk', 'node', 'ele'] as const;

/** What a file of tetrahedra needs besides itself. */
export interface ReadTetrahedraOptions {
  /** The other file of TetGen's pair: .ele beside .node, or the other way round. */
  readonly companion?: Uint8Array;
}

/**
 * Nodes and tetrahedra in the file's order.
 * @throws MeshReadError, and nothing else, where the file cannot be read or what it holds is no body.
 * @example
 * ```ts
 * const solid = tetrahedralise(icosphere(), { count: 300 });
 * const again = readTetrahedra(writeTetrahedra(solid, 'msh-4.1'), 'ball.msh');
 * ```
 */
export function readTetrahedra(bytes: Uint8Array, fileName: string, options: ReadTetrahedraOptions = {}): TetraMesh {
  const ending = /\.([^./\\]+)$/.exec(fileName)?.[1].toLowerCase() ?? '';
  try {
    const mesh = readFormat(bytes, ending, options.companion);
    checkTetrahedra(mesh);
    return mesh;
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message.split('\n', 1)[0] : String(problem);
    throw new MeshReadError(`${fileName}: ${reason}`);
  }
}

function readFormat(bytes: Uint8Array, ending: string, companion: Uint8Array | undefined): TetraMesh {
  if (ending === 'msh') return readGmsh(bytes);
  if (ending === 'mesh') return readMedit(bytes);
  if (ending === 'vtk') return readVtk(bytes);
  if (ending === 'node' || ending === 'ele') {
    const other = ending === 'node' ? 'ele' : 'node';
    if (!companion) throw new MeshReadError(`companion: expected the .${other} file that belongs to it, found none`);
    return ending === 'node' ? readTetgen(bytes, companion) : readTetgen(companion, bytes);
  }
  const known = TETRA_FORMATS.map((name) => `.${name}`).join(', ');
  throw new MeshReadError(`unknown kind of file, expected one of ${known}`);
}
