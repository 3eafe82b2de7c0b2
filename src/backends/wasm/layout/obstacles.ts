// Where things are in an obstacle's record, and in what it did to a body.

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
