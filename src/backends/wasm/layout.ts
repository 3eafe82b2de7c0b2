// Where things are in memory: one description for the kernels (AssemblyScript) and for the host (TypeScript).
// All offsets are in bytes. A body is a record of pointers and numbers; rest data is shared by all copies of a body.

/** Particles per unit of work; reductions add up the units in order, so that threads do not change a bit. */
export const CHUNK = 512;
/** Particles after which prefix sums start anew: bounds their rounding in single precision; divides CHUNK. */
export const BLOCK = 128;

// The body record. Pointers and integers (4 bytes each).
/** Particles, padded to a multiple of 4. */
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
/** Bit 0: any pins. Bit 1: volume constraint on. */
export const BODY_FLAGS = 180;
/** Out: particles in contact in the last step. */
export const BODY_CONTACTS = 184;
// Numbers (8 bytes each).
/** Where the body's frame is in the world [m]. */
export const BODY_ORIGIN = 192;
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
export const BODY_BYTES = 296;

export const FLAG_PINS = 1;
export const FLAG_VOLUME = 2;

/** Doubles per chunk for its sums; each phase has places of its own. */
export const PARTIALS = 96;

// A collider record: shape (4 bytes), then numbers (8 bytes each).
export const COLLIDER_SHAPE = 0;
export const COLLIDER_FRICTION = 8;
/** Plane: normal and offset; box: half edges; others: radius, half height. */
export const COLLIDER_NUMBERS = 16;
/** The shape's thinnest dimension. */
export const COLLIDER_THINNEST = 48;
/** Position (3) and rotation matrix (9, row by row) at the start and at the end of the step. */
export const COLLIDER_START = 56;
export const COLLIDER_END = 152;
export const COLLIDER_BYTES = 248;

export const SHAPE_PLANE = 0;
export const SHAPE_BOX = 1;
export const SHAPE_SPHERE = 2;
export const SHAPE_CAPSULE = 3;
export const SHAPE_CYLINDER = 4;

// The world record.
/** Step counter for the threads: workers wait for it to change. */
export const WORLD_GENERATION = 0;
export const WORLD_THREADS = 4;
export const WORLD_BARRIER_COUNT = 8;
export const WORLD_BARRIER_PHASE = 12;
export const WORLD_NEXT_BODY = 16;
export const WORLD_DONE = 20;
export const WORLD_BODIES = 24;
export const WORLD_SMALL_COUNT = 28;
export const WORLD_LARGE_COUNT = 32;
export const WORLD_COLLIDERS = 36;
export const WORLD_COLLIDER_COUNT = 40;
/** Δt [s], gravity [m/s²]. */
export const WORLD_TIME_STEP = 48;
export const WORLD_GRAVITY = 56;
/** Out: milliseconds that the calling thread spent in each stage. */
export const WORLD_PROFILE = 80;
export const WORLD_BYTES = 128;

/** Bodies of at most this many particles are stepped whole by one thread; larger ones by all threads together. */
export const SMALL_BODY = 2048;
