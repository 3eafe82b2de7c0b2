// The lattice follows the surface: what contact, volume, pins and the user did to the vertices is handed to the lattice
// particles that carry them.

import { CORNERS, type Embedding } from './embedding.js';

/** Position and velocity. */
const STRIDE = 6;
/**
 * Passes of `followSurface`. A cube of 9602 vertices in 8³ cells, squeezed to half its height, strayed from its lattice by
 * at most 1.03, 0.92 and 0.86 % of its size with 2, 4 and 16 passes; in 16³ cells with wide regions sixteen passes fitted
 * the surface's noise and it strayed by 1.4 instead of 0.85 %.
 */
const PASSES = 4;

export interface FollowBuffers {
  readonly carried: Float64Array;
  readonly missing: Float64Array;
}

export const createFollowBuffers = ({ carriers }: Embedding): FollowBuffers => ({
  carried: new Float64Array(STRIDE * carriers.length),
  missing: new Float64Array(STRIDE * carriers.length),
});

/**
 * Moves the lattice so that the interpolation N of its positions and velocities comes near those wanted on the surface.
 * Each pass gives every carrier the mean, by mass and weight, of what its vertices still miss: a step of Jacobi's method
 * with lumped masses on the least squares Σ m‖wanted − N·X‖². The eigenvalues of its matrix lie between 0 and 1, so it
 * converges whatever the mesh, smooth changes first. Lattice particles inside the body stay; elasticity moves them.
 */
export function followSurface(
  embedding: Embedding,
  wantedPositions: Float64Array,
  wantedVelocities: Float64Array,
  positions: Float64Array,
  velocities: Float64Array,
  { carried, missing }: FollowBuffers,
): void {
  const { carriers, loads } = embedding;
  for (let s = 0, j = 0; s < carriers.length; s++, j += STRIDE) {
    for (let c = 0, k = 3 * carriers[s]; c < 3; c++, k++) {
      carried[j + c] = positions[k];
      carried[j + 3 + c] = velocities[k];
    }
  }
  for (let pass = 0; pass < PASSES; pass++) {
    sumMissing(embedding, wantedPositions, wantedVelocities, carried, missing);
    for (let s = 0, j = 0; s < carriers.length; s++) {
      const share = 1 / loads[s];
      for (let c = 0; c < STRIDE; c++, j++) carried[j] += share * missing[j];
    }
  }
  for (let s = 0, j = 0; s < carriers.length; s++, j += STRIDE) {
    for (let c = 0, k = 3 * carriers[s]; c < 3; c++, k++) {
      positions[k] = carried[j + c];
      velocities[k] = carried[j + 3 + c];
    }
  }
}

/** missing = Nᵀ·m·(wanted − N·carried) */
function sumMissing(
  { slots, weights, massShares }: Embedding,
  wantedPositions: Float64Array,
  wantedVelocities: Float64Array,
  carried: Float64Array,
  missing: Float64Array,
): void {
  missing.fill(0);
  for (let i = 0, k = 0, e = 0; i < massShares.length; i++, k += 3, e += CORNERS) {
    let x = wantedPositions[k];
    let y = wantedPositions[k + 1];
    let z = wantedPositions[k + 2];
    let u = wantedVelocities[k];
    let v = wantedVelocities[k + 1];
    let w = wantedVelocities[k + 2];
    for (let c = e; c < e + CORNERS; c++) {
      const j = STRIDE * slots[c];
      const weight = weights[c];
      x -= weight * carried[j];
      y -= weight * carried[j + 1];
      z -= weight * carried[j + 2];
      u -= weight * carried[j + 3];
      v -= weight * carried[j + 4];
      w -= weight * carried[j + 5];
    }
    const mass = massShares[i];
    for (let c = e; c < e + CORNERS; c++) {
      const j = STRIDE * slots[c];
      const share = mass * weights[c];
      missing[j] += share * x;
      missing[j + 1] += share * y;
      missing[j + 2] += share * z;
      missing[j + 3] += share * u;
      missing[j + 4] += share * v;
      missing[j + 5] += share * w;
    }
  }
}
