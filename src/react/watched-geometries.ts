// The meshes below a group as they were when something was made of them: what was put in their place since asks for it to be made anew.

import type { BufferGeometry, Mesh, Object3D } from 'three';
import { findMeshes } from '../three/find-meshes.js';

export class WatchedGeometries {
  private readonly seen: readonly (readonly [Mesh, BufferGeometry])[];

  constructor(private readonly group: Object3D) {
    this.seen = findMeshes(group).map((mesh) => [mesh, mesh.geometry]);
  }

  get isEmpty(): boolean {
    return this.seen.length === 0;
  }

  /** Whether a mesh has another geometry now, or is another one. */
  get isOld(): boolean {
    let count = 0;
    this.group.traverse((node) => {
      if ((node as Mesh).isMesh) count++;
    });
    return count !== this.seen.length || this.seen.some(([mesh, geometry]) => mesh.geometry !== geometry);
  }
}
