// three.js: soft bodies as meshes of a scene.

export { FROM_OBJECT3D_DEFAULTS, type FromObject3DOptions, fromObject3D, SoftObject } from './from-object3d.js';
export { SoftMesh, type SoftMeshOptions } from './soft-mesh.js';
export type { SoftSource } from './soft-source.js';
