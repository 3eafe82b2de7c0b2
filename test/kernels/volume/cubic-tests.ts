// The volume along a line of states and its roots: the same for whatever computes them.

import { expect } from 'vitest';
import { type PreparedSurface, prepare, signedVolume, surface } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { MESH_SIZES, meshOfSize } from '../kernel-sizes.js';
import type { NamedTest, Soon } from '../named-test.js';

/** Coefficients of 6V(x + λ·d), of particles in path order. */
export type CubicOf = (
  prepared: PreparedSurface,
  positions: Float64Array,
  direction: Float64Array,
) => Soon<ArrayLike<number>>;

/** Of a mesh of so many vertices. */
export function volumeCubicTests(test: NamedTest, cubicOf: CubicOf, sizes: readonly number[] = MESH_SIZES): void {
  for (const count of sizes) {
    test(`of a mesh of ${count} vertices is six times the volume of x + λ·d`, async () => {
      const prepared = prepare(meshOfSize(count), surface({ regionSize: 1 }));
      const { positions, triangles } = prepared.particles.mesh;
      const random = seededRandom(44);
      const x = positions.map((value) => Math.fround(value + 0.1 * (random() - 0.5)));
      const direction = positions.map(() => Math.fround(random() - 0.5));
      const c = await cubicOf(prepared, x, direction);
      for (const lambda of [-3, -0.1, 0, 0.01, 0.5, 7]) {
        const moved = x.map((value, k) => value + lambda * direction[k]);
        const expected = 6 * signedVolume(moved, triangles);
        const actual = c[0] + lambda * (c[1] + lambda * (c[2] + lambda * c[3]));
        // Each ring's sum of products is rounded by 6e-8 of its terms, of order (1 + |λ|)³.
        const scale = Math.sqrt(triangles.length) * (1 + Math.abs(lambda)) ** 3;
        expect(Math.abs(actual - expected)).toBeLessThan(1e-6 * scale);
      }
    });
  }
}

/** Coefficients from that of 1 on, the value to reach, the largest |λ|. */
export type Row = readonly [number, number, number, number, number, number];
/** Solves many at once. */
export type SolveAll = (rows: readonly Row[]) => Soon<ArrayLike<number>>;

interface RootPrecision {
  /** Numbers as the solver sees them. */
  readonly seen: (x: number) => number;
  /** Of numbers of size 1 where the root is simple, and where it is double: half the digits. */
  readonly simple: number;
  readonly double: number;
  /** Of the value at the root, where that is to be a given one. */
  readonly value: number;
  /** What a root may be off, by the slope there, the curvature and the size of the terms. */
  readonly root: (slope: number, curvature: number, terms: number) => number;
  /** What the error of a value of size 6 is relative to, by the size of the terms. */
  readonly scale: (terms: number) => number;
}

export const DOUBLE_ROOTS: RootPrecision = {
  seen: (x) => x,
  simple: 1e-15,
  double: 1e-7,
  value: 1e-12,
  // At an extremum the slope vanishes: a rounding of 1e-16 in it moves the end by up to 1e-8.
  root: (slope) => (slope > 1e-3 ? 1e-11 : 1e-6),
  scale: () => 6,
};

/** Some roundings of 6e-8. */
const SINGLE = 5e-7;

export const SINGLE_ROOTS: RootPrecision = {
  seen: Math.fround,
  simple: SINGLE,
  double: Math.sqrt(SINGLE),
  value: SINGLE,
  // Terms are rounded, which the slope turns into a way; where that vanishes the curvature does.
  root: (slope, curvature, terms) =>
    SINGLE + (2 * SINGLE * terms) / Math.max(slope, Math.sqrt(SINGLE * terms * curvature)),
  scale: (terms) => 6 + terms,
};

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

const valueAt = (c: ArrayLike<number>, x: number) => c[0] + x * (c[1] + x * (c[2] + x * c[3]));
const slopeAt = (c: ArrayLike<number>, x: number) => c[1] + x * (2 * c[2] + 3 * c[3] * x);
const termsAt = (c: ArrayLike<number>, x: number) =>
  Math.abs(c[0]) + Math.abs(c[1] * x) + Math.abs(c[2] * x * x) + Math.abs(c[3] * x ** 3);

