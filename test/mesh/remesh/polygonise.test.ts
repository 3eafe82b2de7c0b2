// The polygoniser: always a closed manifold, convergent, and indifferent to skipping blocks.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { BlendedShape } from '../../../src/mesh/generate/blended-shape.js';
import { signedVolume } from '../../../src/mesh/measure.js';
import { type Field, polygonise } from '../../../src/mesh/remesh/polygonise.js';
import type { Bounds } from '../../../src/mesh/triangle-mesh.js';
import { assertClosedManifold, eulerCharacteristic, smallestAngles, surfaceArea } from '../generate/mesh-checks.js';

const CUBE: Bounds = [
  [-1.2, -1.2, -1.2],
  [1.2, 1.2, 1.2],
];
const sphere: Field = (x, y, z) => Math.sqrt(x * x + y * y + z * z) - 1;

/** A sum of waves with random directions: surfaces of any genus that run out of the bounds. */
function randomWaves(seed: number): Field {
  const random = seededRandom(seed);
  const waves = Array.from({ length: 6 }, () => Array.from({ length: 5 }, () => 8 * (random() - 0.5)));
  const level = random() - 0.5;
  return (x, y, z) => waves.reduce((sum, [a, b, c, phase]) => sum + Math.sin(a * x + b * y + c * z + phase), level);
}

describe('polygonise', () => {
  it('makes closed manifolds of random smooth fields', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const mesh = polygonise(randomWaves(seed), CUBE, 0.24);
      expect(mesh.triangles.length).toBeGreaterThan(0);
      expect(() => assertClosedManifold(mesh)).not.toThrow();
      expect(signedVolume(mesh.positions, mesh.triangles)).toBeGreaterThan(0);
    }
  });

  it('makes closed manifolds of noise, zeros, infinities and values that are not numbers', () => {
    const random = seededRandom(7);
    const values = [-1, 0, 1, 1e-300, -1e-300, Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const mesh = polygonise(() => values[Math.floor(random() * values.length)], CUBE, 0.3);
    expect(mesh.triangles.length).toBeGreaterThan(0);
    expect(() => assertClosedManifold(mesh)).not.toThrow();
    expect(mesh.positions.every(Number.isFinite)).toBe(true);
  });

  it('closes what the bounds cut off', () => {
    const mesh = polygonise(() => -1, CUBE, 0.2);
    expect(() => assertClosedManifold(mesh)).not.toThrow();
    expect(eulerCharacteristic(mesh)).toBe(2);
    // All of the bounds' volume, give or take the layer of cubes around it.
    const volume = signedVolume(mesh.positions, mesh.triangles);
    expect(volume).toBeGreaterThan(2.4 ** 3);
    expect(volume).toBeLessThan(2.8 ** 3);
  });

  it('is empty where nothing is inside', () => {
    expect(polygonise(() => 1, CUBE, 0.2).triangles.length).toBe(0);
    expect(polygonise(() => 0, CUBE, 0.2).triangles.length).toBe(0);
  });

  it('converges on a sphere as O(h²) in volume and area', () => {
    const errors = [0.2, 0.1, 0.05].map((cell) => {
      const mesh = polygonise(sphere, CUBE, cell);
      expect(eulerCharacteristic(mesh)).toBe(2);
      const volume = signedVolume(mesh.positions, mesh.triangles) / ((4 / 3) * Math.PI) - 1;
      return [Math.abs(volume), Math.abs(surfaceArea(mesh) / (4 * Math.PI) - 1)];
    });
    for (const k of [0, 1]) {
      // A factor of 4 for half the size; where the lattice meets the sphere varies by chance.
      expect(errors[0][k] / errors[1][k]).toBeGreaterThan(3.4);
      expect(errors[0][k] / errors[1][k]).toBeLessThan(4.7);
      expect(errors[1][k] / errors[2][k]).toBeGreaterThan(3.4);
      expect(errors[1][k] / errors[2][k]).toBeLessThan(4.7);
    }
  });

  it('finds a torus with its hole', () => {
    const ring: Field = (x, y, z) => Math.hypot(Math.hypot(x, z) - 0.8, y) - 0.3;
    const mesh = polygonise(ring, CUBE, 0.1, { steepness: 1 });
    expect(eulerCharacteristic(mesh)).toBe(0);
  });

  it('skips blocks far from the surface without changing the result', () => {
    const shape = new BlendedShape()
      .ellipsoid([0, 0.2, 0], [0.5, 0.4, 0.6], { blend: 0.1 })
      .limb(
        [
          [0, 0.2, 0.3, 0.2],
          [0.2, 0.5, 0.7, 0.1],
          [0.1, 0.9, 0.6, 0.05],
        ],
        { blend: 0.1, mirrored: true },
      )
      .sheet([0, 0.2, -0.7], [0.3, 0.2], 0.06, { blend: 0.05 })
      .standOn(-0.1, 0.05)
      .toField();
    for (const [field, steepness] of [
      [sphere, 1],
      [shape, 1.5],
    ] as const) {
      let calls = 0;
      const counted: Field = (x, y, z) => {
        calls++;
        return field(x, y, z);
      };
      const all = polygonise(counted, CUBE, 0.08);
      const allCalls = calls;
      calls = 0;
      const few = polygonise(counted, CUBE, 0.08, { steepness });
      // Plain loops: matchers take seconds on arrays of this size.
      expect(few.triangles.every((v, i) => v === all.triangles[i])).toBe(true);
      expect(few.positions.every((x, i) => x === all.positions[i])).toBe(true);
      expect(few.positions.length).toBe(all.positions.length);
      expect(calls).toBeLessThan(0.6 * allCalls);
    }
  });

  it('has no triangle without area', () => {
    // The lattice has points exactly on this box's faces.
    const block: Field = (x, y, z) => Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) - 0.6;
    const mesh = polygonise(block, CUBE, 0.3);
    expect(() => assertClosedManifold(mesh)).not.toThrow();
    expect(smallestAngles(mesh)[0]).toBeGreaterThan(0.1);
  });

  it('refuses sizes and bounds that make no lattice', () => {
    expect(() => polygonise(sphere, CUBE, 0)).toThrow(/^cellSize must be a positive number, got 0/);
    expect(() => polygonise(sphere, [CUBE[1], CUBE[0]], 0.1)).toThrow(/^bounds must have/);
  });
});
