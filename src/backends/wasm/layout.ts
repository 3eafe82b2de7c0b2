// Where things are in memory: one description for the kernels (AssemblyScript) and for the host (TypeScript).
// All offsets are in bytes. A body is a record of pointers and numbers; rest data is shared by all copies of a body.

/** Particles per unit of work; reductions add up the units in order, so that threads do not change a bit. */
export const CHUNK = 512;
/** Particles after which prefix sums start anew: bounds their rounding in single precision; divides CHUNK. */
export const BLOCK = 128;

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
/** Whether a particle touches another body, and whether the body lay deep in another in the step before. */
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
export const BODY_BYTES = 640;

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

// A node of a body's tree; its box is at the same place in the boxes.
export const NODE_BYTES = 32;
/** Triangles of a leaf, 0 for an inner node. */
export const NODE_COUNT = 0;
/** First triangle of a leaf; place of the right child, in bytes, of an inner node, whose left child comes next. */
export const NODE_LINK = 4;
/** Particles of a leaf's triangles, their number and how many of them, the first, belong to this leaf alone (2 bytes each). */
export const NODE_MEMBERS = 8;
export const NODE_MEMBER_COUNT = 12;
export const NODE_OWNED = 14;
/** Where a subtree's rows are, in bytes; of a leaf, where its lane of the first row is. */
export const NODE_SUBTREE = 16;
/** Bytes of the node and all below it, which come next. */
export const NODE_SPAN = 20;
/** First edge of a leaf; how many there are and how many of them are sharp (2 bytes each), 1 for an inner node with any below. */
export const NODE_EDGES = 24;
export const NODE_EDGE_COUNT = 28;
export const NODE_SHARP = 30;

// A subtree: a branch of so many leaves or fewer, below one of more. What is found of two bodies is found subtree by subtree.
export const SUBTREE_LEAVES = 8;
/** Bytes of a subtree; those of its rows are SUBTREE_SHARE times as many, so that one place tells the other. */
export const SUBTREE_BYTES = 64;
/** Nodes of its leaves; byte offset of its first particle; number of leaves; where each leaf's particles begin and the last's end (bytes). */
export const SUBTREE_NODES = 0;
export const SUBTREE_PARTICLES = 32;
export const SUBTREE_COUNT = 36;
export const SUBTREE_STARTS = 40;
/** Rows of a subtree: six bounds of its leaves' boxes, one number per leaf; then lowest and highest displacement, 32 bytes per leaf. */
export const SUBTREE_ROW = 32;
export const SUBTREE_MOTIONS = 192;
export const SUBTREE_ROWS_BYTES = 512;
export const SUBTREE_SHARE = 8;

// A pair of bodies whose boxes overlap, or a body and itself.
export const PAIR_A = 0;
export const PAIR_B = 4;
export const PAIR_CONTACTS = 8;
/** Contacts of a's vertices, then of b's. */
export const PAIR_COUNT_A = 12;
export const PAIR_COUNT_B = 16;
/** How far the deepest vertex has to go where they lie deep in each other (single precision), else 0 [m]. */
export const PAIR_DEEP = 20;
/** Out: whether they press each other. */
export const PAIR_PRESSED = 24;
/** Contacts of edges, after those of vertices: a's edge comes first. */
export const PAIR_COUNT_EDGES = 28;
/** Way on which a leaves b where they lie deep in each other. */
export const PAIR_WAY = 32;
/** Out: momentum that went from b to a; point (in a's frame) and normal, both weighted by pressure, and its sum. */
export const PAIR_IMPULSE = 48;
export const PAIR_POINT = 64;
export const PAIR_NORMAL = 80;
/** Which turn of a sweep this pair is for a and for b, and the thread that takes it. */
export const PAIR_TURN_A = 96;
export const PAIR_TURN_B = 100;
export const PAIR_THREAD = 104;
/** Sweeps for which a thread has taken it. */
export const PAIR_TAKEN = 108;
export const PAIR_BYTES = 112;

/** Bytes of a contact, see assembly/contact/response/contact-list.ts. */
export const CONTACT_BYTES = 112;
/** Bytes of working memory for contact: fixed, and per particle of the largest body. */
export const SCRATCH_BYTES = 16384;
export const SCRATCH_PER_PARTICLE = 208;
/** Colours that pairs are sorted by; but for the last, pairs of one colour have no body in common. */
export const COLOURS = 64;

