// One match of a whole body: the rigid placement of its rest shape that is nearest to where its particles are, by mass.
// Where regions cannot see that the whole is wrong (a mirrored or crumpled surface is a rest state to each of them), it can.
// Based on: Müller, Heidelberger, Teschner, Gross, Meshless Deformations Based on Shape Matching, 2005, §3.

import { nearestRotation, rotationMatrix } from '../surface/rotation.js';

/** Particles that the fit is judged by between recoveries: enough for a mean of distances. */
const JUDGED = 1024;

const moments = new Float64Array(9);
const rotation = new Float64Array(9);

/** A rigid placement: x = centre + R·(x⁰ − restCentre). */
export interface WholeMatch {
  readonly centre: Float64Array;
  readonly restCentre: Float64Array;
  readonly rotation: Float64Array;
  /** Root mean square of the distances of particles from their places in the rest shape [m]. */
  misfit: number;
}

export const createWholeMatch = (): WholeMatch => ({
  centre: new Float64Array(3),
  restCentre: new Float64Array(3),
  rotation: new Float64Array(9),
  misfit: 0,
});

/**
 * Finds the placement; `quaternion` is the warm start and gets the rotation. With `judging` of a sample of the particles only.
 */
export function matchWhole(
  rest: ArrayLike<number>,
  positions: ArrayLike<number>,
  masses: ArrayLike<number>,
  quaternion: Float64Array,
  out: WholeMatch,
  judging = false,
): WholeMatch {
  const count = masses.length;
  const stride = judging ? Math.max(1, Math.floor(count / JUDGED)) : 1;
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
  let misfit = 0;
  for (let i = 0; i < count; i += stride) {
    for (let c = 0; c < 3; c++)
      misfit += (masses[i] / mass) * (goalOf(out, rest, 3 * i, c) - positions[3 * i + c]) ** 2;
  }
  out.misfit = Math.sqrt(misfit);
  return out;
}

/** Coordinate c of the place in the rest shape of the particle whose numbers begin at k [m]. */
export function goalOf(
  { centre, restCentre, rotation: r }: WholeMatch,
  rest: ArrayLike<number>,
  k: number,
  c: number,
): number {
  const x = rest[k] - restCentre[0];
  const y = rest[k + 1] - restCentre[1];
  const z = rest[k + 2] - restCentre[2];
  return centre[c] + r[3 * c] * x + r[3 * c + 1] * y + r[3 * c + 2] * z;
}
