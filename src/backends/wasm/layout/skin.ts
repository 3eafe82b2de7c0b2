// Where things are in a visible mesh that follows a body.

// A skin record: a visible mesh that follows a body. Pointers and integers (4 bytes each).
/** Visible vertices, and their records. */
export const SKIN_COUNT = 0;
export const SKIN_VERTICES = 4;
/** Tangents at rest, 16 bytes each; 0 where there are none. */
export const SKIN_REST_TANGENTS = 8;
/** What is shown: 12, 12 and 16 bytes per vertex. */
export const SKIN_POSITIONS = 12;
export const SKIN_NORMALS = 16;
export const SKIN_TANGENTS = 20;
/** Particles, their vectors relative to the origin, and their neighbours as in the body record. */
export const SKIN_PARTICLES = 24;
export const SKIN_PARTICLE_POSITIONS = 28;
export const SKIN_RING_OFFSETS = 32;
export const SKIN_RINGS = 36;
/** u of each neighbour, m and the normal at rest of each particle: vectors. */
export const SKIN_EDGE_FACTORS = 40;
export const SKIN_NORMAL_FACTORS = 44;
export const SKIN_REST_NORMALS = 48;
/** G of each particle, column by column, 48 bytes; twice, for calming. */
export const SKIN_GRADIENTS = 52;
export const SKIN_SCRATCH = 56;
/** Whether any vertex is far from the surface. */
export const SKIN_HAS_FAR = 60;
/** Where the particles' frame is in the world [m]: numbers (8 bytes each). */
export const SKIN_ORIGIN = 64;
/** Mean of all G, column by column: vectors. */
export const SKIN_MEAN_GRADIENT = 96;
export const SKIN_BYTES = 144;

// The record of a visible vertex.
/** Byte offsets of three particles' vectors. */
export const SKIN_VERTEX_CORNERS = 0;
export const SKIN_VERTEX_FAR = 12;
export const SKIN_VERTEX_WEIGHTS = 16;
export const SKIN_VERTEX_OFFSET = 32;
export const SKIN_VERTEX_NORMAL = 48;
export const SKIN_VERTEX_BYTES = 64;
/** Of a gradient: three columns. */
export const GRADIENT_BYTES = 48;
