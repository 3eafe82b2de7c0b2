// The search over a mesh's normals, there and back: points made from a triangle, weights and a height are found as such.

import { describe, expect, it } from 'vitest';
import { PrismSearch } from '../../src/embedding/prism-search.js';
import { buildFrameRest } from '../../src/embedding/vertex-frames.js';
import { box, duck, icosphere, type TriangleMesh, torus } from '../../src/index.js';
import { seededRandom } from '../../src/math/random.js';

const MESHES: readonly (readonly [string, TriangleMesh, number])[] = [
  // Heights in edge lengths: up to where the normals of the mesh still stand apart.
  ['a sphere', icosphere({ detail: 3 }), 1.5],
  ['a torus', torus({}), 0.5],
  ['a duck', duck({ vertices: 800 }), 0.15],
  ['a cube with sharp edges', box({ size: [1, 1, 1], divisions: 5 }), 0.3],
];

describe.each(MESHES)('over %s', (_, mesh, reach) => {
  const { normals, edgeLengths } = buildFrameRest(mesh);

  it('finds the triangle, the weights and the height that a point was made from', () => {
    const search = new PrismSearch(mesh, normals);
    const random = seededRandom(17);
    let [found, elsewhere] = [0, 0];
    const count = 600;
    for (let n = 0; n < count; n++) {
      const triangle = Math.floor((random() * mesh.triangles.length) / 3);
      const corners = [0, 1, 2].map((k) => mesh.triangles[3 * triangle + k]);
      const shares = [0, 1, 2].map(() => 0.05 + random());
      const weights = shares.map((share) => share / (shares[0] + shares[1] + shares[2]));
      const edge = edgeLengths[corners[0]];
      const height = reach * edge * (2 * random() - 1);
      const at = (c: number) =>
        corners.reduce((sum, v, k) => sum + weights[k] * (mesh.positions[3 * v + c] + height * normals[3 * v + c]), 0);
      const point = [at(0), at(1), at(2)] as const;
      expect(search.find(...point)).toBe(true);
      // Where a surface bends inwards, a point may be over two triangles: either will do, if it is as near.
      if (search.triangle !== triangle) {
        elsewhere++;
        expect(search.distance).toBeLessThanOrEqual(Math.abs(height) * (1 + 1e-9));
        const there = [0, 1, 2].map((k) => mesh.triangles[3 * search.triangle + k]);
        for (let c = 0; c < 3 && search.exact; c++) {
          const back = there.reduce(
            (sum, v, k) => sum + search.weights[k] * (mesh.positions[3 * v + c] + search.height * normals[3 * v + c]),
            0,
          );
          expect(Math.abs(back - point[c]) / edge).toBeLessThan(1e-8);
        }
        continue;
      }
      found++;
      // Newton ends at 1e-12 of weights and distance; the folds of normals magnify that by up to ten.
      expect(Math.abs(search.height - height) / edge).toBeLessThan(1e-9);
      weights.forEach((weight, k) => {
        expect(Math.abs(search.weights[k] - weight)).toBeLessThan(1e-9);
      });
      expect(search.exact).toBe(true);
    }
    expect(found + elsewhere).toBe(count);
    expect(elsewhere / count).toBeLessThan(0.1);
  });

  it('takes the nearest point where nothing is found, and says so', () => {
    const search = new PrismSearch(mesh, normals);
    expect(search.find(100, 50, 20)).toBe(true);
    const [a, b, c] = search.weights;
    expect(Math.min(a, b, c)).toBeGreaterThanOrEqual(0);
    expect(Math.abs(a + b + c - 1)).toBeLessThan(1e-12);
    expect(search.find(Number.NaN, 0, 0)).toBe(false);
  });
});
