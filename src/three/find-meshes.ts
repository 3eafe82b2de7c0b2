// The meshes below an object, with world matrices and bones up to date.

import type { InstancedMesh, Mesh, Object3D } from 'three';

/** Instanced and batched meshes are left out. */
export function findMeshes(object: Object3D): Mesh[] {
  // The second call is the one by which skinned meshes follow their skeletons.
  object.updateWorldMatrix(true, false);
  object.updateMatrixWorld(true);
  const meshes: Mesh[] = [];
  object.traverse((node) => {
    const mesh = node as Partial<InstancedMesh>;
    if (mesh.isMesh && !mesh.isInstancedMesh && !('isBatchedMesh' in node)) meshes.push(node as Mesh);
  });
  return meshes;
}