export function cubicRootTests(test: NamedTest, precision: RootPrecision, solveAll: SolveAll): void {
  const { seen } = precision;
  const solve = async (c: readonly number[], target: number, limit: number): Promise<number> =>
    (await solveAll([[c[0], c[1], c[2], c[3], target, limit]]))[0];

  test('finds the first root on the rising branch, or the end of the branch, as a search by small steps does', async () => {
    const random = seededRandom(42);
    const signed = () => 2 * random() - 1;
    const rows = Array.from({ length: 400 }, (_, n): Row => {
      const c = [signed(), 0.05 + random(), 3 * signed(), n % 5 === 0 ? 0 : 3 * signed()].map(seen);
      const target = seen(c[0] + signed());
      return [c[0], c[1], c[2], c[3], target, seen(0.5 + 2 * random())];
    });
    const found = await solveAll(rows);
    let [roots, ends] = [0, 0];
    rows.forEach((c, n) => {
      const lambda = found[n];
      const expected = searchRoot(c, c[4], c[5]);
      const terms = termsAt(c, lambda);
      const curvature = Math.abs(2 * c[2] + 6 * c[3] * lambda);
      const tolerance = precision.root(Math.abs(slopeAt(c, lambda)), curvature, terms);
      expect(Math.abs(lambda - expected)).toBeLessThan(tolerance);
      if (Math.abs(valueAt(c, lambda) - c[4]) < precision.value * Math.max(1, terms)) roots++;
      else ends++;
    });
    // Both outcomes were tested.
    expect(roots).toBeGreaterThan(100);
    expect(ends).toBeGreaterThan(50);
  });

  test('reaches volumes to rounding: six volumes of order 6, missing up to 30 %', async () => {
    const random = seededRandom(43);
    const rows = Array.from({ length: 20_000 }, (): Row => {
      const size = () => 10 ** (4 * random() - 2);
      const c = [6 + 3.6 * (random() - 0.5), size(), (random() - 0.5) * size(), (random() - 0.5) * size()].map(seen);
      return [c[0], c[1], c[2], c[3], 6, 10];
    });
    const found = await solveAll(rows);
    let [worst, reached] = [0, 0];
    rows.forEach((c, n) => {
      const lambda = found[n];
      if (Math.abs(lambda) > 9.999 || slopeAt(c, lambda) < Math.sqrt(precision.value) * c[1]) return;
      worst = Math.max(worst, Math.abs(valueAt(c, lambda) - 6) / precision.scale(termsAt(c, lambda)));
      reached++;
    });
    expect(reached).toBeGreaterThan(5000);
    // A few ε of 6V, times the iterations that a stubborn root may take.
    expect(worst).toBeLessThan(precision.value);
  });

  test('returns the extremum where the branch turns before the target, in both directions', async () => {
    // λ − λ² rises to ¼ at ½; −(−λ − λ²) likewise downwards.
    expect(Math.abs((await solve([0, 1, -1, 0], 1, 10)) - 0.5)).toBeLessThan(precision.simple);
    expect(Math.abs((await solve([0, 1, 1, 0], -1, 10)) + 0.5)).toBeLessThan(precision.simple);
    // λ − λ³/3 rises to ⅔ at 1.
    expect(Math.abs((await solve([0, 1, 0, -1 / 3], 5, 10)) - 1)).toBeLessThan(precision.simple);
    // An extremum that is just high enough is a double root: half the digits.
    expect(Math.abs((await solve([0, 1, -1, 0], 0.25, 10)) - 0.5)).toBeLessThan(precision.double);
  });

  test('returns the limit where the root lies beyond', async () => {
    expect(await solve([0, 1, 0, 0], 5, 2)).toBe(2);
    expect(await solve([0, 1, 0, 0], -5, 2)).toBe(-2);
    expect(await solve([0, 1, 0, 1], 3, 1)).toBe(1);
  });

  test('returns 0 where there is nothing to do or no way up', async () => {
    expect(Math.abs(await solve([3, 1, 1, 1], 3, 1))).toBe(0);
    expect(Math.abs(await solve([0, 0, 1, 1], 1, 1))).toBe(0);
    expect(Math.abs(await solve([0, -2, 5, 5], 1, 1))).toBe(0);
    expect(Math.abs(await solve([0, 1, 0, 0], 1, 0))).toBe(0);
    expect(Math.abs(await solve([0, Number.NaN, 0, 0], 1, 1))).toBe(0);
  });

  test('gives the cube root of a pure growth about the centre', async () => {
    // x + λx has the volume V(1 + λ)³; the double is reached at ∛2 − 1.
    expect(Math.abs((await solve([1, 3, 3, 1], 2, 10)) - (Math.cbrt(2) - 1))).toBeLessThan(precision.simple);
    expect(Math.abs((await solve([1, 3, 3, 1], 0.5, 10)) - (Math.cbrt(0.5) - 1))).toBeLessThan(precision.simple);
  });
}
