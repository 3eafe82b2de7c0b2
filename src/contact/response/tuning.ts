// The numbers of what contacts do: one description for the kernels (AssemblyScript) and the reference (TypeScript).

/** Share of its mass [m/s] by which a particle counts for the point and the normal where nothing presses. */
export const UNPRESSED = 1e-9;
/** A corner with less weight than this is not held by a contact: the others are. */
export const HELD_WEIGHT = 0.1;
/** Of particles that others press from all sides, what is left of the mean normal is no direction. */
export const NO_DIRECTION = 0.2;
/** Sweeps over all contacts for velocities and for positions: contacts share only particles, so few do. */
export const VELOCITY_SWEEPS = 4;
export const POSITION_SWEEPS = 4;
/** How fast bodies that overlap are pushed apart, in thicknesses per step. */
export const PUSH = 2;
/**
 * The same for vertices deep inside another body, at least, in sizes of the smaller body per step. By thicknesses alone limbs of fine meshes
 * were pushed less than their elasticity pulled them back, and lay in each other for good; at 0.006, claws of coarse ones. At 0.03 these went in
 * and out at 0.3 m/s, and their piles did not sleep.
 */
export const DEEP_PUSH = 0.015;
/**
 * Of vertices inside another body that are near its surface: by this share of their depth at least, up to that of deep ones. By thicknesses alone
 * fine meshes sank into coarse ones, whose surface is near for longer, until they were deep, came out and sank in again: no pile slept.
 */
export const OUT_SHARE = 0.5;
/** Approach below which nothing bounces, in thicknesses per step. */
export const BOUNCE_FROM = 1;
/**
 * Gap, in thicknesses, up to which what approaches no faster than that touches from the start of the step on. What rests
 * hovers by a hair, and would touch a part of the step later, in every step; friction did not take back what it slipped
 * until then, and a block on a slope of 15° crept by 2 mm/s where 27° would have held it.
 */
export const NEAR = 1.1;
/**
 * Furthest that a contact moves a particle is the inverse of this, in gaps: where all but a corner of little weight is
 * pinned, that corner would have to go 1/w times as far, and pins that press a body through itself threw it to infinity.
 */
export const LEAST_WEIGHT = 0.25;
