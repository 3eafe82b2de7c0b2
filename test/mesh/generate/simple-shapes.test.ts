// Spheres, boxes, tori, capsules and cylinders: counts by formula, closed manifolds, volumes and areas by closed forms.

import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { box, capsule, cylinder, icosphere, torus, uvSphere } from '../../../src/mesh/generate/index.js';
import { boundsOf, signedVolume } from '../../../src/mesh/measure.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { validate } from '../../../src/mesh/validate.js';
import {
  assertClosedManifold,
  countComponents,
  edgeLengths,
  eulerCharacteristic,
  smallestAngles,
  surfaceArea,
} from './mesh-checks.js';

const volumeOf = ({ positions, triangles }: TriangleMesh) => signedVolume(positions, triangles);
const vertices = (mesh: TriangleMesh) => mesh.positions.length / 3;

describe.each<[string, TriangleMesh, number]>([
  ['uvSphere, fewest', uvSphere({ segments: 3 }), 2],
  ['uvSphere', uvSphere(), 2],
  ['icosphere, fewest', icosphere({ detail: 0 }), 2],
  ['icosphere', icosphere(), 2],
  ['box, fewest', box({ divisions: 1 }), 2],
  ['box', box({ size: [4, 1, 1], divisions: [40, 10, 10] }), 2],
  ['box, uneven', box({ size: [1, 2, 3], divisions: [1, 5, 2] }), 2],
  ['torus, fewest', torus({ majorSegments: 3, minorSegments: 3 }), 0],
  ['torus', torus(), 0],
  ['capsule, fewest', capsule({ segments: 8 }), 2],
  ['capsule', capsule(), 2],
  ['capsule without a cylinder', capsule({ radius: 0.5, height: 1 }), 2],
  ['capsule with a very short cylinder', capsule({ radius: 0.5, height: 1.001 }), 2],
  ['cylinder, fewest', cylinder({ segments: 6 }), 2],
  ['cylinder', cylinder(), 2],
  ['flat cylinder', cylinder({ radius: 2, height: 0.01, segments: 50 }), 2],
])('%s', (_name, mesh, euler) => {
  it('is one closed, outward 2-manifold of the right genus that can be simulated', () => {
    expect(() => assertClosedManifold(mesh)).not.toThrow();
    expect(eulerCharacteristic(mesh)).toBe(euler);
    expect(countComponents(mesh)).toBe(1);
    expect(volumeOf(mesh)).toBeGreaterThan(0);
    expect(validate(mesh).problems).toEqual([]);
  });

  it('lies around the origin', () => {
    const [low, high] = boundsOf(mesh.positions);
    // Only the Y extent is symmetric for every number of segments.
    expect(Math.abs(low[1] + high[1])).toBeLessThan(1e-12);
    for (const k of [0, 2]) expect(low[k]).toBeLessThan(0);
    for (const k of [0, 2]) expect(high[k]).toBeGreaterThan(0);
  });
});

describe('vertex counts', () => {
  it('follow the formulas', () => {
    for (const n of [3, 10, 20, 40]) expect(vertices(uvSphere({ segments: n }))).toBe(n * (n - 1) + 2);
    expect(vertices(uvSphere({ segments: 40 }))).toBe(1562);
    expect(vertices(uvSphere({ segments: 20 }))).toBe(382);
    for (const d of [0, 1, 2, 3, 4]) expect(vertices(icosphere({ detail: d }))).toBe(10 * 4 ** d + 2);
    for (const n of [1, 2, 8, 71]) expect(vertices(box({ divisions: n }))).toBe(6 * n * n + 2);
    expect(vertices(box({ divisions: [40, 10, 10] }))).toBe(1802);
    expect(vertices(torus({ majorSegments: 40, minorSegments: 10 }))).toBe(400);
  });
});

