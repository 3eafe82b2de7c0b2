// Where things are in a body's record: pointers, numbers, flags and marks. Rest data is shared by all copies of a body.

/** Particles per unit of work; reductions add up the units in order, so that threads do not change a bit. */
export const CHUNK = 512;
/** Particles after which prefix sums start anew: bounds their rounding in single precision; divides CHUNK. */
export const BLOCK = 128;

/** Bytes of a row of prefix sums. */
export const ROW = 64;

// The body record. Pointers and integers (4 bytes each).
/** Particles; arrays are padded to a multiple of 4. */
export const BODY_COUNT = 0;
export const BODY_CHUNKS = 4;
// Rest data: vectors are 16 bytes per particle.
/** x⁰ relative to the centre of mass, and 1. */
export const BODY_REST_POSITIONS = 8;
export const BODY_REST_NORMALS = 12;
/** t⁰ of each region; like the arms in groups of four: four x, four y, four z. */
export const BODY_REGION_CENTRES = 16;
/** p⁰ − t⁰ of each region's extra point. */
export const BODY_EXTRA_ARMS = 20;
/** Share of the mass, m̃, M̃, 1/|𝓡|, l, rest moment, rest area: one number per particle each. */
export const BODY_MASS_SHARES = 24;
export const BODY_REGION_MASSES = 28;
export const BODY_REGION_TOTALS = 32;
export const BODY_REGION_INVERSES = 36;
export const BODY_EXTRA_LENGTHS = 40;
export const BODY_REST_MOMENTS = 44;
export const BODY_AREAS = 48;
/** Intervals of region i: pairs of prefix rows, from offsets[i] to offsets[i + 1]. */
export const BODY_INTERVAL_OFFSETS = 52;
export const BODY_INTERVALS = 56;
/** Neighbours of particle i in counter-clockwise order, as byte offsets of their vectors. */
export const BODY_RING_OFFSETS = 60;
export const BODY_RINGS = 64;
/** Inner pairs: partner, rest length, depth. */
export const BODY_PARTNERS = 68;
export const BODY_PAIR_LENGTHS = 72;
export const BODY_PAIR_DEPTHS = 76;
/** The mesh's own vertex of each particle; 0xffffffff for padding. */
export const BODY_ORDER = 80;
// State: vectors are 16 bytes per particle, relative to the body's origin.
export const BODY_POSITIONS = 84;
export const BODY_STARTS = 88;
export const BODY_VELOCITIES = 92;
/** In groups of four: four x, four y, four z, four w. */
export const BODY_QUATERNIONS = 96;
export const BODY_NORMALS = 100;
export const BODY_OUTWARD = 104;
export const BODY_DIRECTION = 108;
export const BODY_CANDIDATES = 112;
export const BODY_CONTACT_NORMALS = 116;
export const BODY_SURFACE_VELOCITIES = 120;
export const BODY_PIN_TARGETS = 124;
/** Prefix sums, two sets of 64 bytes per row. */
export const BODY_PREFIX = 128;
export const BODY_FIELD_PREFIX = 132;
/** One number per particle. */
export const BODY_CHANGES = 136;
export const BODY_SHARES = 140;
/** Four numbers per particle: position weight, velocity weight, and 1 where it may have them; two sets for smoothing. */
export const BODY_WEIGHTS = 144;
export const BODY_WEIGHTS_SCRATCH = 148;
/** Marks, one byte per particle each. */
export const BODY_PINNED = 152;
export const BODY_COLLIDING = 156;
export const BODY_HELD = 160;
/** The shown velocities once more, a vector per particle, to tell what the user has added to them. */
export const BODY_KEPT_VELOCITIES = 164;
/** What the user sees: 12 bytes per vertex in the mesh's own order. */
export const BODY_SHOWN_POSITIONS = 168;
export const BODY_SHOWN_VELOCITIES = 172;
/** Sums per chunk: PARTIALS doubles each. */
export const BODY_PARTIALS = 176;
/** Out: what obstacles did to each chunk, REACTION_BYTES each; the obstacles that touch a chunk side by side. */
export const BODY_REACTIONS = 188;
/** Along what the volume correction moves particles, at rest; in groups of four: four x, four y, four z. 0 for along their normals. */
export const BODY_PUSHES = 192;
/** Factors painted on stiffness and damping of regions, on friction and volume weight of particles; 0 where there are none. */
export const BODY_STIFFNESSES = 196;
export const BODY_DAMPINGS = 200;
export const BODY_FRICTIONS = 204;
export const BODY_VOLUME_WEIGHTS = 208;
/** Means of the first two over the regions that hold each particle. */
export const BODY_STIFFNESS_MEANS = 212;
export const BODY_DAMPING_MEANS = 332;
// Numbers (8 bytes each).
/** Mean square distance of the surface from its centre at rest [m²]. */
export const BODY_SPREAD = 216;
/** V₀ [m³]. */
export const BODY_VOLUME = 224;
/** Diameter of the bounding sphere [m]. */
export const BODY_SIZE = 232;
/** Per step. */
export const BODY_STIFFNESS = 240;
export const BODY_DAMPING = 248;
/** α, β, σ_min, σ_max. */
export const BODY_GLOBAL_SHARE = 256;
export const BODY_INNER_SHARE = 264;
export const BODY_INNER_MIN = 272;
export const BODY_INNER_MAX = 280;
/** Mean rest area of a vertex [m²]. */
export const BODY_MEAN_AREA = 288;
// Contact of bodies with each other. The tree over the triangles: nodes, their particles, their triangles, boxes at rest.
export const BODY_TREE = 296;
export const BODY_TREE_MEMBERS = 300;
export const BODY_TREE_TRIANGLES = 304;
export const BODY_TREE_REST_BOXES = 308;
export const BODY_TREE_NODES = 312;
/** Boxes of the tree's nodes on their way through the step. */
export const BODY_TREE_BOXES = 316;
/** What a particle touches of other bodies: mean normal and friction, velocity and weight; both 16 bytes. */
export const BODY_TOUCH_NORMALS = 320;
export const BODY_TOUCH_VELOCITIES = 324;
/** One byte per particle: 1 for vertices that have passed through the body's own surface and are to go back. */
export const BODY_CROSSED = 328;
/** Per chunk: box of the particles on their way, lowest and highest displacement; 16 bytes each. */
export const BODY_CHUNK_BOXES = 336;
/** Place among the world's bodies, for the list of its pairs: where that begins, and how many there are. */
export const BODY_INDEX = 340;
export const BODY_PAIRS = 344;
export const BODY_PAIR_COUNT = 348;
/** Whether a particle touches another body; how far the body, where it lay deep in another in the step before, had to go (single precision) [m]. */
export const BODY_TOUCHED = 352;
export const BODY_DEEP = 356;
/** [kg] */
export const BODY_MASS = 360;
/** Mean edge; furthest motion that is slow [m]. */
export const BODY_EDGE = 368;
export const BODY_SLOW = 376;
export const BODY_FRICTION = 384;
export const BODY_RESTITUTION = 392;
/** Size of the shape that the body goes back to, in sizes at rest. */
export const BODY_REST_SCALE = 400;
/** Out: six volumes at the end of the step. */
export const BODY_SIX_VOLUME = 408;
/** Box on the way through the step, lowest and highest displacement; 16 bytes each. */
export const BODY_BOX = 416;
/** Bits of the groups it belongs to, and of those it touches. */
export const BODY_GROUPS = 480;
/** What pins did to the velocities of their particles in this step; a vector per particle. */
export const BODY_PIN_CHANGES = 492;
/** Edges of the tree's leaves, the sharp ones of each first: byte offsets of their two ends. */
export const BODY_TREE_EDGES = 496;
/** Leaves near each leaf at rest: offsets per node into the list, and the list, which holds places of nodes in bytes. */
export const BODY_NEAR_OFFSETS = 500;
export const BODY_NEAR_LEAVES = 504;
/** Per run of RUN particles: box of their ways, furthest displacement along each axis; 64 bytes. */
export const BODY_RUN_BOXES = 508;
/** The tree's subtrees, SUBTREE_BYTES each; their own particles one after the other; rows of their leaves, SUBTREE_ROWS_BYTES each. */
export const BODY_SUBTREES = 180;
export const BODY_SUBTREE_PARTICLES = 184;
export const BODY_SUBTREE_ROWS = 488;
// What the host looks at in every step, within 64 bytes: it comes to each body when the caches hold other things.
/** FLAG_PINS and the others. */
export const BODY_FLAGS = 512;
/** Out: particles in contact in the last step; whether an obstacle that moves touches it. */
export const BODY_CONTACTS = 516;
export const BODY_KINEMATIC = 520;
/** How long it has been slow [s], in single precision. */
export const BODY_SLOW_TIME = 524;
/** Where the body's frame is in the world [m]. */
export const BODY_ORIGIN = 528;
/** Out: ½ Σ m v² of how particles moved, per mass; speed of the mean velocity of a few vertices [m/s]. */
export const BODY_MOTION = 552;
export const BODY_SAMPLED_SPEED = 560;
/** Records of the closed parts of a body of several, and how many; 0 for a body of one. */
export const BODY_PARTS = 568;
export const BODY_PART_COUNT = 572;
/** The body itself; of a part's record, which the volume constraint alone knows, the body that it is of. */
export const BODY_OWNER = 576;
/** Of a part's record: byte offset of its first particle's vectors in those of its body; 0 for a body. */
export const BODY_SHIFT = 580;
/** Speed that its particles do not exceed, between obstacles that press it [m/s]; 0 for any. */
export const BODY_PRESSED_SPEED = 584;
/** How far its pins reach, see `PIN_REACH_GROUPS`; 0 where it has none. */
export const BODY_PIN_REACH = 592;
/** How deep its deepest vertex near another body's surface lay under it, or another body's under its own, in the step before (single precision) [m]. */
export const BODY_SUNK = 596;
export const BODY_BYTES = 640;

/** Where the groups of pins begin, behind their number; of each: where its pins and the particles that it reaches are from there on, and how many. */
export const PIN_REACH_GROUPS = 16;
/** Bytes of each: byte offset of a particle's vectors, and in the second half its row of four numbers. */
export const PIN_REACH_ITEM = 32;

/** Particles whose bounds are tested together: as paths are long and thin, a run of them is small and a chunk is not. */
export const RUN = 32;

export const FLAG_PINS = 1;
export const FLAG_VOLUME = 2;
/** The body is kept from passing through itself. */
export const FLAG_SELF = 4;
/** No stage touches it. */
export const FLAG_ASLEEP = 8;
/** The normals in memory are those of its positions, but for the last step of a volume correction. */
export const FLAG_NORMALS = 16;
/** The host has moved it: predict, match and damp are done. */
export const FLAG_HOSTED = 32;
/** The host has moved some of its particles back: contact with obstacles and what comes after it is done once more. */
export const FLAG_AGAIN = 64;
/** From this bit on: a number that bodies have in common whose contact with each other the host has solved; 0 for none. */
export const COUPLING_SHIFT = 16;

/** Marks of colliding particles: by an obstacle, by another body. */
export const BY_OBSTACLE = 1;
export const BY_BODY = 2;
