// Reads how a mesh file looks: its vertices in their order, and what is drawn of them, split along seams, with materials.

import type { MeshMaterial } from '../mesh-material.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import type { VisibleMesh } from '../visible-mesh.js';
import { readGltfMaterials } from './gltf/gltf-materials.js';
import { MeshReadError } from './mesh-read-error.js';
import { readObjMaterials } from './mtl.js';
import { readMesh, readVisibleMesh } from './read-mesh.js';
import type { ReadMeshOptions } from './read-options.js';

/** How a file shows its mesh: with seams, texture coordinates and materials. */
export interface MeshLook {
  /** As `readMesh` gives it. */
  readonly mesh: TriangleMesh;
  /** What is drawn; triangle by triangle that of `mesh`, and its texture coordinates as in glTF, v downwards. */
  readonly visible: VisibleMesh;
  /** The vertex of `mesh` for each that is drawn. */
  readonly sources: Uint32Array;
  /** By the `materialIndex` of parts. */
  readonly materials: readonly MeshMaterial[];
  /** What of its materials could not be read, in a line each: images and libraries that are not there. */
  readonly missing: readonly string[];
}

/**
 * Rejects with a `MeshReadError` where the file cannot be read.
 * @example
 * ```ts
 * const look = await readLook(bytes, 'model.obj');
 * ```
 */
export async function readLook(bytes: Uint8Array, fileName: string, options: ReadMeshOptions = {}): Promise<MeshLook> {
  const mesh = await readMesh(bytes, fileName, options);
  const visible = turnUvs(await readVisibleMesh(bytes, fileName, options), fileName);
  const sources = Uint32Array.from({ length: visible.positions.length / 3 }, (_, v) => v);
  if (visible.positions.length !== mesh.positions.length || visible.triangles.some((v, i) => v !== mesh.triangles[i]))
    for (let i = 0; i < visible.triangles.length; i++) sources[visible.triangles[i]] = mesh.triangles[i];
  const missing: string[] = [];
  const onMissing = (reason: string) => missing.push(`${fileName}: ${reason}`);
  const materials = await readMaterials(bytes, fileName, visible, options, onMissing);
  return { mesh, visible, sources, materials, missing };
}

/** In OBJ files v goes upwards. */
function turnUvs(visible: VisibleMesh, fileName: string): VisibleMesh {
  if (!/\.obj$/i.test(fileName) || !visible.uvs) return visible;
  return { ...visible, uvs: visible.uvs.map((x, i) => (i % 2 === 0 ? x : 1 - x)) };
}

async function readMaterials(
  bytes: Uint8Array,
  fileName: string,
  { parts }: VisibleMesh,
  options: ReadMeshOptions,
  onMissing: (reason: string) => void,
): Promise<readonly MeshMaterial[]> {
  try {
    if (/\.(glb|gltf)$/i.test(fileName)) return await readGltfMaterials(bytes, options, onMissing);
    if (!/\.obj$/i.test(fileName)) return [];
    const names: string[] = [];
    for (const { material, materialIndex } of parts) if (materialIndex !== null) names[materialIndex] = material;
    return await readObjMaterials(new TextDecoder().decode(bytes), names, options.resolve, onMissing);
  } catch (error) {
    throw new MeshReadError(`${fileName}: ${(error as Error).message.split('\n', 1)[0]}`);
  }
}
