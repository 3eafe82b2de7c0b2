// Region sums: the fast way against the naive way and against a sum over a plain breadth-first search.

import { describe, expect, it } from 'vitest';
import { surface } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { MOMENT_STRIDE, writeMoments } from '../../../src/solvers/moments.js';
import { prefixSums, sumIntervals, sumMembers } from '../../../src/solvers/surface/region-sums.js';
import { buildSurfaceRest } from '../../../src/solvers/surface/rest.js';
import { ballAround, kernelMeshes, neighbourSets, unevenMesh } from '../kernel-meshes.js';

const STRIDES = [3, 6, 12, 15];

describe('prefixSums', () => {
  it('gives the sum before each row, one row more than there are values', () => {
    const prefix = new Float64Array(8).fill(99);
    prefixSums(Float64Array.of(1, 10, 2, 20, 3, 30), 2, prefix);
    expect([...prefix]).toEqual([0, 0, 1, 10, 3, 30, 6, 60]);
  });

  it('gives one row of zeros for no values, and leaves what lies beyond alone', () => {
    const prefix = new Float64Array(3).fill(7);
    prefixSums(new Float64Array(0), 2, prefix);
    expect([...prefix]).toEqual([0, 0, 7]);
  });
});

describe.each(kernelMeshes)('sums over regions of the %s', (_, mesh) => {
  it.each([1, 2, 3, 4, 5])('are exact for whole numbers both ways, region size %i', (regionSize) => {
    const { regions, mesh: ordered, count } = buildSurfaceRest(mesh, surface({ regionSize }).settings);
    const neighbours = neighbourSets(ordered);
    const balls = Array.from({ length: count }, (_, i) => [...ballAround(neighbours, i, regionSize)]);
    const random = seededRandom(regionSize);
    for (const stride of STRIDES) {
      const values = Float64Array.from({ length: stride * count }, () => Math.floor(2000 * random()) - 1000);
      const prefix = new Float64Array(stride * (count + 1));
      const fast = new Float64Array(stride * count).fill(5);
      const naive = new Float64Array(stride * count).fill(6);
      prefixSums(values, stride, prefix);
      sumIntervals(prefix, stride, regions, fast);
      sumMembers(values, stride, regions, naive);
      const expected = new Float64Array(stride * count);
      for (let i = 0; i < count; i++) {
        for (const j of balls[i]) {
          for (let c = 0; c < stride; c++) expected[stride * i + c] += values[stride * j + c];
        }
      }
      // The place of the first difference; none.
      expect(expected.findIndex((sum, k) => fast[k] !== sum)).toBe(-1);
      expect(expected.findIndex((sum, k) => naive[k] !== sum)).toBe(-1);
    }
  });

  it.each(STRIDES)('agree to rounding for any numbers, stride %i', (stride) => {
    const { regions, count } = buildSurfaceRest(mesh, surface({ regionSize: 3 }).settings);
    const random = seededRandom(stride);
    const values = Float64Array.from({ length: stride * count }, () => random() - 0.3);
    const prefix = new Float64Array(stride * (count + 1));
    const fast = new Float64Array(stride * count);
    const naive = new Float64Array(stride * count);
    prefixSums(values, stride, prefix);
    sumIntervals(prefix, stride, regions, fast);
    sumMembers(values, stride, regions, naive);
    const totals = new Float64Array(stride);
    values.forEach((x, k) => {
      totals[k % stride] += Math.abs(x);
    });
    let worst = 0;
    for (let i = 0; i < count; i++) {
      // A partial sum of n numbers is within n·u·Σ|v| of the true one, u = 2⁻⁵³; an interval takes two of them.
      const intervals = regions.offsets[i + 1] - regions.offsets[i];
      const roundings = (2 * intervals * (count + 2) + regions.sizes[i]) * 2 ** -53;
      for (let c = 0; c < stride; c++) {
        const difference = Math.abs(fast[stride * i + c] - naive[stride * i + c]);
        worst = Math.max(worst, difference / (roundings * totals[c]));
      }
    }
    expect(worst).toBeLessThan(1);
  });
});

it('writes m̃·x⊗[x⁰; 1] relative to the origin given', () => {
  const rest = buildSurfaceRest(unevenMesh, surface({ regionSize: 2 }).settings);
  const random = seededRandom(3);
  const positions = Float64Array.from({ length: 3 * rest.count }, () => random() * 4 - 2);
  const origin = [0.5, -0.25, 2];
  const values = new Float64Array(MOMENT_STRIDE * rest.count);
  writeMoments(rest, positions, origin, values);
  let worst = 0;
  for (let i = 0; i < rest.count; i++) {
    const m = rest.massShares[i] / rest.regions.sizes[i];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 4; c++) {
        const expected = m * (positions[3 * i + r] - origin[r]) * (c < 3 ? rest.positions[3 * i + c] : 1);
        worst = Math.max(worst, Math.abs(values[12 * i + 4 * r + c] - expected) / m);
      }
    }
  }
  expect(worst).toBeLessThan(1e-14); // four roundings of products below 10
});
