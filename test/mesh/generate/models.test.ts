// The duck, the creature, the hand, the liver and the flower: exact counts, one piece without holes, no triangle through another, even triangles.

import { describe, expect, it } from 'vitest';
import { creature, duck, flower, hand, liver } from '../../../src/mesh/generate/index.js';
import { boundsOf, signedVolume } from '../../../src/mesh/measure.js';
import { findSelfIntersections } from '../../../src/mesh/self-intersections.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { validate } from '../../../src/mesh/validate.js';
import { assertClosedManifold, countComponents, eulerCharacteristic, smallestAngles } from './mesh-checks.js';

/** Exactly so many vertices, closed, one piece without holes, no triangle through another, even triangles. */
function expectSound(mesh: TriangleMesh, vertices: number): void {
  expect(mesh.positions.length / 3).toBe(vertices);
  expect(() => assertClosedManifold(mesh)).not.toThrow();
  expect(eulerCharacteristic(mesh)).toBe(2);
  expect(countComponents(mesh)).toBe(1);
  expect(signedVolume(mesh.positions, mesh.triangles)).toBeGreaterThan(0);
  expect(findSelfIntersections(mesh.positions, mesh.triangles).count).toBe(0);
  expect(validate(mesh).simulatable).toBe(true);
  const angles = smallestAngles(mesh);
  expect(angles[0]).toBeGreaterThan(15);
  expect(angles[Math.floor(angles.length / 100)]).toBeGreaterThan(33);
  expect(angles[angles.length >> 1]).toBeGreaterThan(48);
}

describe.each([
  ['hand', hand, [700, 1600]],
  ['liver', liver, [300, 800]],
  ['flower', flower, [700, 1200]],
] as const)('%s', (_name, generate, counts) => {
  it.each(counts)('with %i vertices is a sound mesh that stands on y = 0', (vertices) => {
    const mesh = generate({ vertices, size: 0.4 });
    expectSound(mesh, vertices);
    const [low, high] = boundsOf(mesh.positions);
    expect(Math.abs(low[1])).toBeLessThan(1e-15);
    expect(Math.abs(high[1] - 0.4)).toBeLessThan(1e-12);
  });
});

describe.each([
  ['duck', duck, [300, 1000, 2500, 6000]],
  ['creature', creature, [300, 917, 2011, 5407]],
] as const)('%s', (_name, generate, counts) => {
  it.each(counts)('with %i vertices is a sound mesh', (vertices) => {
    expectSound(generate({ vertices }), vertices);
  });

  it('stands on y = 0, as high as asked, and is the same on both sides', () => {
    const mesh = generate({ vertices: 1500, size: 0.4 });
    const [low, high] = boundsOf(mesh.positions);
    expect(Math.abs(low[1])).toBeLessThan(1e-15);
    expect(Math.abs(high[1] - 0.4)).toBeLessThan(1e-12);
    for (const k of [0, 2]) expect(Math.abs(low[k] + high[k])).toBeLessThan(1e-12);
    // The model is mirrored exactly; the halves of the mesh differ by less than the triangles' sagitta.
    let [left, right] = [0, 0];
    for (let i = 0; i < mesh.triangles.length; i += 3) {
      const corners = [0, 1, 2].map((k) => [0, 1, 2].map((x) => mesh.positions[3 * mesh.triangles[i + k] + x]));
      const [a, b, c] = corners;
      const piece =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
      if (a[0] + b[0] + c[0] < 0) left += piece;
      else right += piece;
    }
    expect(Math.abs(left / right - 1)).toBeLessThan(0.03);
  });

  it('is the same every time', () => {
    expect(generate({ vertices: 400 })).toEqual(generate({ vertices: 400 }));
  });

  it('keeps its volume when refined', () => {
    const volume = (vertices: number) => {
      const mesh = generate({ vertices });
      return signedVolume(mesh.positions, mesh.triangles);
    };
    // Polyhedra in a smooth body lose O(1/vertices); thin parts are still made thicker at 4000 vertices.
    expect(Math.abs(volume(4000) / volume(8000) - 1)).toBeLessThan(0.02);
  });
});
