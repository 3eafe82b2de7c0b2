// Volumes of tetrahedra and of the one-rings of nodes.
// Based on: G. Irving, C. Schroeder, R. Fedkiw, Volume conserving finite element simulations, 2007, §3.

/** V of each tetrahedron [m³], signed. */
export function writeVolumes(x: ArrayLike<number>, tetrahedra: Uint32Array, out: Float64Array): void {
  for (let t = 0; t < out.length; t++) {
    const o = 3 * tetrahedra[4 * t];
    const a = 3 * tetrahedra[4 * t + 1];
    const b = 3 * tetrahedra[4 * t + 2];
    const c = 3 * tetrahedra[4 * t + 3];
    const bx = x[b] - x[o];
    const by = x[b + 1] - x[o + 1];
    const bz = x[b + 2] - x[o + 2];
    const cx = x[c] - x[o];
    const cy = x[c + 1] - x[o + 1];
    const cz = x[c + 2] - x[o + 2];
    out[t] =
      ((x[a] - x[o]) * (by * cz - bz * cy) +
        (x[a + 1] - x[o + 1]) * (bz * cx - bx * cz) +
        (x[a + 2] - x[o + 2]) * (bx * cy - by * cx)) /
      6;
  }
}

/** Vₖ = ¼ Σ_t V_t over the tetrahedra at each node [m³]; of any value per tetrahedron, its sum so. */
export function writeRingSums(tetrahedra: Uint32Array, perTetra: Float64Array, out: Float64Array): void {
  out.fill(0);
  for (let t = 0; t < perTetra.length; t++) {
    const quarter = perTetra[t] / 4;
    for (let k = 4 * t; k < 4 * t + 4; k++) out[tetrahedra[k]] += quarter;
  }
}

/** max |Vₖ − wantedₖ|/V⁰ₖ over all nodes; the wanted volumes are those at rest where not given. */
export function largestRingError(ringVolumes: Float64Array, restVolumes: Float64Array, wanted = restVolumes): number {
  let largest = 0;
  for (let k = 0; k < ringVolumes.length; k++) {
    const error = Math.abs(ringVolumes[k] - wanted[k]) / restVolumes[k];
    // Not `Math.max`: what is not a number is the largest error of all.
    if (!(error <= largest)) largest = error;
  }
  return largest;
}
