// What each particle of a body touches in a step, of obstacles or of other bodies.

import type { Touches } from './response/touches.js';

/** What each colliding particle touches, for the length of a step. */
export interface ParticleContacts {
  /** 1 for particles in contact. */
  readonly colliding: Uint8Array;
  /** Outward unit normal of the obstacle, 3 per particle. */
  readonly normals: Float64Array;
  /** Velocity of the obstacle's surface there [m/s], 3 per particle. */
  readonly surfaceVelocities: Float64Array;
  /** Coulomb coefficient. */
  readonly frictions: Float64Array;
  /** Factor on the friction of each particle, where they differ. */
  factors?: Float64Array;
  /** Where to write down what each obstacle did to the body of these masses. */
  record?: { readonly touches: Touches<object>; readonly masses: Float64Array };
}

export const createParticleContacts = (count: number): ParticleContacts => ({
  colliding: new Uint8Array(count),
  normals: new Float64Array(3 * count),
  surfaceVelocities: new Float64Array(3 * count),
  frictions: new Float64Array(count),
});
