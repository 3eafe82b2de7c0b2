// Contacts in memory: a vertex against a point of a triangle, or two edges, 112 bytes each, pair by pair. Mirrors
// src/contact/response/feature-contacts.ts; what the response needs of a contact stands beside it.

/** Bytes from their body's arrays to the vertex and the triangle's three corners, or to the ends of both edges (16 per particle). */
export const PARTICLES: usize = 0;
/** How much each of the four takes part: 1 for the vertex, minus the weights of the corners; edges alike, end by end. */
export const WEIGHTS: usize = 16;
/** The same over the masses; 0 for what is pinned or asleep. */
export const SHARES: usize = 32;
/** Unit vector to the vertex, and the friction coefficient. */
export const NORMAL: usize = 48;
/** Distance along the normal at the start of the step [m]; negative inside another body. */
export const GAP: usize = 64;
/** Distance that is to be kept [m]. */
export const THICKNESS: usize = 68;
/** Share of the step at which a fast vertex meets the triangle, 0 where it was near; after the response what is left of the gap [m]. */
export const TIME: usize = 72;
export const SLACK: usize = 72;
/** Distance along the normal between the frames of the two bodies. */
export const SHIFT: usize = 76;
/** 1/Σ w²/m; time that is left after touching; speed to leave with; momentum along the normal. */
export const MASS: usize = 80;
export const LEFT: usize = 84;
export const BOUNCE: usize = 88;
export const PRESSURE: usize = 92;
/** Momentum along the surface; until the response begins, restitution in the place of its fourth lane. */
export const SLIP: usize = 96;
export const RESTITUTION: usize = 108;
