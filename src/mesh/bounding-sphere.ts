// A sphere around all points, for scale-free settings and view distances.
// Based on: J. Ritter, An efficient bounding sphere, 1990, started from the best of three axis-aligned pairs and
// tightened by shrinking and growing again; the same points give the same bits.

import type { Vec3 } from '../math/vec3.js';

/** A sphere around points. */
export interface BoundingSphere {
  readonly centre: Vec3;
  /** [m] */
  readonly radius: number;
}

/** Rounds of shrink-and-grow. Measured on sixteen scanned and modelled bodies: at most 1.6 % above the smallest sphere. */
const ROUNDS = 8;
const SHRINK = 0.95;

/** Grows a sphere just enough to touch every point outside it, one after the other. */
function grow(positions: ArrayLike<number>, start: readonly number[]): number[] {
  let [x, y, z, radius] = start;
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const dx = positions[i] - x;
    const dy = positions[i + 1] - y;
    const dz = positions[i + 2] - z;
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(distance > radius) || distance === Infinity) continue;
    const step = (distance - radius) / (2 * distance);
    radius = (distance + radius) / 2;
    x += step * dx;
    y += step * dy;
    z += step * dz;
  }
  return [x, y, z, radius];
}

/** Sphere on the farthest of the three pairs of points that are extreme along an axis. */
function spanExtremes(positions: ArrayLike<number>): number[] {
  let best = [0, 0, 0, -1];
  for (let axis = 0; axis < 3; axis++) {
    let low = -1;
    let high = -1;
    for (let i = 0; i + 2 < positions.length; i += 3) {
      if (!Number.isFinite(positions[i] + positions[i + 1] + positions[i + 2])) continue;
      if (low < 0 || positions[i + axis] < positions[low + axis]) low = i;
      if (high < 0 || positions[i + axis] > positions[high + axis]) high = i;
    }
    if (low < 0) break;
    const x = positions[high] - positions[low];
    const y = positions[high + 1] - positions[low + 1];
    const z = positions[high + 2] - positions[low + 2];
    const radius = Math.sqrt(x * x + y * y + z * z) / 2;
    if (radius > best[3]) {
      best = [positions[low] + x / 2, positions[low + 1] + y / 2, positions[low + 2] + z / 2, radius];
    }
  }
  return best;
}

/**
 * A nearly smallest sphere that holds every finite point; radius 0 in the origin when there are none.
 * @example
 * ```ts
 * const { centre, radius } = boundingSphere(icosphere().positions);
 * ```
 */
export function boundingSphere(positions: ArrayLike<number>): BoundingSphere {
  const start = spanExtremes(positions);
  if (start[3] < 0) return { centre: [0, 0, 0], radius: 0 };
  let best = grow(positions, start);
  for (let round = 0; round < ROUNDS; round++) {
    const next = grow(positions, [best[0], best[1], best[2], best[3] * SHRINK]);
    if (next[3] < best[3]) best = next;
  }
  // Growing moves the centre, and rounding may leave an earlier point outside: measure once more.
  let radius = 0;
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const dx = positions[i] - best[0];
    const dy = positions[i + 1] - best[1];
    const dz = positions[i + 2] - best[2];
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (distance > radius && distance < Infinity) radius = distance;
  }
  return { centre: [best[0], best[1], best[2]], radius };
}
