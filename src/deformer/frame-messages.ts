// What a pool and its workers say to each other. Meshes of colliders go over once and are named by numbers afterwards, so that a
// worker prepares each of them once.

import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { DeformerCollider } from './collider-settings.js';
import type { DeformedFrame, DeformerFrame } from './deform-frame.js';
import type { DeformerSettings } from './settings.js';

/** A body that frames are asked of: as `createDeformer` takes it. */
export interface DeformerTask {
  readonly mesh: TriangleMesh;
  readonly settings?: Partial<DeformerSettings>;
}

export type ToWorker =
  | { readonly kind: 'bind'; readonly body: number; readonly task: DeformerTask }
  | { readonly kind: 'mesh'; readonly number: number; readonly mesh: TriangleMesh }
  /** A mesh that is not asked for again under this number. */
  | { readonly kind: 'forget'; readonly number: number }
  | { readonly kind: 'frame'; readonly job: number; readonly body: number; readonly frame: SentFrame };

/** Colliders whose mesh is a number. */
export type SentFrame = Omit<DeformerFrame, 'colliders'> & { readonly colliders: readonly SentCollider[] };
type SentCollider = Exclude<DeformerCollider, { shape: 'mesh' }> | { readonly shape: 'mesh'; readonly mesh: number };

export type FromWorker =
  | { readonly job: number; readonly result: DeformedFrame }
  /** `isRange` where the input was at fault. */
  | { readonly job: number; readonly fault: string; readonly isRange: boolean };
