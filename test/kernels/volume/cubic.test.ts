// The volume along a line of states: coefficients against the volume itself, roots against brute force.

import { describe, expect, it } from 'vitest';
import { prepare, signedVolume, surface } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { solveCubic as referenceSolveCubic, volumeCubic } from '../../../src/solvers/volume/cubic.js';
import { BOTH_BACKENDS } from '../../both-backends.js';
import { kernelMeshes } from '../kernel-meshes.js';
import { MESH_SIZES, meshOfSize } from '../kernel-sizes.js';
import { KernelBody } from '../wasm-kernels.js';

describe.each(kernelMeshes)('volumeCubic of the %s', (_, { positions, triangles }) => {
  it.each([0, 1e4])('is six times the volume of x + λ·d, %d m from the origin', (offset) => {
    const random = seededRandom(41);
    const x = positions.map((value) => value + offset);
    const direction = positions.map(() => random() - 0.5);
    const c = new Float64Array(4);
    volumeCubic(x, direction, triangles, c);
    for (const lambda of [-3, -1, -0.1, 0, 0.01, 0.5, 1, 7]) {
      const moved = x.map((value, k) => value + lambda * direction[k]);
      const expected = 6 * signedVolume(moved, triangles);
      const actual = c[0] + lambda * (c[1] + lambda * (c[2] + lambda * c[3]));
      // Sums of up to 600 products of coordinates (1 + |λ|)³; positions far away are rounded by offset·2⁻⁵³.
      const scale = triangles.length * (1 + Math.abs(lambda)) ** 3;
      expect(Math.abs(actual - expected)).toBeLessThan(scale * (1e-14 + offset * 2 ** -50));
    }
  });
});

/** First λ in the direction of the target, by small steps and bisection, where the cubic reaches it or turns back. */
function searchRoot(c: readonly number[], target: number, limit: number): number {
  const value = (x: number) => c[0] + x * (c[1] + x * (c[2] + x * c[3]));
  const sign = Math.sign(target - c[0]);
  const missing = (x: number) => sign * (target - value(sign * x));
  const falls = (x: number) => c[1] + sign * x * (2 * c[2] + 3 * c[3] * sign * x) <= 0;
  const ended = (x: number) => missing(x) <= 0 || falls(x);
  const pieces = 20_000;
  let high = limit;
  for (let n = 1; n <= pieces; n++) {
    if (!ended((limit * n) / pieces)) continue;
    high = (limit * n) / pieces;
    break;
  }
  if (!ended(high)) return sign * limit;
  let low = Math.max(0, high - limit / pieces);
  for (let n = 0; n < 200; n++) {
    const middle = 0.5 * (low + high);
    if (ended(middle)) high = middle;
    else low = middle;
  }
  return sign * high;
}

describe('volumeCubic on wasm', () => {
  it.each(MESH_SIZES)('of a mesh of %i vertices is six times the volume of x + λ·d', (count) => {
    const prepared = prepare(meshOfSize(count), surface({ regionSize: 1 }));
    const { positions, triangles } = prepared.particles.mesh;
    const random = seededRandom(44);
    const x = positions.map((value) => Math.fround(value + 0.1 * (random() - 0.5)));
    const direction = positions.map(() => Math.fround(random() - 0.5));
    const c = new KernelBody(prepared).cubic(x, direction);
    for (const lambda of [-3, -0.1, 0, 0.01, 0.5, 7]) {
      const moved = x.map((value, k) => value + lambda * direction[k]);
      const expected = 6 * signedVolume(moved, triangles);
      const actual = c[0] + lambda * (c[1] + lambda * (c[2] + lambda * c[3]));
      // Each ring's sum of products is rounded by 6e-8 of its terms, of order (1 + |λ|)³; they are added in double precision.
      const scale = Math.sqrt(triangles.length) * (1 + Math.abs(lambda)) ** 3;
      expect(Math.abs(actual - expected)).toBeLessThan(1e-6 * scale);
    }
  });
});

