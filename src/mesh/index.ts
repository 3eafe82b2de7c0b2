/**
 * Meshes: what they are, how they are made, read, checked, repaired and measured.
 * @module isochore/mesh
 */

export { buildAdjacency, type MeshAdjacency } from './adjacency.js';
export { type Bone, boneMesh } from './boned-mesh.js';
export { groupCoincidentVertices } from './coincident-vertices.js';
export { DEGENERATE_HEIGHT, findDegenerateTriangles } from './degenerate-triangles.js';
export * from './generate/index.js';
export { inspectMesh, type MeshInspection } from './inspect.js';
export type { MovingMesh, NodeTransform, ReadMovingOptions } from './io/moving-mesh.js';
export { writePointCache } from './io/point-cache.js';
export { type MeshLook, readLook } from './io/read-look.js';
export { MESH_FORMATS, MeshReadError, readMesh, readVisibleMesh } from './io/read-mesh.js';
export { MOVING_FORMATS, readMovingMesh } from './io/read-moving-mesh.js';
export {
  MESH_UNITS,
  type MeshUnit,
  READ_MESH_DEFAULTS,
  type ReadMeshOptions,
  UP_AXES,
  type UpAxis,
} from './io/read-options.js';
export { type ReadTetrahedraOptions, readTetrahedra, TETRA_FORMATS } from './io/tet/read-tetrahedra.js';
export { writeTetrahedra } from './io/tet/write-tetrahedra.js';
export { checkWritten, type NamedMesh, roundForFile, WRITTEN_FORMATS, writeMeshes } from './io/write-mesh.js';
export {
  type BoundingSphere,
  boundingSphere,
  boundsOf,
  type MeshMeasures,
  meanEdgeLength,
  measure,
  signedVolume,
  vertexAreas,
  vertexNormals,
} from './measure.js';
export type { MaterialTexture, MeshMaterial, TextureSlot } from './mesh-material.js';
export { type Oriented, orient } from './orient.js';
export type { Deviation } from './repair/deviation.js';
export {
  joinSeams,
  makeSimulatable,
  SIMULATABLE_BODIES,
  SIMULATABLE_DEFAULTS,
  SIMULATABLE_VERTICES,
  type Simulatable,
  type SimulatableBody,
  type SimulatableOptions,
  type SimulatableOrigin,
} from './repair/make-simulatable.js';
export { type RepairCode, RepairError, type RepairReason, type RepairStep } from './repair/repair-report.js';
export { selectVertices, type VertexRegion } from './select-vertices.js';
export { findSelfIntersections, type SelfIntersections } from './self-intersections.js';
export type { TetraMeasures } from './tetrahedralise/measure-tetrahedra.js';
export type { TetraBoundary, TetraMesh } from './tetrahedralise/tetra-mesh.js';
export {
  TETRA_COUNTS,
  TETRAHEDRALISE_DEFAULTS,
  type Tetrahedralised,
  type TetrahedraliseOptions,
  tetrahedralise,
} from './tetrahedralise/tetrahedralise.js';
export { analyseTopology, type MeshTopology } from './topology.js';
export { type Bounds, type TriangleMesh, triangleCount, vertexCount } from './triangle-mesh.js';
export * from './triangle-tree.js';
export {
  type MeshPlace,
  type MeshProblem,
  type MeshProblemCode,
  type MeshValidation,
  validate,
} from './validate.js';
export type { AttributedMesh, VertexAttributes } from './vertex-attributes.js';
export { asVisibleMesh, type MeshPart, type VisibleMesh } from './visible-mesh.js';
export { NO_VERTEX, WELD_DEFAULTS, type Welded, type WeldOptions, weld } from './weld.js';
