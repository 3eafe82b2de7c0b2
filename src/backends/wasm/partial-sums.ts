// What each chunk of a body's particles sums up in a step, and where: one after the other in PARTIALS doubles per chunk. One list for
// kernels and host, as the layout is; whoever adds a sum makes room here.

/** Σ m xⁿ (3), Σ m xⁿxⁿᵀ (6). */
export const SUM_STARTS = 0;
/** Of matching: Σ m Δv (3), Σ m xⁿ×Δv (3). */
export const SUM_MATCH = SUM_STARTS + 9;
/** The same of damping. */
export const SUM_DAMP = SUM_MATCH + 6;
/** Particles in contact, as contact found them; and as the volume weights did. */
export const SUM_CONTACTS = SUM_DAMP + 6;
export const SUM_COLLIDING = SUM_CONTACTS + 1;
/** Which way the obstacles that a body touches push it, Σ m n (3). */
export const SUM_SUPPORT = SUM_COLLIDING + 1;
/** Share of the mass that obstacles touch, and the square of the largest speed of these: the largest, not the sum. */
export const SUM_PRESSED = SUM_SUPPORT + 3;
export const MAX_PRESSING = SUM_PRESSED + 1;
/** Total of the local shares of the volume weights. */
export const SUM_SHARES = MAX_PRESSING + 1;
/** 6V. */
export const SUM_VOLUME = SUM_SHARES + 1;
/** Σ mw, Σ mw·x (3), Σ mw·xxᵀ (6), Σ mw·o (3), Σ mw·x×o (3), o the outward direction. */
export const SUM_DIRECTION = SUM_VOLUME + 1;
/** Length of the longest direction: the largest, not the sum. */
export const MAX_DIRECTION = SUM_DIRECTION + 16;
/** Gain Σ d·n̄ of a direction, over all particles and over those that touch nothing. */
export const SUM_GAIN = MAX_DIRECTION + 1;
/** The four coefficients of the volume along the direction. */
export const SUM_CUBIC = SUM_GAIN + 2;
/** 6V at the candidates, and its slope along the direction there. */
export const SUM_CANDIDATES = SUM_CUBIC + 4;
/** Particles newly held; the gain of their direction, and what they miss of 6V where they fit only in part. */
export const SUM_HELD = SUM_CANDIDATES + 2;
export const SUM_STOPPED = SUM_HELD + 1;
export const SUM_MISSED = SUM_STOPPED + 1;
/** Of the accepted positions: Σ m x (3), Σ m xxᵀ (6); change of momentum by their correction (6). */
export const SUM_POSITIONS = SUM_MISSED + 1;
export const SUM_CHANGE = SUM_POSITIONS + 9;
/** The flux: of free particles; of those in contact, two places that take turns; the size of all terms. */
export const SUM_FREE_FLUX = SUM_CHANGE + 6;
export const SUM_CONTACT_FLUX = SUM_FREE_FLUX + 1;
export const SUM_FLUX_SIZE = SUM_CONTACT_FLUX + 2;
/** Bytes of a chunk's list where its particles in contact with one thing end, and where those with two begin. */
export const LIST_SINGLE = SUM_FLUX_SIZE + 1;
export const LIST_DOUBLE = LIST_SINGLE + 1;
/** Σ m v² of how particles moved; three times six volumes. */
export const SUM_MOTION = LIST_DOUBLE + 1;

/** Doubles per chunk. */
export const PARTIALS = SUM_MOTION + 2;
