// What the tests of visible meshes share.

import { type EmbeddableMesh, embed, ReferenceSkin, type TriangleMesh } from '../../src/index.js';

/** A skin of the reference over a simulation mesh that is somewhere. */
export const follow = (cage: TriangleMesh, visible: EmbeddableMesh, moved: Float64Array): ReferenceSkin =>
  new ReferenceSkin(embed(cage, visible), () => moved);

export function mapPoints(points: ArrayLike<number>, map: (point: number[]) => ArrayLike<number>): Float64Array {
  const out = new Float64Array(points.length);
  for (let k = 0; k < points.length; k += 3) out.set(map([points[k], points[k + 1], points[k + 2]]), k);
  return out;
}

/** Largest distance of points with the same number. */
export function worstDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let worst = a.length === b.length ? 0 : Infinity;
  for (let k = 0; k < a.length; k += 3) {
    const square = (a[k] - b[k]) ** 2 + (a[k + 1] - b[k + 1]) ** 2 + (a[k + 2] - b[k + 2]) ** 2;
    // Not Math.max: a distance that is no number must show.
    if (!(square <= worst * worst)) worst = Math.sqrt(square);
  }
  return worst;
}

/** Angle between the i-th vector of one array and the j-th of another [°]. */
export function angleAt(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let c = 0; c < 3; c++) {
    dot += a[3 * i + c] * b[3 * j + c];
    aa += a[3 * i + c] ** 2;
    bb += b[3 * j + c] ** 2;
  }
  return (Math.acos(Math.max(-1, Math.min(1, dot / Math.sqrt(aa * bb)))) * 180) / Math.PI;
}
