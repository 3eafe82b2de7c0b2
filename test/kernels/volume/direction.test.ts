// The direction of a volume correction: outwards, by weight, and without momentum.

import { describe, expect, it } from 'vitest';
import { prepare, signedVolume, surface } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { writeDirection } from '../../../src/solvers/volume/direction.js';
import { kernelMeshes } from '../kernel-meshes.js';
import { KernelBody } from '../wasm-kernels.js';
import { directionTests, distorted, momentumOf } from './direction-tests.js';

const weightings: Record<string, (i: number, random: () => number) => number> = {
  even: () => 1,
  random: (_, random) => random(),
  'with holes': (i, random) => (i % 3 === 0 ? 0 : random()),
};

describe.each(kernelMeshes)('direction on the %s', (name, mesh) => {
  it.each(Object.entries(weightings))('has no linear and no angular momentum, weights %s', (_, weigh) => {
    const random = seededRandom(52);
    for (const offset of [0, 100]) {
      const field = distorted(mesh, 51, offset);
      const weights = field.masses.map((_, i) => weigh(i, random));
      const direction = new Float64Array(field.positions.length).fill(9);
      writeDirection(field.positions, field.masses, field.outward, weights, direction);
      // Rounding of the sums and of a 3×3 solve, whose condition for two free corners of a tetrahedron costs digits.
      const tolerance = mesh.positions.length > 24 ? 1e-12 : 1e-9;
      expect(momentumOf(field, direction)).toBeLessThan(tolerance);
      weights.forEach((w, i) => {
        if (w === 0) expect([...direction.subarray(3 * i, 3 * i + 3)].every((d) => d === 0)).toBe(true);
      });
    }
  });

  it('makes the body grow', () => {
    const field = distorted(mesh, 53);
    const direction = new Float64Array(field.positions.length);
    writeDirection(
      field.positions,
      field.masses,
      field.outward,
      new Float64Array(field.masses.length).fill(1),
      direction,
    );
    const flux = direction.reduce((sum, d, k) => sum + d * field.normals[k], 0);
    expect(flux, name).toBeGreaterThan(0);
    const grown = field.positions.map((x, k) => x + 1e-6 * direction[k]);
    expect(signedVolume(grown, mesh.triangles)).toBeGreaterThan(signedVolume(field.positions, mesh.triangles));
  });
});

it('is zero without weights', () => {
  const field = distorted(kernelMeshes[4][1], 54);
  const direction = new Float64Array(field.positions.length).fill(1);
  writeDirection(field.positions, field.masses, field.outward, new Float64Array(field.masses.length), direction);
  expect(direction.every((d) => d === 0)).toBe(true);
});

it('is the outward direction itself where that has no momentum: even weights on a sphere', () => {
  const mesh = kernelMeshes[1][1]; // octahedron: outward ∝ x, equal masses
  const masses = new Float64Array(6).fill(2);
  const direction = new Float64Array(18);
  writeDirection(mesh.positions, masses, mesh.positions, new Float64Array(6).fill(0.25), direction);
  direction.forEach((d, k) => {
    expect(Math.abs(d - 0.25 * mesh.positions[k])).toBeLessThan(1e-15);
  });
});

describe('direction on wasm', () => {
  directionTests(it, (prepared, rotation, positions, changes) => {
    const body = new KernelBody(prepared);
    body.turn(rotation);
    const none = new Uint8Array(changes.length);
    body.weights(positions, changes, none, none);
    return body.direction() as Float64Array;
  });

  it('is none where nobody may move', () => {
    const prepared = prepare(kernelMeshes[4][1], surface({ regionSize: 1 }));
    const body = new KernelBody(prepared);
    const { count, mesh } = prepared.particles;
    const all = new Uint8Array(count).fill(1);
    body.weights(mesh.positions, new Float64Array(count), all, all);
    expect(body.direction()).toBeUndefined();
  });
});
