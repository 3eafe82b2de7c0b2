// One match of a whole body or of a large patch of it: the rigid placement of the rest shape that is nearest to where the
// particles are, by mass. Where regions cannot see that the whole is wrong (a mirrored or crumpled surface is a rest state to each
// of them), it can.
// Based on: Müller, Heidelberger, Teschner, Gross, Meshless Deformations Based on Shape Matching, 2005, §3.

import { nearestRotation, rotationMatrix } from '../rotation.js';

const moments = new Float64Array(9);
const rotation = new Float64Array(9);

/** A rigid placement: x = centre + R·(x⁰ − restCentre). */
export interface RigidMatch {
  readonly centre: Float64Array;
  readonly restCentre: Float64Array;
  readonly rotation: Float64Array;
}

export const createRigidMatch = (): RigidMatch => ({
  centre: new Float64Array(3),
  restCentre: new Float64Array(3),
  rotation: new Float64Array(9),
});

/** Finds the placement by every `stride`th particle; `quaternion` is the warm start and gets the rotation. */
export function matchRigidly(
  rest: ArrayLike<number>,
  positions: ArrayLike<number>,
  masses: ArrayLike<number>,
  quaternion: Float64Array,
  out: RigidMatch,
  stride = 1,
): RigidMatch {
  const count = masses.length;
  const { centre, restCentre } = out;
  // Relative to the first particle: far from the origin the sums keep their digits. In variables, not in arrays: bodies are looked at
  // in turn in every step, and it takes half the time.
  const [ox, oy, oz] = [positions[0], positions[1], positions[2]];
  const [px, py, pz] = [rest[0], rest[1], rest[2]];
  let mass = 0;
  let [cx, cy, cz, sx, sy, sz] = [0, 0, 0, 0, 0, 0];
  for (let i = 0, k = 0; i < count; i += stride, k += 3 * stride) {
    const m = masses[i];
    mass += m;
    cx += m * (positions[k] - ox);
    cy += m * (positions[k + 1] - oy);
    cz += m * (positions[k + 2] - oz);
    sx += m * (rest[k] - px);
    sy += m * (rest[k + 1] - py);
    sz += m * (rest[k + 2] - pz);
  }
  centre[0] = cx = ox + cx / mass;
  centre[1] = cy = oy + cy / mass;
  centre[2] = cz = oz + cz / mass;
  restCentre[0] = sx = px + sx / mass;
  restCentre[1] = sy = py + sy / mass;
  restCentre[2] = sz = pz + sz / mass;
  let [xx, xy, xz, yx, yy, yz, zx, zy, zz] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  let restMoment = 0;
  for (let i = 0, k = 0; i < count; i += stride, k += 3 * stride) {
    const m = masses[i] / mass;
    const x = m * (positions[k] - cx);
    const y = m * (positions[k + 1] - cy);
    const z = m * (positions[k + 2] - cz);
    const x0 = rest[k] - sx;
    const y0 = rest[k + 1] - sy;
    const z0 = rest[k + 2] - sz;
    restMoment = restMoment + m * x0 * x0 + m * y0 * y0 + m * z0 * z0;
    xx += x * x0;
    xy += x * y0;
    xz += x * z0;
    yx += y * x0;
    yy += y * y0;
    yz += y * z0;
    zx += z * x0;
    zy += z * y0;
    zz += z * z0;
  }
  moments[0] = xx;
  moments[1] = xy;
  moments[2] = xz;
  moments[3] = yx;
  moments[4] = yy;
  moments[5] = yz;
  moments[6] = zx;
  moments[7] = zy;
  moments[8] = zz;
  nearestRotation(moments, 0, restMoment, quaternion, 0);
  rotationMatrix(quaternion, 0, rotation);
  out.rotation.set(rotation);
  return out;
}

/** Makes the matched shape so many times as large. */
export function enlarge({ rotation: matrix }: RigidMatch, scale: number): void {
  for (let k = 0; k < 9; k++) matrix[k] *= scale;
}

/** Writes the places of particles in the rest shape [m]; of every `stride`th. */
export function writePlaces(
  { centre, restCentre, rotation: r }: RigidMatch,
  rest: ArrayLike<number>,
  places: Float64Array,
  stride = 1,
): void {
  for (let k = 0; k < places.length; k += 3 * stride) {
    const x = rest[k] - restCentre[0];
    const y = rest[k + 1] - restCentre[1];
    const z = rest[k + 2] - restCentre[2];
    for (let c = 0; c < 3; c++) places[k + c] = centre[c] + r[3 * c] * x + r[3 * c + 1] * y + r[3 * c + 2] * z;
  }
}

/** Root mean square of the distances between particles and places, by mass [m]; of every `stride`th. */
export function misfitOf(
  positions: ArrayLike<number>,
  places: ArrayLike<number>,
  masses: ArrayLike<number>,
  stride = 1,
): number {
  let sum = 0;
  let mass = 0;
  for (let i = 0; i < masses.length; i += stride) {
    mass += masses[i];
    for (let k = 3 * i; k < 3 * i + 3; k++) sum += masses[i] * (positions[k] - places[k]) ** 2;
  }
  return Math.sqrt(sum / mass);
}
