// The nodes follow the surface: what contact, volume, pins and the user did to the vertices is handed to the nodes that carry
// them. The same method as the lattice's, with as many influences as the skin has.

import type { Skin } from './skin.js';

/** Passes of `followSurface`; as for the lattice, more of them would fit the surface's noise. */
const PASSES = 4;

export interface FollowBuffers {
  /** What a pass moves the nodes by, 3 numbers each. */
  readonly moves: Float64Array;
  readonly missing: Float64Array;
}

export const createFollowBuffers = ({ loads }: Skin): FollowBuffers => ({
  moves: new Float64Array(3 * loads.length),
  missing: new Float64Array(3 * loads.length),
});

/**
 * Adds to a field on the nodes what brings its interpolation N nearest to the changes wanted on the surface. Each pass gives
 * every node the mean, by mass and weight, of what its vertices still miss: Jacobi's method with lumped masses on the least
 * squares Σ m‖wanted − N·moves‖², whose matrix has its eigenvalues between 0 and 1. Takes off `wanted` what was followed.
 */
export function followSurface(skin: Skin, wanted: Float64Array, field: Float64Array, buffers: FollowBuffers): void {
  const { offsets, nodes, weights, loads, massShares } = skin;
  const { moves, missing } = buffers;
  for (let pass = 0; pass < PASSES; pass++) {
    missing.fill(0);
    for (let i = 0, k = 0; i < massShares.length; i++, k += 3) {
      const mass = massShares[i];
      for (let e = offsets[i]; e < offsets[i + 1]; e++) {
        const n = 3 * nodes[e];
        const share = mass * weights[e];
        missing[n] += share * wanted[k];
        missing[n + 1] += share * wanted[k + 1];
        missing[n + 2] += share * wanted[k + 2];
      }
    }
    for (let a = 0, n = 0; a < loads.length; a++) {
      const share = loads[a] > 0 ? 1 / loads[a] : 0;
      for (let c = 0; c < 3; c++, n++) {
        moves[n] = share * missing[n];
        field[n] += moves[n];
      }
    }
    for (let i = 0, k = 0; i < massShares.length; i++, k += 3) {
      for (let e = offsets[i]; e < offsets[i + 1]; e++) {
        const n = 3 * nodes[e];
        wanted[k] -= weights[e] * moves[n];
        wanted[k + 1] -= weights[e] * moves[n + 1];
        wanted[k + 2] -= weights[e] * moves[n + 2];
      }
    }
  }
}