describe.each(BOTH_BACKENDS)('solveCubic on %s', (backend) => {
  const kernel = new KernelBody(prepare(kernelMeshes[0][1], surface({ regionSize: 1 })));
  // Both are in double precision: the root of the cubic is where single precision would show.
  const solveCubic = (c: readonly number[], target: number, limit: number): number =>
    backend === 'wasm' ? kernel.solve(c, target, limit) : referenceSolveCubic(c, target, limit);

  it('finds the first root on the rising branch, or the end of the branch, as a search by small steps does', () => {
    const random = seededRandom(42);
    const signed = () => 2 * random() - 1;
    let [roots, ends] = [0, 0];
    for (let n = 0; n < 400; n++) {
      const c = [signed(), 0.05 + random(), 3 * signed(), n % 5 === 0 ? 0 : 3 * signed()];
      const target = c[0] + signed();
      const limit = 0.5 + 2 * random();
      const lambda = solveCubic(c, target, limit);
      const expected = searchRoot(c, target, limit);
      // At an extremum the slope vanishes: a rounding of 1e-16 in it moves the end by up to 1e-8.
      const slope = c[1] + lambda * (2 * c[2] + 3 * c[3] * lambda);
      const reached = Math.abs(c[0] + lambda * (c[1] + lambda * (c[2] + lambda * c[3])) - target) < 1e-12;
      expect(Math.abs(lambda - expected)).toBeLessThan(Math.abs(slope) > 1e-3 ? 1e-11 : 1e-6);
      if (reached) roots++;
      else ends++;
    }
    // Both outcomes were tested.
    expect(roots).toBeGreaterThan(100);
    expect(ends).toBeGreaterThan(50);
  });

  it('reaches volumes to rounding: six volumes of order 6, missing up to 30 %', () => {
    const random = seededRandom(43);
    let [worst, reached] = [0, 0];
    for (let n = 0; n < 20_000; n++) {
      const size = () => 10 ** (4 * random() - 2);
      const c = [6 + 3.6 * (random() - 0.5), size(), (random() - 0.5) * size(), (random() - 0.5) * size()];
      const lambda = solveCubic(c, 6, 10);
      const slope = c[1] + lambda * (2 * c[2] + 3 * c[3] * lambda);
      if (Math.abs(lambda) > 9.999 || slope < 1e-6 * c[1]) continue;
      worst = Math.max(worst, Math.abs(c[0] + lambda * (c[1] + lambda * (c[2] + lambda * c[3])) - 6) / 6);
      reached++;
    }
    expect(reached).toBeGreaterThan(5000);
    // A few ε of 6V, times the 60 iterations that a stubborn root may take.
    expect(worst).toBeLessThan(1e-12);
  });

  it('returns the extremum where the branch turns before the target, in both directions', () => {
    // λ − λ² rises to ¼ at ½; −(−λ − λ²) likewise downwards.
    expect(Math.abs(solveCubic([0, 1, -1, 0], 1, 10) - 0.5)).toBeLessThan(1e-15);
    expect(Math.abs(solveCubic([0, 1, 1, 0], -1, 10) + 0.5)).toBeLessThan(1e-15);
    // λ − λ³/3 rises to ⅔ at 1.
    expect(Math.abs(solveCubic([0, 1, 0, -1 / 3], 5, 10) - 1)).toBeLessThan(1e-15);
    // An extremum that is just high enough is a double root: half the digits.
    expect(Math.abs(solveCubic([0, 1, -1, 0], 0.25, 10) - 0.5)).toBeLessThan(1e-7);
  });

  it('returns the limit where the root lies beyond', () => {
    expect(solveCubic([0, 1, 0, 0], 5, 2)).toBe(2);
    expect(solveCubic([0, 1, 0, 0], -5, 2)).toBe(-2);
    expect(solveCubic([0, 1, 0, 1], 3, 1)).toBe(1);
  });

  it('returns 0 where there is nothing to do or no way up', () => {
    expect(solveCubic([3, 1, 1, 1], 3, 1)).toBe(0);
    expect(solveCubic([0, 0, 1, 1], 1, 1)).toBe(0);
    expect(solveCubic([0, -2, 5, 5], 1, 1)).toBe(0);
    expect(solveCubic([0, 1, 0, 0], 1, 0)).toBe(0);
    expect(solveCubic([0, Number.NaN, 0, 0], 1, 1)).toBe(0);
  });

  it('gives the cube root of a pure growth about the centre', () => {
    // x + λx has the volume V(1 + λ)³; the double is reached at ∛2 − 1.
    expect(Math.abs(solveCubic([1, 3, 3, 1], 2, 10) - (Math.cbrt(2) - 1))).toBeLessThan(1e-15);
    expect(Math.abs(solveCubic([1, 3, 3, 1], 0.5, 10) - (Math.cbrt(0.5) - 1))).toBeLessThan(1e-15);
  });
});
