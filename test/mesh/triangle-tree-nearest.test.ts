// The nearest point by the fast search, against trying every triangle and against the slower search of the tree.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/random.js';
import { buildTriangleTree, closestPoint } from '../../src/mesh/triangle-tree.js';
import { NearestPoint } from '../../src/mesh/triangle-tree-nearest.js';
import { cube, gridTorus, meshOf, randomTriangles } from './sample-meshes.js';

describe('nearest point', () => {
  it.each([
    ['a cube', cube()],
    ['a torus', gridTorus(30, 14)],
    ['random triangles', randomTriangles(400, 0.3, 5)],
  ])('is the nearest of all triangles of %s', (_, mesh) => {
    const tree = buildTriangleTree(mesh.positions, mesh.triangles);
    const nearest = new NearestPoint(tree);
    const random = seededRandom(11);
    for (let i = 0; i < 300; i++) {
      const [x, y, z] = [6 * random() - 3, 6 * random() - 3, 6 * random() - 3];
      expect(nearest.find(x, y, z)).toBe(true);
      const slow = closestPoint(tree, [x, y, z]);
      // Both round a handful of products of numbers below 10.
      expect(Math.abs(nearest.distance - (slow?.distance ?? Number.NaN))).toBeLessThan(1e-13);
      const [u, v, w] = nearest.weights;
      expect(Math.abs(u + v + w - 1)).toBeLessThan(1e-14);
      expect(Math.min(u, v, w)).toBeGreaterThanOrEqual(-1e-15);
      const there = Math.hypot(nearest.point[0] - x, nearest.point[1] - y, nearest.point[2] - z);
      expect(Math.abs(there - nearest.distance)).toBeLessThan(1e-13);
    }
  });

  it('does not depend on what was asked before', () => {
    const mesh = gridTorus(20, 10);
    const tree = buildTriangleTree(mesh.positions, mesh.triangles);
    const warm = new NearestPoint(tree);
    const random = seededRandom(3);
    for (let i = 0; i < 200; i++) {
      // Points in the planes of symmetry have several nearest triangles: the lowest is wanted every time.
      const point = [3 * random() - 1.5, 0, i % 2 === 0 ? 0 : random()] as const;
      const fresh = new NearestPoint(tree);
      warm.find(...point);
      fresh.find(...point);
      expect([warm.triangle, ...warm.point]).toEqual([fresh.triangle, ...fresh.point]);
    }
  });

  it('finds nothing in an empty tree, for a point that is not finite, and among triangles without area', () => {
    expect(new NearestPoint(buildTriangleTree([], [])).find(0, 0, 0)).toBe(false);
    const { positions, triangles } = cube();
    expect(new NearestPoint(buildTriangleTree(positions, triangles)).find(Number.NaN, 0, 0)).toBe(false);
    const point = meshOf([1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 1, 2]);
    const nearest = new NearestPoint(buildTriangleTree(point.positions, point.triangles));
    if (nearest.find(0, 0, 0)) expect(nearest.distance).toBe(Math.sqrt(3));
  });
});
