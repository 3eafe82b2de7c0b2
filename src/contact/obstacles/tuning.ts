// The numbers of contact with obstacles: one description for the kernels (AssemblyScript) and the reference (TypeScript).

/**
 * Depth up to which a particle in a closed mesh is one that lies on it, as a share of the mesh's size: rounding and the
 * volume correction set particles down that far inside, and a thin wall must not let them out on its other side.
 */
export const SURFACE_DEPTH = 1e-3;
/** A particle that crosses more than this share of an obstacle's thickness in a step is swept along its way. */
export const SWEEP_SHARE = 0.25;
/** Most steps along the way of a swept particle. */
export const SWEEP_STEPS = 1024;
/** Most passes over all obstacles; they end when a pass finds nothing inside, in a corner after a few. */
export const PASSES = 12;
