// Where things are in the world's record.

// The world record.
/** Step counter for the threads: workers wait for it to change. */
export const WORLD_GENERATION = 0;
export const WORLD_THREADS = 4;
export const WORLD_BARRIER_COUNT = 8;
export const WORLD_BARRIER_PHASE = 12;
/** Changes when all the things of a phase are done that threads take for themselves. */
export const WORLD_GATES = 16;
/** Workers that have joined. */
export const WORLD_JOINED = 20;
export const WORLD_BODIES = 24;
export const WORLD_SMALL_COUNT = 28;
export const WORLD_LARGE_COUNT = 32;
export const WORLD_COLLIDERS = 36;
export const WORLD_COLLIDER_COUNT = 40;
/** How far the sweeps over pairs have come, body by body: turns taken, turns in a sweep; on cache lines of their own. */
export const WORLD_BODY_TURNS = 44;
export const TURNS_BYTES = 64;
/** Δt [s], gravity [m/s²]. */
export const WORLD_TIME_STEP = 48;
export const WORLD_GRAVITY = 56;
/** Out: milliseconds that the calling thread spent in each stage. */
export const WORLD_PROFILE = 80;
/** Whether bodies may touch each other or themselves. */
export const WORLD_TOUCHING = 128;
/** Pairs: where, room for how many, how many there are (out, may be more than there is room for). */
export const WORLD_PAIRS = 132;
export const WORLD_PAIR_CAPACITY = 136;
export const WORLD_PAIR_COUNT = 140;
/** Bodies sorted along an axis; their pairs, body by body; their colours as bits, 8 bytes each. */
export const WORLD_SORTED = 144;
export const WORLD_BODY_PAIRS = 148;
export const WORLD_BODY_COLOURS = 152;
/** Pairs sorted by colour, and where each colour begins. */
export const WORLD_COLOURED = 156;
export const WORLD_COLOUR_STARTS = 160;
/** Working memory of each thread, and bytes from one's to the next; room for contacts and its bytes, a spare one behind each thread's. */
export const WORLD_SCRATCH = 164;
export const WORLD_SCRATCH_BYTES = 168;
export const WORLD_CONTACTS = 172;
export const WORLD_CONTACTS_BYTES = 176;
/** Out: contacts found, which may be more than there is room for. */
export const WORLD_CONTACT_COUNT = 180;
/** The skin that `step` lets follow its body; 0 for a step of the world. */
export const WORLD_SKIN = 184;
/** Threads that sleep at a barrier or a gate, or are about to. */
export const WORLD_SLEEPERS = 188;
/** How many things of each phase are done: a cache line. */
export const WORLD_DONE = 192;
/** Counters of the work of each phase that threads have taken, COUNTERS_BYTES for each thread's share: a cache line. */
export const WORLD_COUNTERS = 256;
export const COUNTERS_BYTES = 64;
/** Most threads that a world can use. */
export const MAX_THREADS = 16;
/** Whether `step` does FLAG_AGAIN bodies once more instead of a substep. */
export const WORLD_AGAIN = 1280;
export const WORLD_BYTES = 1344;

/** Bodies of at most this many particles are stepped whole by one thread; larger ones by all threads together, unless there are many. */
export const SMALL_BODY = 2048;
