// The record by which threads share tasks, places in it [bytes]; read by kernels too. See kernel-team.ts.

/** Which call, and the end and the first of the tasks that nobody has taken: 64 bits. */
export const TICKET = 0;
/** Tasks that are done. */
export const DONE = 8;
/** Counts calls; what workers wait at. */
export const GENERATION = 12;
export const SLEEPERS = 16;
/** Of the call: what to do, and the first task. */
export const OPERATION = 20;
export const FIRST = 24;
/** Workers that are there. */
export const JOINED = 28;
/** Arguments: four numbers of double precision, then thirty-two words. */
export const REALS = 32;
export const WORDS = 64;
/** The last word: threads that take part. */
export const TAKING_PART = 31;
