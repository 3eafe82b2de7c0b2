// A sphere from an icosahedron whose triangles are cut into four again and again: nearly equal triangles everywhere.

import { expectKnownFields } from '../../math/known-fields.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { requireCount, requirePositive } from './options.js';

/** Size and fineness of an `icosphere`. */
export interface IcosphereOptions {
  /** How often every triangle is cut into four: 0 to 8. */
  readonly detail?: number;
  /** [m] */
  readonly radius?: number;
}

const GOLDEN = (1 + Math.sqrt(5)) / 2;
const ICOSAHEDRON = [
  [-1, GOLDEN, 0],
  [1, GOLDEN, 0],
  [-1, -GOLDEN, 0],
  [1, -GOLDEN, 0],
  [0, -1, GOLDEN],
  [0, 1, GOLDEN],
  [0, -1, -GOLDEN],
  [0, 1, -GOLDEN],
  [GOLDEN, 0, -1],
  [GOLDEN, 0, 1],
  [-GOLDEN, 0, -1],
  [-GOLDEN, 0, 1],
].flat();
const ICOSAHEDRON_TRIANGLES = [
  [0, 11, 5],
  [0, 5, 1],
  [0, 1, 7],
  [0, 7, 10],
  [0, 10, 11],
  [1, 5, 9],
  [5, 11, 4],
  [11, 10, 2],
  [10, 7, 6],
  [7, 1, 8],
  [3, 9, 4],
  [3, 4, 2],
  [3, 2, 6],
  [3, 6, 8],
  [3, 8, 9],
  [4, 9, 5],
  [2, 4, 11],
  [6, 2, 10],
  [8, 6, 7],
  [9, 8, 1],
].flat();

/**
 * 10·4^detail + 2 vertices on a sphere around the origin.
 * @example
 * ```ts
 * const mesh = icosphere({ detail: 3, radius: 0.5 }); // 642 vertices
 * ```
 */
export function icosphere(options: IcosphereOptions = {}): TriangleMesh {
  expectKnownFields('icosphere', options, ['detail', 'radius']);
  const { detail = 3, radius = 1 } = options;
  requireCount('detail', detail, 0, 8);
  requirePositive('radius', radius);
  const points: number[] = [];
  for (let v = 0; v < ICOSAHEDRON.length; v += 3) {
    pushOnSphere(points, radius, ICOSAHEDRON[v], ICOSAHEDRON[v + 1], ICOSAHEDRON[v + 2]);
  }
  let triangles = ICOSAHEDRON_TRIANGLES;
  for (let level = 0; level < detail; level++) triangles = cutIntoFour(points, triangles, radius);
  return { positions: Float64Array.from(points), triangles: Uint32Array.from(triangles) };
}

function pushOnSphere(points: number[], radius: number, x: number, y: number, z: number): void {
  const factor = radius / Math.sqrt(x * x + y * y + z * z);
  points.push(x * factor, y * factor, z * factor);
}

function cutIntoFour(points: number[], triangles: readonly number[], radius: number): number[] {
  const middles = new Map<number, number>();
  const stride = points.length;
  const middleOf = (a: number, b: number): number => {
    const key = Math.min(a, b) * stride + Math.max(a, b);
    let m = middles.get(key);
    if (m === undefined) {
      m = points.length / 3;
      middles.set(key, m);
      const [i, j] = [3 * a, 3 * b];
      pushOnSphere(points, radius, points[i] + points[j], points[i + 1] + points[j + 1], points[i + 2] + points[j + 2]);
    }
    return m;
  };
  const finer: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const [ab, bc, ca] = [middleOf(a, b), middleOf(b, c), middleOf(c, a)];
    finer.push(a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca);
  }
  return finer;
}
