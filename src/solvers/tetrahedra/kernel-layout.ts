// What threads that work on one body tell each other, and which tasks there are: read by the kernels too. See kernels/kernel-team.ts.

/** Place of the record in the body's memory, and its size [bytes]. */
export const TEAM = 64;
export const TEAM_BYTES = 192;

// Tasks of kernels. Those over runs take one run, those over chunks one chunk of as many as the words say.
/** Forces and stiffness of a run of tetrahedra. */
export const ELEMENTS = 0;
/** d_kj of a run of tetrahedra. */
export const RING_VECTORS = 1;
/** Rows of A·x of a run of nodes. */
export const ROWS = 2;
/** Entries of the pressure matrix of a run of nodes. */
export const PAIRS = 3;
/** −grad p of a chunk of nodes. */
export const FORCES = 4;
/** A chunk of vectors in single precision. */
export const TAKEN = 5;
/** Volumes of a chunk of tetrahedra. */
export const VOLUMES = 6;
/** The two halves of the pressure product for a chunk of nodes. */
export const CHANGES = 7;
export const RATES = 8;
/** A chunk of the factors by columns. */
export const MIRRORED = 9;
/** Rows of a chain of the factors; both sweeps over one. */
export const FACTOR = 10;
export const FORWARD = 11;
export const BACKWARD = 12;

/** Numbers per tetrahedron that elements leave to the solve, the same number of two tetrahedra side by side: u, v, s, g, h, same, crossed. */
export const WIDTH = 36;
