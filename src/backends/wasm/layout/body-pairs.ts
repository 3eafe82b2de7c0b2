// Where things are in a pair of bodies that may touch, and how much memory contact between bodies works in.

// A pair of bodies whose boxes overlap, or a body and itself.
export const PAIR_A = 0;
export const PAIR_B = 4;
export const PAIR_CONTACTS = 8;
/** Contacts of a's vertices, then of b's. */
export const PAIR_COUNT_A = 12;
export const PAIR_COUNT_B = 16;
/** How far the deepest vertex has to go where they lie deep in each other (single precision), else 0 [m]. */
export const PAIR_DEEP = 20;
/** Out: whether they press each other. */
export const PAIR_PRESSED = 24;
/** Contacts of edges, after those of vertices: a's edge comes first. */
export const PAIR_COUNT_EDGES = 28;
/** Way on which a leaves b where they lie deep in each other; how far from the middle of the pocket nothing is moved on it any more. */
export const PAIR_WAY = 32;
/** Out: momentum that went from b to a; point (in a's frame) and normal, both weighted by pressure, and its sum. */
export const PAIR_IMPULSE = 48;
/** Until then: how deep the deepest vertex near a surface lies under it (single precision) [m]. */
export const PAIR_SUNK = 60;
export const PAIR_POINT = 64;
export const PAIR_NORMAL = 80;
/** Which turn of a sweep this pair is for a and for b, and the thread that takes it. */
export const PAIR_TURN_A = 96;
export const PAIR_TURN_B = 100;
export const PAIR_THREAD = 104;
/** Sweeps for which a thread has taken it. */
export const PAIR_TAKEN = 108;
/** Where that is: the middle of the pocket (in a's frame) and half its extent. */
export const PAIR_POCKET = 112;
export const PAIR_BYTES = 128;

/** Bytes of a contact, see assembly/contact/response/feature-contacts.ts. */
export const CONTACT_BYTES = 112;
/** Bytes of working memory for contact: fixed, and per particle of the largest body. */
export const SCRATCH_BYTES = 16384;
export const SCRATCH_PER_PARTICLE = 216;
/** Colours that pairs are sorted by; but for the last, pairs of one colour have no body in common. */
export const COLOURS = 64;
