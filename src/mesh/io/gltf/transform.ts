// Applies a node's transform to positions, normals and tangents.

import { IDENTITY, type Transform } from './gltf-placement.js';

/** Whether the transform mirrors: a scale with an odd number of negative factors does. */
export function turnsOver(t: Transform): boolean {
  const determinant =
    t[0] * (t[4] * t[8] - t[5] * t[7]) + t[3] * (t[7] * t[2] - t[8] * t[1]) + t[6] * (t[1] * t[5] - t[2] * t[4]);
  return determinant < 0;
}

/** Writes as many points as `from` has; a node without a transform leaves every bit as it was. */
export function transformPositions(t: Transform, from: Float64Array, to: Float64Array): void {
  if (t === IDENTITY) {
    to.set(from);
    return;
  }
  for (let i = 0; i + 2 < from.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      to[i + k] = t[k] * from[i] + t[3 + k] * from[i + 1] + t[6 + k] * from[i + 2] + t[9 + k];
    }
  }
}

/**
 * Writes unit vectors. Three numbers per vector are normals, which go by the inverse transpose, that is by the matrix of
 * cofactors; four are tangents, which go by the matrix, their sign turning with a mirror.
 */
export function transformDirections(t: Transform, from: Float64Array, to: Float32Array, stride: 3 | 4): void {
  const mirrored = turnsOver(t) ? -1 : 1;
  const cofactors = [
    ...[t[4] * t[8] - t[5] * t[7], t[5] * t[6] - t[3] * t[8], t[3] * t[7] - t[4] * t[6]],
    ...[t[7] * t[2] - t[8] * t[1], t[8] * t[0] - t[6] * t[2], t[6] * t[1] - t[7] * t[0]],
    ...[t[1] * t[5] - t[2] * t[4], t[2] * t[3] - t[0] * t[5], t[0] * t[4] - t[1] * t[3]],
  ].map((value) => mirrored * value);
  const m = stride === 3 ? cofactors : t;
  for (let i = 0; i + 2 < from.length; i += stride) {
    const x = m[0] * from[i] + m[3] * from[i + 1] + m[6] * from[i + 2];
    const y = m[1] * from[i] + m[4] * from[i + 1] + m[7] * from[i + 2];
    const z = m[2] * from[i] + m[5] * from[i + 1] + m[8] * from[i + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const factor = length > 0 ? 1 / length : 0;
    to[i] = x * factor;
    to[i + 1] = y * factor;
    to[i + 2] = z * factor;
    if (stride === 4) to[i + 3] = mirrored * from[i + 3];
  }
}
