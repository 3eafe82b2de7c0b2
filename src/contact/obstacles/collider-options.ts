// What a user says of an obstacle, and what holds where nothing is said.

import type { Keyframe } from '../../math/motion.js';
import type { Quaternion } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';
import { GROUP_DEFAULTS } from '../groups.js';
import type { ColliderShape } from './collider-shape.js';

/** Options of colliders where none are given. */
export const COLLIDER_DEFAULTS = Object.freeze({ friction: 0.5, restitution: 0, ...GROUP_DEFAULTS });

/** What every obstacle has beside its shape. */
export const COMMON_FIELDS = [
  ...['shape', 'name', 'position', 'rotation'],
  ...['friction', 'restitution', 'group', 'collidesWith', 'motion', 'sensor'],
];

/** A collider: its shape with its sizes, where it is, and how it touches. */
export type ColliderOptions = ColliderShape & {
  readonly name?: string;
  /** [m] */
  readonly position?: Vec3;
  readonly rotation?: Quaternion;
  /** Coulomb friction coefficient, ≥ 0. */
  readonly friction?: number;
  /** Share of the speed of an impact that contact gives back, 0…1, on top of what elasticity does. */
  readonly restitution?: number;
  /** Bits of the groups it belongs to (1 unless set) and of those it touches (all unless set). */
  readonly group?: number;
  readonly collidesWith?: number;
  /** Whether it only reports: bodies go through it, and contact events tell who is in it. */
  readonly sensor?: boolean;
  /** Poses over time; a moving obstacle pushes and drags by its velocity. */
  readonly motion?: readonly Keyframe[];
};
