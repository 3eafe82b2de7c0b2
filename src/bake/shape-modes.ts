// A track with fewer numbers: a rigid motion per frame, and a few shapes that are mixed to what is left, to a tolerance. How much of which
// there is in a frame is found by some of the vertices, at most so many, so that the memory it takes is that of the shapes alone; the
// shapes are what all vertices do at these amounts, by least squares. Vertices that are off by more are looked at in another round.
//
// Frames left out where they lie between two others, so that two shapes are on at a time, were tried first: of the 61 frames of squeeze 56
// to 61 are needed to a thousandth of the bodies' size, half of the bytes in whole numbers, where shapes take a quarter.

import type { RigidFrames } from './rigid-frames.js';
import { countNeeded, spanShapes } from './shape-span.js';

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

/** Share of the tolerance that the span may use up, and that is left for rounding. */
const SPAN_SHARE = 0.5;
const ROUNDING_SHARE = 0.05;
/** Of vertices that are looked at first; those that are off are added, at most so many at a time. */
const MOST_SAMPLES = 8192;
const MOST_ADDED = 2048;
/** What a round asks for, of the one before it: where all vertices are looked at already, that alone helps. */
const STRICTER = 0.8;
/** After so many rounds single precision gives no more. */
const MOST_ROUNDS = 8;

/**
 * @param tolerance how far a vertex may be off, above 0, in sizes of the body.
 */
export async function findShapeModes(frames: RigidFrames, tolerance: number): Promise<ShapeModes> {
  const limit = (1 - ROUNDING_SHARE) * tolerance;
  let vertices = sampleVertices(frames.vertexCount);
  for (let round = 1, share = 1; ; round++, share *= STRICTER) {
    const span = await spanShapes(frames, vertices, share * SPAN_SHARE * tolerance);
    const needed = await countNeeded(frames, vertices, span, share * limit);
    const coefficients = span.coefficients.slice(0, needed);
    const shapes = await fitShapes(frames, coefficients);
    const beyond = await findBeyond(frames, shapes, coefficients, limit);
    if (beyond.length === 0 || round === MOST_ROUNDS) {
      const { size, centres, rotations } = frames;
      return { size, centres, rotations, ...toUnitWeights(await frames.get(0), shapes, coefficients, frames.count) };
    }
    vertices = Uint32Array.from(new Set([...vertices, ...beyond])).sort();
  }
}

/** Evenly by their numbers: neighbours are mostly near each other. */
function sampleVertices(count: number): Uint32Array {
  const length = Math.min(count, MOST_SAMPLES);
  return Uint32Array.from({ length }, (_, k) => Math.floor((k * count) / length));
}

/** What all vertices do at these amounts, by least squares: each by itself, as amounts are at right angles over the frames. */
async function fitShapes(frames: RigidFrames, coefficients: readonly Float64Array[]): Promise<Float32Array[]> {
  const shapes = coefficients.map(() => new Float32Array(3 * frames.vertexCount));
  const squares = coefficients.map((amounts) => amounts.reduce((sum, x) => sum + x * x, 0));
  const first = await frames.get(0);
  for (let n = 1; n < frames.count; n++) {
    const points = await frames.get(n);
    shapes.forEach((shape, k) => {
      const factor = squares[k] > 0 ? coefficients[k][n] / squares[k] : 0;
      if (factor !== 0) for (let i = 0; i < shape.length; i++) shape[i] += factor * (points[i] - first[i]);
    });
  }
  return shapes;
}

/** Vertices that are further off than a limit in any frame, as far as they are looked for. */
async function findBeyond(
  frames: RigidFrames,
  shapes: readonly Float32Array[],
  coefficients: readonly Float64Array[],
  limit: number,
): Promise<number[]> {
  const first = await frames.get(0);
  const beyond = new Set<number>();
  for (let n = 1; n < frames.count && beyond.size < MOST_ADDED; n++) {
    const rest = await frames.get(n);
    for (let i = 0; i < rest.length; i++) rest[i] -= first[i];
    shapes.forEach((shape, k) => {
      const amount = coefficients[k][n];
      if (amount !== 0) for (let i = 0; i < rest.length; i++) rest[i] -= amount * shape[i];
    });
    for (let k = 0; k < rest.length && beyond.size < MOST_ADDED; k += 3)
      if (rest[k] ** 2 + rest[k + 1] ** 2 + rest[k + 2] ** 2 > limit * limit) beyond.add(k / 3);
  }
  return [...beyond];
}

/** Least amounts go into the base, and ranges into the shapes: readers expect weights from 0 to 1. The shapes are changed. */
function toUnitWeights(
  base: Float64Array,
  shapes: readonly Float32Array[],
  coefficients: readonly Float64Array[],
  frameCount: number,
): Pick<ShapeModes, 'base' | 'shapes' | 'weights'> {
  const weights = new Float32Array(shapes.length * frameCount);
  shapes.forEach((shape, k) => {
    const low = coefficients[k].reduce((least, x) => Math.min(least, x), 0);
    const range = coefficients[k].reduce((most, x) => Math.max(most, x), 0) - low;
    coefficients[k].forEach((x, n) => {
      weights[n * shapes.length + k] = range > 0 ? (x - low) / range : 0;
    });
    for (let i = 0; i < shape.length; i++) {
      base[i] += low * shape[i];
      shape[i] *= range;
    }
  });
  return { base: Float32Array.from(base), shapes, weights };
}
