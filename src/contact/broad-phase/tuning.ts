// The numbers of who may touch: one description for the kernels (AssemblyScript) and the reference (TypeScript).

/**
 * How far beyond its triangles a body looks for others, in its mean edges; further where it looks for itself: folds are
 * tight, and with the shorter one a torus wrapped round itself had an edge in its other arm now and then.
 */
export const MARGIN = 0.08;
export const SELF_MARGIN = 0.15;
/** Vertices that tell about where a body is and how it moves; all are asked where these say that it is fast. */
export const SAMPLES = 8;
/** Points of one body nearer than this at rest, in mean edges, never touch: the surface between them bends. */
export const REST_NEAR = 3;
