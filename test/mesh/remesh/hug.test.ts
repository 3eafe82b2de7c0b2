// Fitting a coarse mesh to a fine surface.

import { expect, it } from 'vitest';
import { box, icosphere } from '../../../src/mesh/generate/index.js';
import { measure } from '../../../src/mesh/measure.js';
import { evenOut } from '../../../src/mesh/remesh/even-out.js';
import { hug } from '../../../src/mesh/remesh/hug.js';
import { findSelfIntersections } from '../../../src/mesh/self-intersections.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { buildTriangleTree } from '../../../src/mesh/triangle-tree.js';
import { NearestPoint } from '../../../src/mesh/triangle-tree-nearest.js';
import { validate } from '../../../src/mesh/validate.js';

const surfaceOf = (mesh: TriangleMesh) => new NearestPoint(buildTriangleTree(mesh.positions, mesh.triangles));

it('finds the rims of a cube that its vertices miss', () => {
  const fine = box({ size: [1, 1, 1], divisions: 14 });
  const surface = surfaceOf(fine);
  const coarse = evenOut(fine, { vertices: 190 });
  const fitted = hug(coarse, surface, 200);
  expect(validate(fitted).problems).toEqual([]);
  expect(findSelfIntersections(fitted.positions, fitted.triangles).count).toBe(0);
  expect(fitted.positions.length / 3).toBe(200);
  // A mesh whose edges run along the rims has the volume 1 of the cube; what is missing was cut off there.
  const before = 1 - measure(coarse).volume;
  const after = 1 - measure(fitted).volume;
  expect(before).toBeGreaterThan(0.01);
  expect(Math.abs(after)).toBeLessThan(before / 5);
});

it('brings a ball of few triangles to the volume of the fine one', () => {
  // The best fit crosses the ball: a mesh with its vertices on it would lose 1.2 % of the volume.
  const fine = icosphere({ detail: 4 });
  const coarse = icosphere({ detail: 2 });
  const fitted = hug(coarse, surfaceOf(fine), coarse.positions.length / 3);
  const [all, on, off] = [fine, fitted, coarse].map((mesh) => measure(mesh).volume);
  expect(Math.abs(on / all - 1)).toBeLessThan(0.15 * Math.abs(off / all - 1));
});

it('leaves what fits where it is', () => {
  const fine = box({ size: [1, 1, 1], divisions: 6 });
  const fitted = hug(fine, surfaceOf(fine), fine.positions.length / 3);
  // The pull towards the middle of the neighbours rounds off the rims a little: by STAY squared.
  expect(Math.abs(measure(fitted).volume - 1)).toBeLessThan(0.02 ** 2);
});
