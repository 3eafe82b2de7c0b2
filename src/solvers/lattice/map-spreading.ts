// What is painted on the surface, on the lattice that carries it.

import { CORNERS, type Embedding } from './embedding.js';
import type { Lattice } from './lattice.js';

/** Factors of lattice particles: of carriers the mean of what they carry, inside the mean of what is next to it, inwards. */
export function spreadInwards(map: Float64Array, { corners, weights }: Embedding, lattice: Lattice): Float64Array {
  const factors = new Float64Array(lattice.count);
  const loads = new Float64Array(lattice.count);
  for (let e = 0; e < corners.length; e++) {
    factors[corners[e]] += weights[e] * map[Math.trunc(e / CORNERS)];
    loads[corners[e]] += weights[e];
  }
  // A corner may carry nothing but vertices opposite to it.
  let missing: number[] = [];
  for (let i = 0; i < factors.length; i++) {
    if (loads[i] > 0) factors[i] /= loads[i];
    else missing.push(i);
  }
  while (missing.length > 0) {
    const found = missing.flatMap((i) => {
      const near = lattice.axes.flatMap(({ previous, next }) => [previous[i], next[i]]);
      const known = near.filter((j) => j >= 0 && loads[j] > 0);
      return known.length > 0 ? [[i, known.reduce((sum, j) => sum + factors[j], 0) / known.length] as const] : [];
    });
    for (const [i, factor] of found) {
      factors[i] = factor;
      loads[i] = 1;
    }
    const left = missing.filter((i) => loads[i] === 0);
    // What hangs together with nothing that carries stays as it is.
    if (left.length === missing.length) {
      for (const i of left) factors[i] = 1;
      break;
    }
    missing = left;
  }
  return factors;
}
