// Normals of a mesh that is mixed of shapes: the directions that, mixed by the same weights, are nearest to the normals of the frames.

import { type DrawnMesh, drawnNormals } from './drawn-mesh.js';
import { eigenvectors } from './eigenvectors.js';
import type { RigidFrames } from './rigid-frames.js';
import type { ShapeModes } from './shape-modes.js';

export interface NormalModes {
  /** Unit normals of the base, of what is drawn. */
  readonly base: Float32Array;
  /** What each shape adds; in 127ths where they are whole numbers. */
  readonly shapes: readonly (Float32Array | Int8Array)[];
}

/** Shapes whose weights differ by less than this, squared and against the largest, have no normals of their own. */
const LEAST = 1e-6;
/** What 1 is as a whole number of eight bits. */
const FULL = 0x7f;
/** Numbers that are summed at a time: 32 MB. Where there are more, the frames are read again for the others. */
const MOST_SUMS = 2 ** 22;

/** Least squares over the frames, whose normals are seen from the body's own frame. */
export async function findNormalModes(frames: RigidFrames, drawn: DrawnMesh, modes: ShapeModes): Promise<NormalModes> {
  const count = modes.shapes.length;
  const base = drawnNormals(drawn, modes.base);
  if (count === 0) return { base, shapes: [] };
  const inverse = invertProducts(modes.weights, count);
  const shapes = modes.shapes.map(() => new Int8Array(base.length));
  const length = Math.ceil(MOST_SUMS / count);
  for (let first = 0; first < base.length; first += length) {
    const end = Math.min(base.length, first + length);
    const sums = shapes.map(() => new Float64Array(end - first));
    for (let n = 0; n < frames.count; n++) {
      const normals = drawnNormals(drawn, await frames.get(n));
      sums.forEach((sum, k) => {
        const weight = modes.weights[n * count + k];
        for (let i = 0; i < sum.length; i++) sum[i] += weight * (normals[first + i] - base[first + i]);
      });
    }
    shapes.forEach((shape, k) => {
      for (let i = 0; i < end - first; i++) {
        let value = 0;
        for (let j = 0; j < count; j++) value += inverse[k][j] * sums[j][i];
        shape[first + i] = Math.round(FULL * Math.min(1, Math.max(-1, value)));
      }
    });
  }
  return { base, shapes };
}

/** Of the matrix of products of the weights over all frames, without the directions in which it tells nothing. */
function invertProducts(weights: Float32Array, count: number): Float64Array[] {
  const products = Array.from({ length: count }, () => new Float64Array(count));
  for (let n = 0; n < weights.length; n += count)
    for (let k = 0; k < count; k++) for (let j = 0; j < count; j++) products[k][j] += weights[n + k] * weights[n + j];
  const { vectors, values } = eigenvectors(products);
  const inverse = Array.from({ length: count }, () => new Float64Array(count));
  vectors.forEach((vector, e) => {
    if (!(values[e] > LEAST * values[0])) return;
    for (let k = 0; k < count; k++)
      for (let j = 0; j < count; j++) inverse[k][j] += (vector[k] * vector[j]) / values[e];
  });
  return inverse;
}
