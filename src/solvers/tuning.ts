// The numbers of regions and their rotations: one description for the kernels (AssemblyScript) and the reference (TypeScript).

/**
 * Where A does not determine the rotation (rank ≤ 1) the previous rotation decides: it is mixed into A by this share of
 * the region's rest moment, above the rounding noise of A (1e-16), far below any deformation that means something.
 */
export const PREVIOUS_SHARE = 1e-10;
/**
 * The same for octrees, whose thin ends have regions of two nodes: all that a smaller share leaves of the twist is rounding, which turned such
 * regions by 3e-4 each time that their frames were found.
 */
export const PREVIOUS_LINE_SHARE = 1e-8;
export const NEWTON_LIMIT = 12;
/** Largest last Newton step [rad]; the quadratic convergence leaves an error of about its square. */
export const NEWTON_TOLERANCE = 1e-8;
/** Floor on inertia, relative to rest: what is collapsed stays solvable, and the rest keeps its digits. */
export const INERTIA_FLOOR = 1e-14;
