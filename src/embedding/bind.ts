// Binds the vertices of a visible mesh to a simulation mesh at rest: each to a point q of a triangle, found along the
// interpolated normals, and the offset from there.
// Based on: R. Diziol, J. Bender, D. Bayer, Robust real-time deformation of incompressible surface meshes, 2011, §6.

import { groupCoincidentVertices } from '../mesh/coincident-vertices.js';
import { boundsOf, diagonalOf } from '../mesh/measure.js';
import { PrismSearch } from './prism-search.js';
import type { FrameRest } from './vertex-frames.js';

/** Vertices this close, as a share of the visible mesh's diagonal, have one place: seams that a file has computed twice. */
const COINCIDENT = 1e-7;
/**
 * From the first to the second of these distances, in edge lengths of the simulation mesh there, the whole body's gradient
 * takes the place of the surface's: a long lever would show every tremble of a few vertices.
 */
const FAR = [3, 12] as const;

/** Where p = Σ wₖ·xₖ + M·r with M = (1 − f)·Σ wₖ·Gₖ + f·Ḡ; see `follow`. Immutable. */
export interface Binding {
  readonly count: number;
  /** Three vertices of the simulation mesh for each bound vertex. */
  readonly corners: Uint32Array;
  /** Their weights wₖ; they sum to 1. */
  readonly weights: Float64Array;
  /** r = p − q at rest [m]. */
  readonly offsets: Float64Array;
  /** f: 0 near the surface, 1 far from it. */
  readonly farShares: Float64Array;
}

/** Binds points given as x, y, z each; equal points are bound equally. */
export function bindPoints(rest: FrameRest, points: ArrayLike<number>): Binding {
  const { mesh, normals, edgeLengths } = rest;
  const { positions, triangles } = mesh;
  const count = Math.floor(points.length / 3);
  const corners = new Uint32Array(3 * count);
  const weights = new Float64Array(3 * count);
  const offsets = new Float64Array(3 * count);
  const farShares = new Float64Array(count);
  const heads = groupCoincidentVertices(points, COINCIDENT * diagonalOf(boundsOf(points)));
  const search = new PrismSearch(mesh, normals);
  for (let i = 0; i < count; i++) {
    const head = heads[i];
    if (head !== i) {
      for (let k = 0; k < 3; k++) {
        corners[3 * i + k] = corners[3 * head + k];
        weights[3 * i + k] = weights[3 * head + k];
      }
      farShares[i] = farShares[head];
    } else if (search.find(points[3 * i], points[3 * i + 1], points[3 * i + 2])) {
      let edge = 0;
      for (let k = 0; k < 3; k++) {
        const corner = triangles[3 * search.triangle + k];
        corners[3 * i + k] = corner;
        weights[3 * i + k] = search.weights[k];
        edge += search.weights[k] * edgeLengths[corner];
      }
      farShares[i] = smoothStep((search.distance / edge - FAR[0]) / (FAR[1] - FAR[0]));
    } else {
      throw new RangeError(`visible mesh: expected finite positions, vertex ${i} is not`);
    }
    for (let c = 0; c < 3; c++) {
      let q = 0;
      for (let k = 0; k < 3; k++) q += weights[3 * i + k] * positions[3 * corners[3 * i + k] + c];
      offsets[3 * i + c] = points[3 * i + c] - q;
    }
  }
  return { count, corners, weights, offsets, farShares };
}

/** From 0 to 1 over the unit interval, with level ends. */
function smoothStep(t: number): number {
  const x = Math.max(0, Math.min(1, t));
  return x * x * (3 - 2 * x);
}
