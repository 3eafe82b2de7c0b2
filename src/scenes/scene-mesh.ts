// The meshes that a scene names: files, which the caller loads, and shapes, which are made.

import { generateShape } from '../mesh/generate/index.js';
import { TETRA_FORMATS } from '../mesh/io/tet/read-tetrahedra.js';
import type { TetraMesh } from '../mesh/tetrahedralise/tetra-mesh.js';
import type { AttributedMesh } from '../mesh/vertex-attributes.js';
import { SceneError, showValue } from './scene-errors.js';
import type { Scene } from './scene-schema.js';

type SceneMesh = Scene['bodies'][number]['mesh'];

export interface MeshSource {
  /**
   * Gives the mesh that a body names by its path, as it stands in the scene file, with the vertex attributes that its maps need, as
   * `readMesh` takes them; of a file of a solid mesh that mesh. Without it such bodies are refused.
   */
  loadMesh?: (path: string, options: { readonly attributes: readonly string[] }) => Promise<AttributedMesh | TetraMesh>;
}

const SOLID_FILE = new RegExp(`\\.(${TETRA_FORMATS.join('|')})$`, 'i');

/** Whether a mesh is named by the file of a solid one. */
export const isSolidFile = (mesh: SceneMesh): mesh is string => typeof mesh === 'string' && SOLID_FILE.test(mesh);

/** The solid mesh of such a file. */
export const loadSolid = async (mesh: string, place: string, options: MeshSource): Promise<TetraMesh> =>
  (await load(mesh, place, options, [])) as TetraMesh;

export async function makeMesh(
  mesh: SceneMesh,
  place: string,
  options: MeshSource,
  attributes: readonly string[] = [],
): Promise<AttributedMesh> {
  if (typeof mesh !== 'string') return generateShape(mesh);
  if (isSolidFile(mesh)) throw refuseMesh(mesh, place, 'a solid mesh, where only a surface can be');
  return (await load(mesh, place, options, attributes)) as AttributedMesh;
}

async function load(mesh: string, place: string, options: MeshSource, attributes: readonly string[]) {
  if (!options.loadMesh) throw refuseMesh(mesh, place, 'no mesh files can be loaded here');
  try {
    return await options.loadMesh(mesh, { attributes });
  } catch (error) {
    throw refuseMesh(mesh, place, (error as Error).message);
  }
}

export function refuseMesh(mesh: SceneMesh, place: string, reason: string): SceneError {
  const given = showValue(typeof mesh === 'string' ? mesh : mesh.shape);
  return new SceneError(place, `expected a mesh that can be simulated, got ${given} (${reason})`);
}

export function scaleMesh<M extends { readonly positions: Float64Array }>(mesh: M, factor: number): M {
  return factor === 1 ? mesh : { ...mesh, positions: mesh.positions.map((coordinate) => coordinate * factor) };
}
