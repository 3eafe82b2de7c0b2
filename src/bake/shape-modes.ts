// A track with fewer numbers: a rigid motion per frame, and a few shapes that are mixed to what is left, to a tolerance. Shapes are
// found in one pass over the frames, sorted by how much they matter, and as many are kept as are needed. Frames left out where they lie
// between two others, so that two shapes are on at a time, were tried first: of the 61 frames of squeeze 56 to 61 are needed to a
// thousandth of the bodies' size, half of the bytes in whole numbers, where shapes take a quarter.

import { boundsOf, diagonalOf } from '../mesh/measure.js';
import { createRigidMatch, matchRigidly } from '../solvers/recovery/rigid-match.js';
import type { Track } from './baked-scene.js';
import { eigenvectors } from './eigenvectors.js';

export interface ShapeModes {
  /** Size of the body, the unit of `base` and `shapes` [m]. */
  readonly size: number;
  /** Where the frame of the body is, per frame [m], and how it is turned (x, y, z, w); once where it stays. */
  readonly centres: Float32Array;
  readonly rotations: Float32Array;
  /** The body without any of the shapes, in its own frame. */
  readonly base: Float32Array;
  readonly shapes: readonly Float32Array[];
  /** How much of each shape there is, from 0 to 1: all shapes of a frame, frame by frame. */
  readonly weights: Float32Array;
}

/** Share of the tolerance that the first pass may use up, and that is left for rounding. */
const SPAN_SHARE = 0.5;
const ROUNDING_SHARE = 0.05;

/**
 * @param tolerance how far a vertex may be off, above 0, in sizes of the body.
 */
export async function findShapeModes(track: Track, tolerance: number): Promise<ShapeModes> {
  const size = diagonalOf(boundsOf(track.mesh.positions));
  const frames = new RigidFrames(track, size);
  const first = await frames.get(0);
  const span = await spanFrames(frames, first, SPAN_SHARE * tolerance);
  const sorted = sortByVariance(span, track.frameCount);
  const needed = await countNeeded(frames, first, sorted, (1 - ROUNDING_SHARE) * tolerance);
  const kept = { basis: sorted.basis.slice(0, needed), coefficients: sorted.coefficients.slice(0, needed) };
  return { size, ...frames.motion(), ...toUnitWeights(first, kept, track.frameCount) };
}

/** Frames as seen from the body, in its sizes. */
class RigidFrames {
  private readonly centres: Float32Array;
  private readonly rotations: Float32Array;
  private readonly even: Float64Array;
  private readonly match = createRigidMatch();

  constructor(
    private readonly track: Track,
    private readonly size: number,
  ) {
    this.centres = new Float32Array(3 * track.frameCount);
    this.rotations = new Float32Array(4 * track.frameCount);
    this.even = new Float64Array(track.mesh.positions.length / 3).fill(1);
  }

  get count(): number {
    return this.track.frameCount;
  }

  motion() {
    return { centres: this.centres, rotations: this.rotations };
  }

  async get(n: number): Promise<Float64Array> {
    const points = await this.track.frame(n);
    const { match, size, even } = this;
    const quaternion =
      n === 0 ? Float64Array.of(0, 0, 0, 1) : Float64Array.from(this.rotations.subarray(4 * n - 4, 4 * n));
    matchRigidly(this.track.mesh.positions, points, even, quaternion, match);
    this.centres.set(match.centre, 3 * n);
    this.rotations.set(quaternion, 4 * n);
    const [r, c] = [match.rotation, this.centres.subarray(3 * n, 3 * n + 3)];
    const own = new Float64Array(points.length);
    for (let k = 0; k < own.length; k += 3) {
      const [x, y, z] = [(points[k] - c[0]) / size, (points[k + 1] - c[1]) / size, (points[k + 2] - c[2]) / size];
      own[k] = r[0] * x + r[3] * y + r[6] * z;
      own[k + 1] = r[1] * x + r[4] * y + r[7] * z;
      own[k + 2] = r[2] * x + r[5] * y + r[8] * z;
    }
    return own;
  }
}

interface Span {
  /** Unit vectors at right angles. */
  readonly basis: readonly Float64Array[];
  /** By vector and frame. */
  readonly coefficients: readonly Float64Array[];
}

/** Whatever a frame has beyond those before it becomes a vector of its own where it is more than the tolerance. */
async function spanFrames(frames: RigidFrames, first: Float64Array, tolerance: number): Promise<Span> {
  const basis: Float64Array[] = [];
  const coefficients: Float64Array[] = [];
  for (let n = 1; n < frames.count; n++) {
    const rest = subtract(await frames.get(n), first);
    // Twice: what is left of vectors that are nearly parallel has few digits.
    for (let pass = 0; pass < 2; pass++) {
      basis.forEach((vector, k) => {
        coefficients[k][n] += takeOut(rest, vector);
      });
    }
    if (largest(rest) <= tolerance) continue;
    const length = Math.sqrt(dot(rest, rest));
    if (!(length > 0)) continue;
    basis.push(rest.map((x) => x / length));
    coefficients.push(new Float64Array(frames.count));
    coefficients[basis.length - 1][n] = length;
  }
  return { basis, coefficients };
}

/** The same space by its main axes, the longest first. */
function sortByVariance({ basis, coefficients }: Span, frameCount: number): Span {
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

/** How many of the vectors bring every vertex of every frame within the tolerance. */
async function countNeeded(frames: RigidFrames, first: Float64Array, span: Span, tolerance: number): Promise<number> {
  let needed = 0;
  for (let n = 1; n < frames.count; n++) {
    const rest = subtract(await frames.get(n), first);
    for (let k = 0; k < span.basis.length; k++) {
      if (k >= needed) {
        if (largest(rest) <= tolerance) break;
        needed = k + 1;
      }
      const amount = span.coefficients[k][n];
      for (let i = 0; i < rest.length; i++) rest[i] -= amount * span.basis[k][i];
    }
  }
  return needed;
}

/** Least amounts go into the base, and ranges into the shapes: readers expect weights from 0 to 1. */
function toUnitWeights(first: Float64Array, { basis, coefficients }: Span, frameCount: number) {
  const base = first.slice();
  const weights = new Float32Array(basis.length * frameCount);
  const shapes = basis.map((vector, k) => {
    const low = coefficients[k].reduce((least, x) => Math.min(least, x), 0);
    const range = coefficients[k].reduce((most, x) => Math.max(most, x), 0) - low;
    for (let i = 0; i < base.length; i++) base[i] += low * vector[i];
    coefficients[k].forEach((x, n) => {
      weights[n * basis.length + k] = range > 0 ? (x - low) / range : 0;
    });
    return Float32Array.from(vector, (x) => range * x);
  });
  return { base: Float32Array.from(base), shapes, weights };
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
function largest(vectors: Float64Array): number {
  let most = 0;
  for (let k = 0; k < vectors.length; k += 3)
    most = Math.max(most, vectors[k] ** 2 + vectors[k + 1] ** 2 + vectors[k + 2] ** 2);
  return Math.sqrt(most);
}
