// The winding number against its closed forms: 0 and 1 for closed surfaces, the solid angle of a cap for open ones.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { icosphere } from '../../../src/mesh/generate/index.js';
import { WindingNumber } from '../../../src/mesh/repair/winding-number.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { buildTriangleTree } from '../../../src/mesh/triangle-tree.js';
import { combine, cube, flipped, gridTorus, moved } from '../sample-meshes.js';

const windingOf = (mesh: TriangleMesh) => new WindingNumber(buildTriangleTree(mesh.positions, mesh.triangles));

/** Largest error of the dipoles as measured, with room for other points. */
const ERROR = 0.08;

describe('winding number', () => {
  it('is exact where no node is far', () => {
    const winding = windingOf(cube());
    for (const [point, expected] of [
      [[0.5, 0.5, 0.5], 1],
      [[0.01, 0.99, 0.5], 1],
      [[-0.01, 0.5, 0.5], 0],
      [[1.2, 1.2, 1.2], 0],
    ] as const) {
      // Twelve arcus tangents.
      expect(Math.abs(winding.at(point[0], point[1], point[2]) - expected)).toBeLessThan(1e-14);
    }
  });

  it('is 1 in a torus, 0 outside, −1 in one turned inside out and 2 where two overlap', () => {
    const torus = gridTorus(60, 24);
    const random = seededRandom(9);
    const [once, inverse] = [windingOf(torus), windingOf(flipped(torus))];
    const twice = windingOf(combine(torus, moved(torus, [0.01, 0, 0])));
    for (let i = 0; i < 500; i++) {
      const [x, y, z] = [5.2 * random() - 2.6, 1.4 * random() - 0.7, 5.2 * random() - 2.6];
      const depth = 0.5 - Math.hypot(Math.hypot(x, z) - 2, y);
      // Near the surface the facets differ from the round torus.
      if (Math.abs(depth) < 0.05) continue;
      const expected = depth > 0 ? 1 : 0;
      expect(Math.abs(once.at(x, y, z) - expected)).toBeLessThan(ERROR);
      expect(Math.abs(inverse.at(x, y, z) + expected)).toBeLessThan(ERROR);
      expect(Math.abs(twice.at(x, y, z) - 2 * expected)).toBeLessThan(2 * ERROR);
    }
  });

  it('is the share of the view that an open surface covers', () => {
    const ball = icosphere({ detail: 5 });
    const kept: number[] = [];
    for (let i = 0; i < ball.triangles.length; i += 3) {
      const heights = [0, 1, 2].map((k) => ball.positions[3 * ball.triangles[i + k] + 1]);
      if (Math.max(...heights) <= 0.5) kept.push(...ball.triangles.subarray(i, i + 3));
    }
    const winding = windingOf({ positions: ball.positions, triangles: Uint32Array.from(kept) });
    // From the centre, a ball without its cap above y = 0.5 covers 1 − (1 − 0.5)/2; its rim is ragged by a triangle.
    expect(Math.abs(winding.at(0, 0, 0) - 0.75)).toBeLessThan(0.02);
    expect(winding.at(0, 0.45, 0)).toBeGreaterThan(0.4);
    expect(winding.at(0, 1.5, 0)).toBeLessThan(0.3);
  });
});