// What an obstacle did to a chunk, in doubles. With the body's mass and origin as units and origin: momentum, its moment,
// point and outward normal weighted by pressure, the sum of these weights.
export const REACTION_IMPULSE = 0;
export const REACTION_MOMENT = 24;
export const REACTION_POINT = 48;
export const REACTION_NORMAL = 72;
export const REACTION_WEIGHT = 96;
/** Place of the obstacle, and 1; 0 where the record holds nothing. */
export const REACTION_COLLIDER = 104;
export const REACTION_BYTES = 128;
/** Obstacles that may touch one chunk in a step; what more of them do is not told. */
export const REACTION_SLOTS = 32;

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
/** Mesh: tree nodes, boxes, triangles (corners and unit normals); heightfield: heights, columns, rows. */
export const COLLIDER_NODES = 256;
export const COLLIDER_BOXES = 260;
export const COLLIDER_TRIANGLES = 264;
/** As of a body. */
export const COLLIDER_GROUPS = 272;
export const COLLIDER_BYTES = 280;
/** A mesh obstacle's triangle: three corners and the normal. */
export const OBSTACLE_TRIANGLE_BYTES = 64;

export const SHAPE_PLANE = 0;
export const SHAPE_BOX = 1;
export const SHAPE_SPHERE = 2;
export const SHAPE_CAPSULE = 3;
export const SHAPE_CYLINDER = 4;
export const SHAPE_GLASS = 5;
export const SHAPE_MESH = 6;
export const SHAPE_HEIGHTFIELD = 7;

// The world record.
/** Step counter for the threads: workers wait for it to change. */
export const WORLD_GENERATION = 0;
export const WORLD_THREADS = 4;
export const WORLD_BARRIER_COUNT = 8;
export const WORLD_BARRIER_PHASE = 12;
/** Changes when all the things of a phase are done that threads take for themselves. */
export const WORLD_GATES = 16;
/** Workers that have joined. */
export const WORLD_JOINED = 20;
export const WORLD_BODIES = 24;
export const WORLD_SMALL_COUNT = 28;
export const WORLD_LARGE_COUNT = 32;
export const WORLD_COLLIDERS = 36;
export const WORLD_COLLIDER_COUNT = 40;
/** How far the sweeps over pairs have come, body by body: turns taken, turns in a sweep; on cache lines of their own. */
export const WORLD_BODY_TURNS = 44;
export const TURNS_BYTES = 64;
/** Δt [s], gravity [m/s²]. */
export const WORLD_TIME_STEP = 48;
export const WORLD_GRAVITY = 56;
/** Out: milliseconds that the calling thread spent in each stage. */
export const WORLD_PROFILE = 80;
/** Whether bodies may touch each other or themselves. */
export const WORLD_TOUCHING = 128;
/** Pairs: where, room for how many, how many there are (out, may be more than there is room for). */
export const WORLD_PAIRS = 132;
export const WORLD_PAIR_CAPACITY = 136;
export const WORLD_PAIR_COUNT = 140;
/** Bodies sorted along an axis; their pairs, body by body; their colours as bits, 8 bytes each. */
export const WORLD_SORTED = 144;
export const WORLD_BODY_PAIRS = 148;
export const WORLD_BODY_COLOURS = 152;
/** Pairs sorted by colour, and where each colour begins. */
export const WORLD_COLOURED = 156;
export const WORLD_COLOUR_STARTS = 160;
/** Working memory of each thread, and bytes from one's to the next; room for contacts and its bytes, a spare one behind each thread's. */
export const WORLD_SCRATCH = 164;
export const WORLD_SCRATCH_BYTES = 168;
export const WORLD_CONTACTS = 172;
export const WORLD_CONTACTS_BYTES = 176;
/** Out: contacts found, which may be more than there is room for. */
export const WORLD_CONTACT_COUNT = 180;
/** The skin that `step` lets follow its body; 0 for a step of the world. */
export const WORLD_SKIN = 184;
/** Threads that sleep at a barrier or a gate, or are about to. */
export const WORLD_SLEEPERS = 188;
/** How many things of each phase are done: a cache line. */
export const WORLD_DONE = 192;
/** Counters of the work of each phase that threads have taken, COUNTERS_BYTES for each thread's share: a cache line. */
export const WORLD_COUNTERS = 256;
export const COUNTERS_BYTES = 64;
export const MAX_THREADS = 16;
/** Whether `step` does FLAG_AGAIN bodies once more instead of a substep. */
export const WORLD_AGAIN = 1280;
export const WORLD_BYTES = 1344;

/** Bodies of at most this many particles are stepped whole by one thread; larger ones by all threads together, unless there are many. */
export const SMALL_BODY = 2048;

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
