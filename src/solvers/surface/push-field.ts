// Along what a volume correction moves the vertices of a body whose elasticity matches regions: a field of the body at rest that
// is smooth on the scale of the regions, turned with them. Ours.
//
// Matching gives way to what regions reproduce together and holds every vertex by itself against anything else. So in
// equilibrium each vertex is off its goal by what the correction pushes it per step, an edge length or more where regions are
// wide: what is rough in the push is rough in the surface. Along normals of the moment it is: at creases, where these take a
// share of the push only, and at every bump, which tilts the normals round it. A bar stretched to twice its length at ω = 8
// folded its edges into fins; with this field they stay edges.

import { solveSymmetric } from '../../math/mat3.js';
import { MOMENT_STRIDE, writeMoments } from '../moments.js';
import { prefixSums, sumIntervals } from './region-sums.js';
import type { SurfaceRest } from './rest.js';

/** Relative floor on a region's moments, so that flat ones are solvable; they say nothing about their normal direction. */
const FLAT = 1e-6;

const ORIGIN = [0, 0, 0];

/**
 * The projection of A·n̂ (smooth area times unit normal at rest, [m²]) onto what regions reproduce: to each region an affine
 * field is fitted, F = Σ m̃ d⊗(x⁰ − t⁰) · (Σ m̃ (x⁰ − t⁰)⊗(x⁰ − t⁰))⁻¹; a vertex gets the mean of its regions' fields. Affine,
 * because a limb that is one region wide grows in all directions at once, and its mean normal is none.
 */
export function buildPushField(rest: SurfaceRest, pushAreas: Float64Array): Float64Array {
  const { count, regions, regionTotals, regionCentres, positions: x0, unitNormals } = rest;
  const normals = unitNormals.map((n, k) => pushAreas[Math.trunc(k / 3)] * n);
  const values = new Float64Array(MOMENT_STRIDE * count);
  const prefix = new Float64Array(MOMENT_STRIDE * (count + 1));
  const sums = new Float64Array(MOMENT_STRIDE * count);
  const shapes = new Float64Array(MOMENT_STRIDE * count);
  writeMoments(rest, x0, ORIGIN, values);
  prefixSums(values, MOMENT_STRIDE, prefix);
  sumIntervals(prefix, MOMENT_STRIDE, regions, shapes);
  writeMoments(rest, normals, ORIGIN, values);
  prefixSums(values, MOMENT_STRIDE, prefix);
  sumIntervals(prefix, MOMENT_STRIDE, regions, sums);
  const shape = new Float64Array(6);
  const moment = new Float64Array(3);
  const gradient = new Float64Array(3);
  for (let i = 0; i < count; i++) {
    const row = MOMENT_STRIDE * i;
    const tx = regionCentres[3 * i];
    const ty = regionCentres[3 * i + 1];
    const tz = regionCentres[3 * i + 2];
    const total = regionTotals[i];
    shape[0] = shapes[row] - total * tx * tx;
    shape[1] = shapes[row + 1] - total * tx * ty;
    shape[2] = shapes[row + 2] - total * tx * tz;
    shape[3] = shapes[row + 5] - total * ty * ty;
    shape[4] = shapes[row + 6] - total * ty * tz;
    shape[5] = shapes[row + 10] - total * tz * tz;
    const floor = FLAT * (shape[0] + shape[3] + shape[5]);
    for (let at = row; at < row + MOMENT_STRIDE; at += 4) {
      const sum = sums[at + 3];
      moment[0] = sums[at] - sum * tx;
      moment[1] = sums[at + 1] - sum * ty;
      moment[2] = sums[at + 2] - sum * tz;
      solveSymmetric(shape, floor, moment, gradient);
      for (let c = 0; c < 3; c++) values[at + c] = gradient[c];
      values[at + 3] = sum / total - (gradient[0] * tx + gradient[1] * ty + gradient[2] * tz);
    }
  }
  prefixSums(values, MOMENT_STRIDE, prefix);
  sumIntervals(prefix, MOMENT_STRIDE, regions, sums);
  const field = new Float64Array(3 * count);
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    for (let c = 0; c < 3; c++) {
      const at = MOMENT_STRIDE * i + 4 * c;
      const sum = sums[at] * x0[k] + sums[at + 1] * x0[k + 1] + sums[at + 2] * x0[k + 2] + sums[at + 3];
      field[k + c] = sum / regions.sizes[i];
    }
  }
  return field;
}
