// Where the body is in the world: a rotation, a place and a scale. The deformer solves in the body's own frame, in half sizes, so
// that a body and its colliders that are moved together give the same result.

import type { Vec3 } from '../math/vec3.js';

/** world = centre + scale · rotation · own. */
export interface ObjectFrame {
  /** Row by row. */
  readonly rotation: Float64Array;
  /** [m] */
  readonly centre: Vec3;
  /** Half the longest side of the bound mesh [m]. */
  readonly scale: number;
}

/** Points of the world in the body's own frame. */
export function toOwnFrame({ rotation: r, centre, scale }: ObjectFrame, points: ArrayLike<number>): Float64Array {
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const x = (points[i] - centre[0]) / scale;
    const y = (points[i + 1] - centre[1]) / scale;
    const z = (points[i + 2] - centre[2]) / scale;
    out[i] = r[0] * x + r[3] * y + r[6] * z;
    out[i + 1] = r[1] * x + r[4] * y + r[7] * z;
    out[i + 2] = r[2] * x + r[5] * y + r[8] * z;
  }
  return out;
}

/** A direction of the world in the body's own frame. */
export const turnToOwn = ({ rotation: r }: ObjectFrame, [x, y, z]: Vec3): Vec3 => [
  r[0] * x + r[3] * y + r[6] * z,
  r[1] * x + r[4] * y + r[7] * z,
  r[2] * x + r[5] * y + r[8] * z,
];

/** A direction of the body's own frame in the world. */
export const turnToWorld = ({ rotation: r }: ObjectFrame, [x, y, z]: Vec3): Vec3 => [
  r[0] * x + r[1] * y + r[2] * z,
  r[3] * x + r[4] * y + r[5] * z,
  r[6] * x + r[7] * y + r[8] * z,
];
