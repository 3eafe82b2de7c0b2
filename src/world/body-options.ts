// What a user says of a body when it is added, and what holds where nothing is said.

import { CONTACT_DEFAULTS, type ContactSettings } from '../contact/contact-settings.js';
import type { Quaternion } from '../math/quaternion.js';
import type { Vec3 } from '../math/vec3.js';

/** Where a body begins, and how it touches. */
export interface BodyOptions {
  readonly name?: string;
  /** Where the mesh's origin goes [m]. */
  readonly position?: Vec3;
  /** Rotation about the mesh's origin (x, y, z, w). */
  readonly rotation?: Quaternion;
  /** [m/s] */
  readonly velocity?: Vec3;
  /** Angular velocity about the centre of mass [rad/s]. */
  readonly spin?: Vec3;
  /** [kg/m³]; the mass is density × volume, spread by vertex area. */
  readonly density?: number;
  /** Coulomb coefficient against other bodies, ≥ 0: of two the geometric mean. Against an obstacle its own counts. */
  readonly friction?: number;
  /** Share of the speed of an impact that contact gives back, 0…1, on top of what elasticity does. */
  readonly restitution?: number;
  /** Whether the surface is kept from passing through itself. */
  readonly selfContact?: boolean;
  /** Bits of the groups it belongs to (1 unless set) and of those it touches (all unless set). */
  readonly group?: number;
  readonly collidesWith?: number;
}

/** Options of bodies where none are given. */
export const BODY_DEFAULTS = Object.freeze({ density: 1000, ...CONTACT_DEFAULTS });

/** Names of the settings of contact. */
export const CONTACT_SETTINGS = Object.keys(CONTACT_DEFAULTS) as (keyof ContactSettings)[];

/** Names of all `BodyOptions`. */
export const BODY_OPTIONS: readonly string[] = [
  ...['name', 'position', 'rotation', 'velocity', 'spin', 'density'],
  ...CONTACT_SETTINGS,
];
