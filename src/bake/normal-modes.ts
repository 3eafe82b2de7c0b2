// Normals of a mesh that is mixed of shapes: the directions that, mixed by the same weights, are nearest to the normals of the frames.

import type { Track } from './baked-scene.js';
import { type DrawnMesh, drawnNormals } from './drawn-mesh.js';
import { eigenvectors } from './eigenvectors.js';
import type { ShapeModes } from './shape-modes.js';

export interface NormalModes {
  /** Unit normals of the base, of what is drawn. */
  readonly base: Float32Array;
  readonly shapes: readonly Float32Array[];
}

/** Shapes whose weights differ by less than this, squared and against the largest, have no normals of their own. */
const LEAST = 1e-6;

/** Least squares over the frames, whose normals are seen from the body's own frame. */
export function findNormalModes(
  { frameCount }: Pick<Track, 'frameCount'>,
  drawn: DrawnMesh,
  modes: ShapeModes,
): NormalModes {
  const count = modes.shapes.length;
  const base = drawnNormals(drawn, modes.base);
  if (count === 0) return { base, shapes: [] };
  const products = modes.shapes.map(() => new Float64Array(count));
  const sums = modes.shapes.map(() => new Float64Array(base.length));
  for (let n = 0; n < frameCount; n++) {
    const weights = modes.weights.subarray(n * count, (n + 1) * count);
    const points = mixShapes(modes, weights);
    const normals = drawnNormals(drawn, points);
    for (let k = 0; k < count; k++) {
      for (let j = 0; j < count; j++) products[k][j] += weights[k] * weights[j];
      for (let i = 0; i < base.length; i++) sums[k][i] += weights[k] * (normals[i] - base[i]);
    }
  }
  return { base, shapes: solve(products, sums).map((shape) => Float32Array.from(shape)) };
}

/** The body in its own frame. */
export function mixShapes({ base, shapes }: ShapeModes, weights: ArrayLike<number>): Float32Array {
  const points = base.slice();
  shapes.forEach((shape, k) => {
    for (let i = 0; i < points.length; i++) points[i] += weights[k] * shape[i];
  });
  return points;
}

/** x of A·x = b for symmetric A, without the directions in which A tells nothing. */
function solve(matrix: readonly Float64Array[], right: readonly Float64Array[]): Float64Array[] {
  const { vectors, values } = eigenvectors(matrix);
  const out = right.map(({ length }) => new Float64Array(length));
  vectors.forEach((vector, e) => {
    if (!(values[e] > LEAST * values[0])) return;
    for (let i = 0; i < out[0].length; i++) {
      let amount = 0;
      for (let k = 0; k < vector.length; k++) amount += vector[k] * right[k][i];
      for (let k = 0; k < vector.length; k++) out[k][i] += (vector[k] * amount) / values[e];
    }
  });
  return out;
}
