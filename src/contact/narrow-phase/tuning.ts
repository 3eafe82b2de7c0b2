// The numbers of where bodies touch: one description for the kernels (AssemblyScript) and the reference (TypeScript).

/** In the place of the time of a meeting: a vertex deep inside the other body whose way out is known, or is not. */
export const DEEP = 3;
export const LOST = 4;
/** Gap between edges, in that between vertices and triangles: where those keep theirs, edges have nothing to do. */
export const EDGE_GAP = 0.5;
/** Cosine between the normal of two edges and the outward normals of their bodies from which the bodies face each other. */
export const FACING = 0.2;
/**
 * Edges of one body are opposite walls up to this distance at rest, in ways through the body there. Others that see each other
 * from within have passed through each other: kept there, limbs crushed in an impact stayed in each other for good.
 */
export const WALL = 1.5;
/** Sine, squared, of the angle up to which two edges run side by side and have no normal: 1°. */
export const PARALLEL = 3e-4;
/** How far beyond its ends a meeting still counts, in weights: neighbours overlap by it. */
export const END_SLACK = 1e-6;
/** Gap between surfaces in contact, in mean edges of the finer body: hides what vertices do not see of edges. */
export const THICKNESS = 0.05;
/** Cosine of the angle from which on a surface has a crease, and a way out does not follow its normal: 30°. */
export const CREASE = 0.866;
/** Share of the thickness below which a distance has no direction of its own. */
export const NO_DISTANCE = 1e-3;
/** How far outside a triangle a meeting still counts, in weights: neighbours overlap by it, so that no edge lets pass. */
export const EDGE_SLACK = 1e-6;
/** Most halvings in the search for when points lie in one plane, and how near to it that comes, in steps. */
export const ROOT_ROUNDS = 40;
export const ROOT_PRECISION = 1e-12;
