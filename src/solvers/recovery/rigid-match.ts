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
  let mass = 0;
  centre.fill(0);
  restCentre.fill(0);
  for (let i = 0; i < count; i += stride) {
    mass += masses[i];
    for (let c = 0; c < 3; c++) {
      // Relative to the first particle: far from the origin the sums keep their digits.
      centre[c] += masses[i] * (positions[3 * i + c] - positions[c]);
      restCentre[c] += masses[i] * (rest[3 * i + c] - rest[c]);
    }
  }
  for (let c = 0; c < 3; c++) {
    centre[c] = positions[c] + centre[c] / mass;
    restCentre[c] = rest[c] + restCentre[c] / mass;
  }
  moments.fill(0);
  let restMoment = 0;
  for (let i = 0, k = 0; i < count; i += stride, k += 3 * stride) {
    const m = masses[i] / mass;
    for (let c = 0; c < 3; c++) {
      const x0 = rest[k + c] - restCentre[c];
      restMoment += m * x0 * x0;
      for (let r = 0; r < 3; r++) moments[3 * r + c] += m * (positions[k + r] - centre[r]) * x0;
    }
  }
  nearestRotation(moments, 0, restMoment, quaternion, 0);
  rotationMatrix(quaternion, 0, rotation);
  out.rotation.set(rotation);
  return out;
}

/** Makes the matched shape so many times as large. */
export function enlarge({ rotation: matrix }: RigidMatch, scale: number): void {
  for (let k = 0; k < 9; k++) matrix[k] *= scale;
}

/** Writes the places of all particles in the rest shape [m]. */
export function writePlaces(
  { centre, restCentre, rotation: r }: RigidMatch,
  rest: ArrayLike<number>,
  places: Float64Array,
): void {
  for (let k = 0; k < places.length; k += 3) {
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
