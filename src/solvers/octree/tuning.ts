// The numbers of the octree: one description for its kernels (AssemblyScript) and the reference (TypeScript).

/** Passes in which nodes follow the surface; as for the lattice, more of them would fit the surface's noise. */
export const PASSES = 4;
/** e, relative to a region's rest moments: keeps flat and collinear regions invertible, and hides 1e-4 of a strain. */
export const REGULARISATION = 1e-4;
