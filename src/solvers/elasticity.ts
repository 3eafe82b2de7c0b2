// What the step shares with every elasticity model: the particles, and the two stages a model implements.
// The volume constraint and contact read the same particles, so they work over any model.

/** The particles of one body during a step, in the solver's own order (3 numbers per particle where vectors). */
export interface Particles {
  readonly count: number;
  /** x [m], the position being built for the end of the step. */
  readonly positions: Float64Array;
  /** xⁿ [m], the position at the start of the step. */
  readonly starts: Float64Array;
  /** v [m/s]. */
  readonly velocities: Float64Array;
  /** m [kg]. */
  readonly masses: Float64Array;
  /** ‖cᵢ‖ [m], how far the elasticity moved each particle in this step; feeds the volume weights. */
  readonly changes: Float64Array;
  /** Whether pins hold some of them. Momentum then goes through these. */
  anchored: boolean;
}

/** One body's elasticity: turns predicted particles into elastic ones. */
export interface Elasticity {
  /** Of a model whose regions are the particles': how each is turned (quaternions x, y, z, w). */
  readonly rotations?: Float64Array;
  /** Pulls v towards the elastic goals, sets x = xⁿ + Δt·v and `changes`. */
  match(particles: Particles, timeStep: number): void;
  /** Damps the non-rigid part of v and sets x = xⁿ + Δt·v. */
  damp(particles: Particles, timeStep: number): void;
  /** Forgets history (warm starts), for a body whose particles were placed anew with the given rotation (quaternion x, y, z, w). */
  reset(rotation: ArrayLike<number>): void;
  /** Of a model whose regions are the particles': the same for the regions of some of them. */
  turn?(rotation: ArrayLike<number>, places: readonly number[]): void;
  /** Of a model that moves more than the particles: adds a velocity [m/s] to all of it, as gravity did to the particles. */
  accelerate?(change: ArrayLike<number>): void;
  /** Of such a model: the particles are about to be given positions and velocities from outside. */
  replace?(particles: Particles, positions: Float64Array, velocities: Float64Array): void;
  /** Of such a model: follows what contact and volume did to the particles. */
  takeOver?(particles: Particles): void;
  /** After `takeOver`: where it could not follow closely, takes all but the held particles to where it did. Whether so. */
  pullBack?(particles: Particles, held: Uint8Array): boolean;
}

/** x = xⁿ + Δt·v for all particles. */
export function movePositions(particles: Particles, timeStep: number): void {
  const { positions, starts, velocities } = particles;
  for (let k = 0; k < positions.length; k++) positions[k] = starts[k] + timeStep * velocities[k];
}
