// A tree that is fitted to moved vertices answers as one that is built over them.

import { expect, it } from 'vitest';
import { buildTriangleTree, castRay, closestPoint, icosphere, selectVertices, type Vec3 } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';
import { SurfaceTree } from '../../src/mesh/surface-tree.js';

it('fitted and built trees agree, also after the vertices move again', () => {
  const mesh = icosphere({ detail: 3 });
  const tree = new SurfaceTree(mesh);
  const random = seededRandom(3);
  for (let round = 0; round < 3; round++) {
    // Stretched, bent and rough.
    const positions = mesh.positions.map((x, k) => x * (1 + (k % 3)) + 0.05 * random() + round * (k % 2));
    tree.moved();
    const fitted = tree.at(positions);
    const built = buildTriangleTree(positions, mesh.triangles);
    for (let n = 0; n < 100; n++) {
      const point: Vec3 = [6 * random() - 3, 6 * random() - 3, 6 * random() - 3];
      const direction: Vec3 = [random() - 0.5, random() - 0.5, random() - 0.5];
      expect(castRay(fitted, point, direction)).toEqual(castRay(built, point, direction));
      expect(closestPoint(fitted, point)).toEqual(closestPoint(built, point));
    }
  }
});

it('vertices are chosen by box and ball, surfaces included', () => {
  const mesh = icosphere({ detail: 2 });
  const count = mesh.positions.length / 3;
  expect(
    selectVertices(mesh, {
      box: [
        [-1, -1, -1],
        [1, 1, 1],
      ],
    }).length,
  ).toBe(count);
  const half = selectVertices(mesh, {
    box: [
      [-1, 0, -1],
      [1, 1, 1],
    ],
  });
  expect(half.every((v) => mesh.positions[3 * v + 1] >= 0)).toBe(true);
  expect(half.length).toBeGreaterThan(count / 2 - 1);
  expect(selectVertices(mesh, { sphere: { centre: [0, 0, 0], radius: 0.9 } })).toEqual([]);
  expect(() =>
    selectVertices(mesh, {
      box: [
        [0, 0, 0],
        [1, 1, Number.NaN],
      ],
    }),
  ).toThrow('box[1]: expected 3 finite numbers');
});
