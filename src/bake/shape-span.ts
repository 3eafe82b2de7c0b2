// What the frames of a track have in common, of some of its vertices: directions at right angles, the one in which most happens first, and
// how far each frame goes along each.

import { eigenvectors } from './eigenvectors.js';
import type { RigidFrames } from './rigid-frames.js';

export interface ShapeSpan {
  /** Unit vectors at right angles, x, y, z for each of the vertices. */
  readonly basis: readonly Float64Array[];
  /** By vector and frame; at right angles over the frames too. */
  readonly coefficients: readonly Float64Array[];
}

/** @param tolerance how far a vertex may be from what the directions span, in sizes of the body. */
export async function spanShapes(frames: RigidFrames, vertices: Uint32Array, tolerance: number): Promise<ShapeSpan> {
  return sortByVariance(await spanFrames(frames, vertices, tolerance), frames.count);
}

/** Whatever a frame has beyond those before it becomes a vector of its own where it is more than the tolerance. */
async function spanFrames(frames: RigidFrames, vertices: Uint32Array, tolerance: number): Promise<ShapeSpan> {
  const first = gather(await frames.get(0), vertices);
  const basis: Float64Array[] = [];
  const coefficients: Float64Array[] = [];
  for (let n = 1; n < frames.count; n++) {
    const rest = subtract(gather(await frames.get(n), vertices), first);
    // Twice: what is left of vectors that are nearly parallel has few digits.
    for (let pass = 0; pass < 2; pass++) {
      basis.forEach((vector, k) => {
        coefficients[k][n] += takeOut(rest, vector);
      });
    }
    if (largestOf(rest) <= tolerance) continue;
    const length = Math.sqrt(dot(rest, rest));
    if (!(length > 0)) continue;
    basis.push(rest.map((x) => x / length));
    coefficients.push(new Float64Array(frames.count));
    coefficients[basis.length - 1][n] = length;
  }
  return { basis, coefficients };
}

/** The same space by its main axes, the longest first. */
function sortByVariance({ basis, coefficients }: ShapeSpan, frameCount: number): ShapeSpan {
  const count = basis.length;
  const products = coefficients.map((a) => Float64Array.from(coefficients, (b) => dot(a, b)));
  const { vectors: axes } = eigenvectors(products);
  const turned = (k: number, source: readonly Float64Array[], length: number) => {
    const sum = new Float64Array(length);
    for (let j = 0; j < count; j++) for (let i = 0; i < length; i++) sum[i] += axes[k][j] * source[j][i];
    return sum;
  };
  return {
    basis: basis.map((vector, k) => turned(k, basis, vector.length)),
    coefficients: coefficients.map((_, k) => turned(k, coefficients, frameCount)),
  };
}

/** How many of the directions bring every one of the vertices within a tolerance in every frame. */
export async function countNeeded(
  frames: RigidFrames,
  vertices: Uint32Array,
  { basis, coefficients }: ShapeSpan,
  tolerance: number,
): Promise<number> {
  const first = gather(await frames.get(0), vertices);
  let needed = 0;
  for (let n = 1; n < frames.count; n++) {
    const rest = subtract(gather(await frames.get(n), vertices), first);
    for (let k = 0; k < basis.length; k++) {
      if (k >= needed) {
        if (largestOf(rest) <= tolerance) break;
        needed = k + 1;
      }
      const amount = coefficients[k][n];
      for (let i = 0; i < rest.length; i++) rest[i] -= amount * basis[k][i];
    }
  }
  return needed;
}

function gather(points: Float64Array, vertices: Uint32Array): Float64Array {
  if (points.length === 3 * vertices.length) return points;
  const out = new Float64Array(3 * vertices.length);
  for (let v = 0; v < vertices.length; v++) for (let k = 0; k < 3; k++) out[3 * v + k] = points[3 * vertices[v] + k];
  return out;
}

const subtract = (a: Float64Array, b: Float64Array): Float64Array => a.map((x, k) => x - b[k]);

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

/** Takes the part along a unit vector out; returns how much it was. */
function takeOut(from: Float64Array, vector: Float64Array): number {
  const amount = dot(from, vector);
  for (let k = 0; k < from.length; k++) from[k] -= amount * vector[k];
  return amount;
}

/** Length of the longest of vectors of three numbers. */
function largestOf(vectors: Float64Array): number {
  let most = 0;
  for (let k = 0; k < vectors.length; k += 3)
    most = Math.max(most, vectors[k] ** 2 + vectors[k + 1] ** 2 + vectors[k + 2] ** 2);
  return Math.sqrt(most);
}
