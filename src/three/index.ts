/**
 * three.js: soft bodies as meshes of a scene, to be looked into and to be dragged.
 * @module isochore/three
 */

export { type ColliderFromOptions, colliderFrom, ObjectColliders } from './collider-from.js';
export { COLLIDER_VIEW_DEFAULTS, ColliderView, type ColliderViewOptions } from './collider-view.js';
export { CollisionDeformer, type CollisionDeformerFrame } from './collision-deformer.js';
export type { DebugSource } from './debug-layers.js';
export { DEBUG_VIEW_DEFAULTS, DebugView, type DebugViewOptions } from './debug-view.js';
export { FROM_OBJECT3D_DEFAULTS, type FromObject3DOptions, fromObject3D, SoftObject } from './from-object3d.js';
export { type GpuRenderer, GpuSoftMesh, type GpuSoftSource } from './gpu-soft-mesh.js';
export { GRAB_DEFAULTS, Grab, type Grabbable, type GrabGrip, type GrabOptions } from './grab.js';
export { SoftInstances } from './soft-instances.js';
export { SoftMesh, type SoftMeshOptions } from './soft-mesh.js';
export type { ShownSkin, SoftSource } from './soft-source.js';
export { VertexAnimation, type VertexAnimationFiles } from './vertex-animation.js';
