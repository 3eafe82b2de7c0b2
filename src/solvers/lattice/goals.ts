// From lattice positions to goals: moments, region transforms, the goal of each lattice particle.
// Based on: A. Rivers, D. James, FastLSM, 2007. A region is solid and needs no extra point, unlike the surface's.

import { MOMENT_STRIDE } from '../moments.js';
import { nearestRotation, rotationMatrix } from '../rotation.js';
import type { LatticeRest } from './rest.js';

const affine = new Float64Array(9);
const rotation = new Float64Array(9);

/**
 * Region transforms Tᵢ = [Rᵢ | tᵢ − Rᵢ t⁰ᵢ] (12 numbers, row by row) from the sums of the moments: t = Σ m̃ x / M̃, R the
 * rotation nearest to A = Σ m̃ x x⁰ᵀ − M̃ t t⁰ᵀ. Updates the warm-started `quaternions`.
 */
export function writeTransforms(
  rest: LatticeRest,
  sums: Float64Array,
  quaternions: Float64Array,
  transforms: Float64Array,
  scale = 1,
): void {
  const { regionTotals, regionCentres, restMoments, stiffnesses } = rest;
  for (let i = 0, k = 0, row = 0; i < regionTotals.length; i++, k += 3, row += MOMENT_STRIDE) {
    const inverse = 1 / regionTotals[i];
    const t0x = regionCentres[k];
    const t0y = regionCentres[k + 1];
    const t0z = regionCentres[k + 2];
    for (let c = 0; c < 3; c++) {
      const s = row + 4 * c;
      affine[3 * c] = sums[s] - sums[s + 3] * t0x;
      affine[3 * c + 1] = sums[s + 1] - sums[s + 3] * t0y;
      affine[3 * c + 2] = sums[s + 2] - sums[s + 3] * t0z;
    }
    nearestRotation(affine, 0, restMoments[i], quaternions, 4 * i);
    rotationMatrix(quaternions, 4 * i, rotation);
    for (let c = 0; c < 3; c++) {
      const s = row + 4 * c;
      const [rx, ry, rz] = [scale * rotation[3 * c], scale * rotation[3 * c + 1], scale * rotation[3 * c + 2]];
      transforms[s] = rx;
      transforms[s + 1] = ry;
      transforms[s + 2] = rz;
      transforms[s + 3] = sums[s + 3] * inverse - (rx * t0x + ry * t0y + rz * t0z);
    }
    if (stiffnesses) for (let c = row; c < row + MOMENT_STRIDE; c++) transforms[c] *= stiffnesses.factors[i];
  }
}

/** gᵢ = (mean of Tⱼ over the regions that hold i)·[x⁰ᵢ; 1] + origin, from the sums of the transforms. */
export function writeGoals(
  rest: LatticeRest,
  sums: Float64Array,
  origin: ArrayLike<number>,
  goals: Float64Array,
): void {
  const { positions: x0, regionCounts, stiffnesses } = rest;
  for (let i = 0, k = 0; i < regionCounts.length; i++, k += 3) {
    const inverse = 1 / regionCounts[i];
    const mean = stiffnesses ? stiffnesses.means[i] : 1;
    const x = x0[k];
    const y = x0[k + 1];
    const z = x0[k + 2];
    for (let c = 0; c < 3; c++) {
      const row = MOMENT_STRIDE * i + 4 * c;
      goals[k + c] =
        mean * origin[c] + inverse * (sums[row] * x + sums[row + 1] * y + sums[row + 2] * z + sums[row + 3]);
    }
  }
}
