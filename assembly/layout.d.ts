/** Particles per unit of work; reductions add up the units in order, so that threads do not change a bit. */
export declare const CHUNK = 512;
/** Particles after which prefix sums start anew: bounds their rounding in single precision; divides CHUNK. */
export declare const BLOCK = 128;
/** Particles, padded to a multiple of 4. */
export declare const BODY_COUNT = 0;
export declare const BODY_CHUNKS = 4;
/** x⁰ relative to the centre of mass, and 1. */
export declare const BODY_REST_POSITIONS = 8;
export declare const BODY_REST_NORMALS = 12;
/** t⁰ of each region. */
export declare const BODY_REGION_CENTRES = 16;
/** p⁰ − t⁰ of each region's extra point. */
export declare const BODY_EXTRA_ARMS = 20;
/** Share of the mass, m̃, M̃, 1/|𝓡|, l, rest moment, rest area: one number per particle each. */
export declare const BODY_MASS_SHARES = 24;
export declare const BODY_REGION_MASSES = 28;
export declare const BODY_REGION_TOTALS = 32;
export declare const BODY_REGION_INVERSES = 36;
export declare const BODY_EXTRA_LENGTHS = 40;
export declare const BODY_REST_MOMENTS = 44;
export declare const BODY_AREAS = 48;
/** Intervals of region i: pairs of prefix rows, from offsets[i] to offsets[i + 1]. */
export declare const BODY_INTERVAL_OFFSETS = 52;
export declare const BODY_INTERVALS = 56;
/** Neighbours of particle i in counter-clockwise order. */
export declare const BODY_RING_OFFSETS = 60;
export declare const BODY_RINGS = 64;
/** Inner pairs: partner, rest length, depth. */
export declare const BODY_PARTNERS = 68;
export declare const BODY_PAIR_LENGTHS = 72;
export declare const BODY_PAIR_DEPTHS = 76;
/** The mesh's own vertex of each particle; 0xffffffff for padding. */
export declare const BODY_ORDER = 80;
export declare const BODY_POSITIONS = 84;
export declare const BODY_STARTS = 88;
export declare const BODY_VELOCITIES = 92;
export declare const BODY_QUATERNIONS = 96;
export declare const BODY_NORMALS = 100;
export declare const BODY_OUTWARD = 104;
export declare const BODY_DIRECTION = 108;
export declare const BODY_CANDIDATES = 112;
export declare const BODY_CONTACT_NORMALS = 116;
export declare const BODY_SURFACE_VELOCITIES = 120;
export declare const BODY_PIN_TARGETS = 124;
/** Prefix sums, two sets of 64 bytes per row. */
export declare const BODY_PREFIX = 128;
export declare const BODY_FIELD_PREFIX = 132;
/** One number per particle. */
export declare const BODY_CHANGES = 136;
export declare const BODY_SHARES = 140;
/** Two numbers per particle: position weight, velocity weight; two sets for smoothing. */
export declare const BODY_WEIGHTS = 144;
export declare const BODY_WEIGHTS_SCRATCH = 148;
/** Marks, one byte per particle each. */
export declare const BODY_PINNED = 152;
export declare const BODY_COLLIDING = 156;
export declare const BODY_HELD = 160;
export declare const BODY_STOPPED = 164;
/** What the user sees: 12 bytes per vertex in the mesh's own order. */
export declare const BODY_SHOWN_POSITIONS = 168;
export declare const BODY_SHOWN_VELOCITIES = 172;
/** Sums per chunk: PARTIALS doubles each. */
export declare const BODY_PARTIALS = 176;
/** Bit 0: any pins. Bit 1: volume constraint on. */
export declare const BODY_FLAGS = 180;
/** Out: particles in contact in the last step. */
export declare const BODY_CONTACTS = 184;
/** Where the body's frame is in the world [m]. */
export declare const BODY_ORIGIN = 192;
export declare const BODY_MASS = 216;
/** V₀ [m³]. */
export declare const BODY_VOLUME = 224;
/** Diameter of the bounding sphere [m]. */
export declare const BODY_SIZE = 232;
/** Per step. */
export declare const BODY_STIFFNESS = 240;
export declare const BODY_DAMPING = 248;
/** α, β, σ_min, σ_max. */
export declare const BODY_GLOBAL_SHARE = 256;
export declare const BODY_INNER_SHARE = 264;
export declare const BODY_INNER_MIN = 272;
export declare const BODY_INNER_MAX = 280;
export declare const BODY_BYTES = 288;
export declare const FLAG_PINS = 1;
export declare const FLAG_VOLUME = 2;
/** Doubles per chunk for its sums; each phase has places of its own. */
export declare const PARTIALS = 96;
export declare const COLLIDER_SHAPE = 0;
export declare const COLLIDER_FRICTION = 8;
/** Plane: normal and offset; box: half edges; others: radius, half height. */
export declare const COLLIDER_NUMBERS = 16;
/** The shape's thinnest dimension. */
export declare const COLLIDER_THINNEST = 48;
/** Position (3) and rotation matrix (9, row by row) at the start and at the end of the step. */
export declare const COLLIDER_START = 56;
export declare const COLLIDER_END = 152;
export declare const COLLIDER_BYTES = 248;
export declare const SHAPE_PLANE = 0;
export declare const SHAPE_BOX = 1;
export declare const SHAPE_SPHERE = 2;
export declare const SHAPE_CAPSULE = 3;
export declare const SHAPE_CYLINDER = 4;
/** Step counter for the threads: workers wait for it to change. */
export declare const WORLD_GENERATION = 0;
export declare const WORLD_THREADS = 4;
export declare const WORLD_BARRIER_COUNT = 8;
export declare const WORLD_BARRIER_PHASE = 12;
export declare const WORLD_NEXT_BODY = 16;
export declare const WORLD_DONE = 20;
export declare const WORLD_BODIES = 24;
export declare const WORLD_SMALL_COUNT = 28;
export declare const WORLD_LARGE_COUNT = 32;
export declare const WORLD_COLLIDERS = 36;
export declare const WORLD_COLLIDER_COUNT = 40;
/** Δt [s], gravity [m/s²]. */
export declare const WORLD_TIME_STEP = 48;
export declare const WORLD_GRAVITY = 56;
/** Out: milliseconds that the calling thread spent in each stage. */
export declare const WORLD_PROFILE = 80;
export declare const WORLD_BYTES = 128;
/** Bodies of at most this many particles are stepped whole by one thread; larger ones by all threads together. */
export declare const SMALL_BODY = 2048;
