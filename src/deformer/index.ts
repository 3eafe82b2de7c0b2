/**
 * The collision-driven deformer: a soft body gives way to colliders, every frame by itself, in any order, on top of any rig.
 * @module isochore/deformer
 */

export { DEFORMER_COLLIDER_DEFAULTS, type DeformerCollider } from './collider-settings.js';
export type { DeformedFrame, DeformerFrame } from './deform-frame.js';
export { deformFrames, type NumberedFrame } from './deform-frames.js';
export { deformInOrder, type OrderedBody } from './deform-in-order.js';
export type { DeformedMaps } from './deformed-maps.js';
export { createDeformer, type Deformer, type DeformerStructure } from './deformer.js';
export {
  createDeformerPool,
  DeformerPool,
  type DeformerPoolOptions,
  deformFramesInParallel,
  MAX_WORKERS,
} from './deformer-pool.js';
export type { DeformerTask } from './frame-messages.js';
export { type PartOptions, partColliders } from './part-colliders.js';
export type { ColliderReport, DeformerFlag, DeformerReport } from './report.js';
export {
  DEFORMER_DEFAULTS,
  DEFORMER_MODES,
  type DeformerFrameSettings,
  type DeformerMaps,
  type DeformerMode,
  type DeformerSettings,
  type Falloff,
} from './settings.js';
