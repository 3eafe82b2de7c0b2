// The meshes that a scene names: files, which the caller loads, and shapes, which are made.

import { generateShape } from '../mesh/generate/index.js';
import type { AttributedMesh } from '../mesh/vertex-attributes.js';
import { SceneError, showValue } from './scene-errors.js';
import type { Scene } from './scene-schema.js';

type SceneMesh = Scene['bodies'][number]['mesh'];

export interface MeshSource {
  /**
   * Gives the mesh that a body names by its path, as it stands in the scene file, with the vertex attributes that its maps need, as
   * `readMesh` takes them. Without it such bodies are refused.
   */
  loadMesh?: (path: string, options: { readonly attributes: readonly string[] }) => Promise<AttributedMesh>;
}

export async function makeMesh(
  mesh: SceneMesh,
  place: string,
  options: MeshSource,
  attributes: readonly string[] = [],
): Promise<AttributedMesh> {
  if (typeof mesh !== 'string') return generateShape(mesh);
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

export function scaleMesh(mesh: AttributedMesh, factor: number): AttributedMesh {
  return factor === 1 ? mesh : { ...mesh, positions: mesh.positions.map((coordinate) => coordinate * factor) };
}
