/**
 * Worlds, bodies, colliders, solvers, meshes: what most programs need.
 * @module isochore
 */

export type { BodyInspection, Capabilities, NodeGraph, Profile, Stage } from './backends/backend.js';
export { STAGES } from './backends/backend.js';
export { MAX_THREADS } from './backends/wasm/layout.js';
export type { GpuDeformer } from './backends/webgpu/gpu-deformer.js';
export type { GpuSource } from './backends/webgpu/gpu-source.js';
export { ALL_GROUPS, GROUP_DEFAULTS } from './contact/groups.js';
export { COLLIDER_DEFAULTS, type ColliderOptions } from './contact/obstacles/collider-options.js';
export type { PrimitiveShape } from './contact/obstacles/shapes.js';
export { type EmbeddableMesh, type Embedding, embed } from './embedding/embedding.js';
export type { GpuBuffer, GpuSkin } from './embedding/gpu-skin.js';
export { ReferenceSkin, type Skin } from './embedding/skin.js';
export type { Keyframe, Pose } from './math/motion.js';
export type { Quaternion } from './math/quaternion.js';
export type { Vec3 } from './math/vec3.js';
export * from './mesh/index.js';
export type { SolidModule } from './solvers/blade.js';
export type { CellTest, DetailedModel } from './solvers/detail.js';
export type { Field, Fields, NumberField } from './solvers/fields.js';
export {
  type LatticeBody,
  type LatticeSolver,
  lattice,
  type PreparedLattice,
} from './solvers/lattice/lattice-solver.js';
export {
  LATTICE_DEFAULTS,
  type LatticeOptions,
  type LatticeSettings,
  MAX_REGION_CELLS,
  MAX_RESOLUTION,
} from './solvers/lattice/settings.js';
export type { LiveSettings } from './solvers/live-settings.js';
export { type BodyMaps, MAP_NAMES, MAP_WORDS, type MapName, mapRange } from './solvers/maps.js';
export { type InnerParticles, type Model, type ModelState, movePositions, type Shell } from './solvers/model.js';
export {
  type OctreeBody,
  type OctreeSolver,
  octree,
  type PreparedOctree,
} from './solvers/octree/octree-solver.js';
export { OCTREE_DEFAULTS, type OctreeOptions, type OctreeSettings } from './solvers/octree/settings.js';
export { posed } from './solvers/posed/posed-solver.js';
export { MeshError, prepare } from './solvers/prepare.js';
export {
  type BodyStructure,
  defineSolver,
  type ModelBody,
  type ParticleRest,
  type Prepared,
  type Solver,
  type SolverDefinition,
  type SolverMaker,
  type SolverRest,
} from './solvers/solver.js';
export type { ElasticSettings, SolverSettings } from './solvers/solver-settings.js';
export { dampingPerStep, stiffnessPerStep } from './solvers/step-scaling.js';
export {
  MAX_REGION_SIZE,
  SURFACE_DEFAULTS,
  type SurfaceOptions,
  type SurfaceSettings,
} from './solvers/surface/settings.js';
export { type PreparedSurface, type SurfaceBody, type SurfaceSolver, surface } from './solvers/surface/surface.js';
export type { Material } from './solvers/tetrahedra/materials.js';
export {
  type Fibres,
  type MaterialName,
  TETRAHEDRA_DEFAULTS,
  type TetrahedraDamping,
  type TetrahedraOptions,
  type TetrahedraSettings,
} from './solvers/tetrahedra/settings.js';
export type { TetrahedraBody } from './solvers/tetrahedra/tetrahedra-body.js';
export {
  type PreparedTetrahedra,
  type TetrahedraSolver,
  tetrahedra,
} from './solvers/tetrahedra/tetrahedra-solver.js';
export type { Origin, TopologyChange } from './solvers/topology-change.js';
export { VOLUME_DEFAULTS, VOLUME_FIELD, type VolumeSettings } from './solvers/volume/settings.js';
export type { Attachment } from './world/attachment.js';
export { Body } from './world/body.js';
export { BODY_DEFAULTS, type BodyOptions } from './world/body-options.js';
export type { BodyPart } from './world/body-part.js';
export type { BodyChanges } from './world/body-settings.js';
export type { CutFaces } from './world/body-views.js';
export type { AttachOptions } from './world/bond.js';
export { Collider } from './world/collider.js';
export type { ColliderHit, RayOptions } from './world/collider-hit.js';
export type { ContactEvent } from './world/contact-events.js';
export { createGpuDeformer } from './world/create-gpu-deformer.js';
export { createWorld } from './world/create-world.js';
export type {
  CutFallback,
  CutOptions,
  CutStroke,
  PathCut,
  PlaneCut,
  StrokeOptions,
  TriangleCut,
} from './world/cutting.js';
export { DEFORMATIONS, type Deformation } from './world/deform.js';
export type { FieldFunction, ForceField } from './world/force-field.js';
export { GRAB_DEFAULTS, type GrabOptions, type Grip } from './world/grip.js';
export {
  type DetailOptions,
  type FocusOptions,
  TOUCH_DEFAULTS,
  type TouchOptions,
} from './world/level-of-detail.js';
export { Pin } from './world/pin.js';
export type { SplitEvent } from './world/split-events.js';
export type { SurfaceHit, SurfaceQueryOptions } from './world/surface-hit.js';
export { WIND_DEFAULTS, WIND_LIMITS, type WindOptions, wind } from './world/wind.js';
export { World } from './world/world.js';
export {
  BACKENDS,
  type BackendName,
  TIME_STEP_LIMITS,
  UnsupportedBackendError,
  WORLD_DEFAULTS,
  type WorldOptions,
} from './world/world-options.js';
