// The numbers of visible meshes: one description for the kernels (AssemblyScript) and the reference (TypeScript).

/**
 * Rounds in which gradients take the mean of their own and their neighbours'. A single vertex of a coarse mesh says little
 * about the surface: over the bent armadillo of 26 002 vertices on 999, two rounds take the error against the true bend
 * from 0.56 to 0.32 % of the size and the widest angle between triangles from 165° to 119° (122° at rest); four, 117°.
 * Even: they end where they began.
 */
export const CALMING_ROUNDS = 2;
/** Squared length of a direction below which it is rounding; gradients have no unit and are near 1. */
export const NO_DIRECTION = 1e-24;
