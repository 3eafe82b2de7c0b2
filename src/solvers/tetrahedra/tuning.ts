// The numbers of the elements: one description for their kernels (AssemblyScript) and the reference (TypeScript).

/** Columns are orthogonal to this share of their lengths: a few roundings. */
export const ORTHOGONAL = 1e-15;
/** A round that finds all columns this near to orthogonal leaves them so to rounding (10⁻¹⁵ of their lengths; with 1e-4, 5·10⁻¹¹). */
export const NEARLY = 1e-5;
/** Of rotations that make columns orthogonal, 3 are usual. */
export const MOST_ROUNDS = 12;
/** Two stretches nearer than this count as equal; the quotient of their stresses' difference would be rounding. */
export const EQUAL_STRETCHES = 1e-5;
/** A row whose diagonal is below this share of the mean one is of a node that nothing can move. */
export const EMPTY = 1e-14;
/** A pivot below this share of its diagonal has failed. */
export const LEAST_PIVOT = 1e-6;
