// How far one-rings are from their volumes, as a rate to be met within a step, and its clamp.
// Based on: G. Irving, C. Schroeder, R. Fedkiw, 2007, §2; clamped by tetrahedra instead of by nodes: a clamp by nodes asks for
// what no motion can give, and the solve grows without bound on lattices.

import type { TetraRest } from './rest.js';
import { writeRingSums } from './ring-sums.js';

/**
 * e_k = ¼ Σ_t r_t (V_t − V⁰_t)/Δt [m³/s]. With a recovery time τ > 0 no ring asks for more than V⁰_k/τ; r_t is the least of what
 * the rings of its four nodes allow.
 */
export function writeVolumeRate(
  rest: TetraRest,
  volumes: Float64Array,
  timeStep: number,
  recoveryTime: number,
  perTetra: Float64Array,
  out: Float64Array,
  sumRings = (list: Float64Array, sums: Float64Array) => writeRingSums(rest.mesh.tetrahedra, list, sums),
): void {
  const { tetrahedra } = rest.mesh;
  for (let t = 0; t < rest.tetraCount; t++) perTetra[t] = (volumes[t] - rest.volumes[t]) / timeStep;
  sumRings(perTetra, out);
  if (!(recoveryTime > 0)) return;
  for (let k = 0; k < out.length; k++) {
    const most = rest.ringVolumes[k] / recoveryTime;
    out[k] = Math.abs(out[k]) > most ? most / Math.abs(out[k]) : 1;
  }
  for (let t = 0; t < rest.tetraCount; t++) {
    let least = 1;
    for (let c = 4 * t; c < 4 * t + 4; c++) least = Math.min(least, out[tetrahedra[c]]);
    perTetra[t] *= least;
  }
  sumRings(perTetra, out);
}

/** Tetrahedra that are turned inside out, or flat. */
export function countInverted(tetrahedra: Uint32Array, x: Float64Array): number {
  let count = 0;
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [a, b, c, d] = [3 * tetrahedra[t], 3 * tetrahedra[t + 1], 3 * tetrahedra[t + 2], 3 * tetrahedra[t + 3]];
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    const [wx, wy, wz] = [x[d] - x[a], x[d + 1] - x[a + 1], x[d + 2] - x[a + 2]];
    if (!(ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx) > 0)) count++;
  }
  return count;
}
