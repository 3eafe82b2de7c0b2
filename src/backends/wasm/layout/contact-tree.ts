// Where things are in the tree over a body's triangles: nodes and subtrees.

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
