// The surface where its nodes carry it: every vertex is taken from rest by the mean of its nodes' motions,
// x = o + Σ w·Bᵢ·[p⁰; 1], Bᵢ = [Lᵢ | xᵢ − o − Lᵢ·x⁰ᵢ], which is Σ w·(xᵢ + Lᵢ·(p⁰ − x⁰ᵢ)) without an arm for every influence.

import { MOMENT_STRIDE } from '../moments.js';
import type { Skin } from './skin.js';

/** Numbers per node: B row by row (12), how far the node was pulled (3) and one unused. */
export const BLEND_STRIDE = 16;

/** Writes Bᵢ of nodes with the given frames, relative to `origin`, and what the last pull moved them by [m]. */
export function writeBlends(
  restPositions: Float64Array,
  positions: Float64Array,
  frames: Float64Array,
  origin: ArrayLike<number>,
  pulls: Float64Array,
  blends: Float64Array,
): void {
  for (let k = 0, from = 0, to = 0; k < positions.length; k += 3, from += MOMENT_STRIDE, to += BLEND_STRIDE) {
    const x = restPositions[k];
    const y = restPositions[k + 1];
    const z = restPositions[k + 2];
    for (let c = 0; c < 3; c++) {
      const a = frames[from + 4 * c];
      const b = frames[from + 4 * c + 1];
      const d = frames[from + 4 * c + 2];
      blends[to + 4 * c] = a;
      blends[to + 4 * c + 1] = b;
      blends[to + 4 * c + 2] = d;
      blends[to + 4 * c + 3] = positions[k + c] - origin[c] - (a * x + b * y + d * z);
      blends[to + 12 + c] = pulls[k + c];
    }
  }
}

/** Writes where nodes with the given motions have the surface [m]; `points` are p⁰ and 1, four numbers per vertex. */
export function carryPoints(
  { offsets, nodes, weights }: Skin,
  points: Float64Array,
  blends: Float64Array,
  [ox, oy, oz]: ArrayLike<number> & Iterable<number>,
  out: Float64Array,
): void {
  for (let i = 0, k = 0, p = 0; k < out.length; i++, k += 3, p += 4) {
    let [a0, a1, a2, a3] = [0, 0, 0, 0];
    let [b0, b1, b2, b3] = [0, 0, 0, 0];
    let [c0, c1, c2, c3] = [0, 0, 0, 0];
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const w = weights[e];
      const row = BLEND_STRIDE * nodes[e];
      a0 += w * blends[row];
      a1 += w * blends[row + 1];
      a2 += w * blends[row + 2];
      a3 += w * blends[row + 3];
      b0 += w * blends[row + 4];
      b1 += w * blends[row + 5];
      b2 += w * blends[row + 6];
      b3 += w * blends[row + 7];
      c0 += w * blends[row + 8];
      c1 += w * blends[row + 9];
      c2 += w * blends[row + 10];
      c3 += w * blends[row + 11];
    }
    const x = points[p];
    const y = points[p + 1];
    const z = points[p + 2];
    // In the order of two lanes that are added in the end.
    out[k] = a0 * x + a2 * z + (a1 * y + a3) + ox;
    out[k + 1] = b0 * x + b2 * z + (b1 * y + b3) + oy;
    out[k + 2] = c0 * x + c2 * z + (c1 * y + c3) + oz;
  }
}

/** Writes how far the last pull moved each vertex [m]. */
export function writeChanges({ offsets, nodes, weights }: Skin, blends: Float64Array, changes: Float64Array): void {
  for (let i = 0; i < changes.length; i++) {
    let [x, y, z] = [0, 0, 0];
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const row = BLEND_STRIDE * nodes[e] + 12;
      x += weights[e] * blends[row];
      y += weights[e] * blends[row + 1];
      z += weights[e] * blends[row + 2];
    }
    changes[i] = Math.sqrt(x * x + y * y + z * z);
  }
}
