// The volume along a line of states: coefficients against the volume itself, roots against brute force.

import { describe, expect, it } from 'vitest';
import { prepare, signedVolume, surface } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { solveCubic, volumeCubic } from '../../../src/solvers/volume/cubic.js';
import { kernelMeshes } from '../kernel-meshes.js';
import { KernelBody } from '../wasm-kernels.js';
import { cubicRootTests, DOUBLE_ROOTS, volumeCubicTests } from './cubic-tests.js';

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

describe('volumeCubic on wasm', () => {
  volumeCubicTests(it, (prepared, positions, direction) => new KernelBody(prepared).cubic(positions, direction));
});

describe('solveCubic on reference', () => {
  cubicRootTests(it, DOUBLE_ROOTS, (rows) =>
    rows.map(([c0, c1, c2, c3, target, limit]) => solveCubic([c0, c1, c2, c3], target, limit)),
  );
});

// In double precision too: the root of the cubic is where single precision would show.
describe('solveCubic on wasm', () => {
  const kernel = new KernelBody(prepare(kernelMeshes[0][1], surface({ regionSize: 1 })));
  cubicRootTests(it, DOUBLE_ROOTS, (rows) =>
    rows.map(([c0, c1, c2, c3, target, limit]) => kernel.solve([c0, c1, c2, c3], target, limit)),
  );
});
