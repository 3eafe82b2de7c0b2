// Where Newton's method on volumes begins, ends and gives up: of one body and of several that touch.

/** Passes in which nodes that the pressure would push into obstacles join the contacts. */
export const CONTACT_PASSES = 3;
/** Newton steps on volumes after the first. */
export const NEWTON_LIMIT = 6;
/**
 * A ring that a solve leaves this far from its volume is beyond what is linear: Newton's method seldom comes back from there, and
 * what it then finds is a tangle. Balls that met a floor at up to 20 m/s came to 0.5.
 */
export const FAR = 0.75;
/** A ring that Newton's method ends this far from its volume with is a failure: its limit is for what is nearly there. */
export const BROKEN = 0.01;
/** Up to this error of a ring the first solve of a step is made where velocities alone would lead. */
export const FORESEEN = 0.05;
/**
 * Share of the tolerance that a solve of Newton's method may leave in each ring: what it would have to do beyond that is for nothing. Rings that
 * are 0.15 % off, where 0.1 % is wanted, take 1 iteration instead of 12 (4296 tetrahedra dropped).
 */
export const SPARE = 0.5;