describe('volume and area', () => {
  it('of spheres approach the closed form as O(h²), from below', () => {
    // Regular polygons around the axis lose h²/6; chords of half that angle along the meridians lose another h²/16.
    for (const n of [20, 40, 80]) {
      const h = (2 * Math.PI) / n;
      const loss = 1 - volumeOf(uvSphere({ segments: n, radius: 1.5 })) / ((4 / 3) * Math.PI * 1.5 ** 3);
      // The next terms are of order h² of these.
      expect(Math.abs(loss / (h * h * (1 / 6 + 1 / 16)) - 1)).toBeLessThan(h * h);
    }
    const losses = [2, 3, 4].map((detail) => 1 - volumeOf(icosphere({ detail })) / ((4 / 3) * Math.PI));
    // Halving the edges quarters the loss; the next term is O(h⁴), under 2 % here.
    expect(Math.abs(losses[0] / losses[1] - 4)).toBeLessThan(0.08);
    expect(Math.abs(losses[1] / losses[2] - 4)).toBeLessThan(0.02);
  });

  it('of spheres and tori equal those of the same polyhedra from three', () => {
    const area = (geometry: THREE.BufferGeometry) =>
      surfaceArea({
        positions: Float64Array.from(geometry.attributes.position.array),
        triangles: Uint32Array.from(geometry.index?.array ?? []),
      });
    // Three stores positions as floats: relative error 6e-8 per coordinate.
    const sphere = area(new THREE.SphereGeometry(2, 24, 24));
    expect(Math.abs(surfaceArea(uvSphere({ segments: 24, radius: 2 })) / sphere - 1)).toBeLessThan(1e-6);
    const ring = area(new THREE.TorusGeometry(1, 0.4, 20, 48));
    expect(Math.abs(surfaceArea(torus()) / ring - 1)).toBeLessThan(1e-6);
  });

  it('of boxes are exact', () => {
    const mesh = box({ size: [4, 1, 0.5], divisions: [8, 3, 5] });
    expect(Math.abs(volumeOf(mesh) - 2)).toBeLessThan(1e-13);
    expect(Math.abs(surfaceArea(mesh) - 13)).toBeLessThan(1e-12);
    expect(boundsOf(mesh.positions)).toEqual([
      [-2, -0.5, -0.25],
      [2, 0.5, 0.25],
    ]);
  });

  it('of a torus approaches 2π²Rr²', () => {
    const loss = 1 - volumeOf(torus({ majorSegments: 96, minorSegments: 40 })) / (2 * Math.PI ** 2 * 0.16);
    // A regular n-gon in a circle loses (2π/n)²/6 of its area: once for the tube, once for the ring.
    const expected = (2 * Math.PI) ** 2 * (1 / 40 ** 2 + 1 / 96 ** 2) * (1 / 6);
    expect(Math.abs(loss / expected - 1)).toBeLessThan(0.15);
  });

  it('of capsules and cylinders approach the closed forms as O(h²), from below', () => {
    for (const segments of [16, 32, 64]) {
      const h = (2 * Math.PI) / segments;
      const round = capsule({ radius: 0.5, height: 2, segments });
      const roundLoss = 1 - volumeOf(round) / (Math.PI * 0.25 * (1 + (4 / 3) * 0.5));
      const flat = cylinder({ radius: 0.5, height: 2, segments });
      const flatLoss = 1 - volumeOf(flat) / (Math.PI * 0.25 * 2);
      for (const loss of [roundLoss, flatLoss]) {
        // An n-gon loses h²/6 of its disc; turned rings lose up to four times that between them.
        expect(loss).toBeGreaterThan(h * h * 0.1);
        expect(loss).toBeLessThan(h * h * 0.67);
      }
      const [low, high] = boundsOf(flat.positions);
      expect(high[1] - low[1]).toBe(2);
      expect(boundsOf(round.positions)[1][1]).toBe(1);
    }
  });
});

describe('evenness', () => {
  it('of capsules and cylinders: vertices 2πr/segments apart everywhere', () => {
    for (const mesh of [capsule({ segments: 24 }), cylinder({ segments: 32 }), cylinder({ segments: 9 })]) {
      const lengths = edgeLengths(mesh);
      const median = lengths[lengths.length >> 1];
      expect(lengths[0] / median).toBeGreaterThan(0.55);
      expect((lengths.at(-1) as number) / median).toBeLessThan(1.7);
      expect(smallestAngles(mesh)[0]).toBeGreaterThan(25);
    }
    const spacing = edgeLengths(cylinder({ radius: 0.5, segments: 32 }));
    expect(Math.abs(spacing[spacing.length >> 1] / (Math.PI / 32) - 1)).toBeLessThan(0.1);
  });
});
