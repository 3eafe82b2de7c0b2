// Where things are in the memory of one body's kernels: one description for the kernels (AssemblyScript) and for the host
// (TypeScript). A record of counts and addresses, 4 bytes each, then the arrays: of doubles unless said otherwise.

/** Address of the record; what the compiler itself needs comes before it. */
export const RECORD = 1024;

// Counts.
/** Leaves, which are the nodes that move. */
export const NODE_COUNT = RECORD;
/** Leaves and the nodes above them. */
export const TREE_COUNT = RECORD + 4;
export const VERTEX_COUNT = RECORD + 8;
/** Connected parts of the body. */
export const PART_COUNT = RECORD + 12;

// The forest and its regions, integers: as in SumTree.
export const PARENTS = RECORD + 16;
export const MEMBER_OFFSETS = RECORD + 20;
export const MEMBERS = RECORD + 24;
export const PARTS = RECORD + 28;
// Influences of vertices, and which nodes share vertices, integers: as in KernelSkin and FollowMatrix.
export const SKIN_OFFSETS = RECORD + 32;
export const SKIN_NODES = RECORD + 36;
export const MATRIX_OFFSETS = RECORD + 40;
export const MATRIX_COLUMNS = RECORD + 44;

// Constants of nodes, regions and parts: as in RegionRest and DampingBuffers.
export const MASSES = RECORD + 48;
export const REGION_MASSES = RECORD + 52;
export const REST_POSITIONS = RECORD + 56;
export const REGION_TOTALS = RECORD + 60;
export const REGION_CENTRES = RECORD + 64;
export const REST_MATRICES = RECORD + 68;
export const REST_MOMENTS = RECORD + 72;
export const GOAL_WEIGHTS = RECORD + 76;
export const GOAL_LOADS = RECORD + 80;
export const REGION_LOADS = RECORD + 84;
/** Painted factors of the regions' damping and their means at the nodes; ones where nothing is painted. */
export const DAMPING_FACTORS = RECORD + 88;
export const DAMPING_MEANS = RECORD + 92;
export const PART_MASSES = RECORD + 96;
export const PART_MOMENTS = RECORD + 100;
// Constants of vertices.
export const WEIGHTS = RECORD + 104;
export const SKIN_LOADS = RECORD + 108;
export const MASS_SHARES = RECORD + 112;
export const POINTS = RECORD + 116;
export const MATRIX_ENTRIES = RECORD + 120;

// State of the nodes: as in NodeArrays.
export const POSITIONS = RECORD + 124;
export const VELOCITIES = RECORD + 128;
export const QUATERNIONS = RECORD + 132;
export const FLOWS = RECORD + 136;
export const FRAMES = RECORD + 140;
export const ORIGIN = RECORD + 144;
export const PULLS = RECORD + 148;
// The surface: as in SurfaceArrays, and the shell as the world has it.
export const CARRIED = RECORD + 152;
export const CARRIED_VELOCITIES = RECORD + 156;
export const STARTS = RECORD + 160;
export const SHELL_POSITIONS = RECORD + 164;
export const SHELL_VELOCITIES = RECORD + 168;
export const CHANGES = RECORD + 172;
/** Bytes. */
export const HELD = RECORD + 224;

// Working memory.
/** ROW numbers per leaf and per node of the tree. */
export const SUMS = RECORD + 176;
export const TREE = RECORD + 180;
/** Positions relative to the first node. */
export const PLACES = RECORD + 184;
export const PART_SUMS = RECORD + 188;
export const PART_FIELDS = RECORD + 192;
export const BLENDS = RECORD + 196;
export const MISSING = RECORD + 200;
export const PASS_MOVES = RECORD + 204;
export const MOVES = RECORD + 208;
/** Sums of momenta (16). */
export const MOMENTA = RECORD + 212;
/** A linear field and a shift: centre, mean, gradient, shift (3, 3, 9, 3). */
export const FIELD = RECORD + 216;
/** SCRATCH_SIZE numbers. */
export const SCRATCH = RECORD + 220;

// Influences once more: the vertices of the walk and those of each node, integers; the weights of the latter.
export const WALK = RECORD + 228;
export const CARRIED_OFFSETS = RECORD + 232;
export const CARRIED_VERTICES = RECORD + 236;
export const CARRIED_WEIGHTS = RECORD + 240;
/** What each vertex is wanted to change by, times its mass (6). */
export const VERTEX_MISSING = RECORD + 244;

export const ARRAYS = RECORD + 256;

/** Two regions in single lanes (44), and one whose rotation needs an eigenvector (58). */
export const SCRATCH_SIZE = 104;

/** Numbers of the longest row that is summed: the 15 of damping and one unused. */
export const ROW = 16;
