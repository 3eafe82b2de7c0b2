// Cuts that the patch cutter refuses, by the boolean operations of manifold-3d: closed, led back to the mesh that they are of.

import ManifoldModule from 'manifold-3d';
import { expect, it } from 'vitest';
import { box, creature, icosphere, octree, prepare, torus } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { boundsOf, diagonalOf, signedVolume } from '../../../src/mesh/measure.js';
import { findProblems } from '../../../src/mesh/validate.js';
import type { SolidModule } from '../../../src/solvers/blade.js';
import { CutFailure } from '../../../src/solvers/octree/surface-cut/cut-failure.js';
import { cutSurface } from '../../../src/solvers/octree/surface-cut/cut-surface.js';
import { cutByFallback } from '../../../src/solvers/octree/surface-cut/fallback-cut.js';
import { worldOn } from '../../both-backends.js';
import { randomSheet } from './random-cuts.js';

const solids = async (): Promise<SolidModule> => {
  const module = await ManifoldModule();
  module.setup();
  return module as unknown as SolidModule;
};

it.each([
  ['box', box({ divisions: 3 })],
  ['ball', icosphere({ detail: 2 })],
  ['ring', torus({ majorSegments: 20, minorSegments: 10 })],
] as const)('three sheets one after the other through the %s', async (_, mesh) => {
  const module = await solids();
  const random = seededRandom(4);
  const size = diagonalOf(boundsOf(mesh.positions));
  let now = mesh;
  for (let n = 0; n < 3; n++) {
    const cut = cutByFallback(now, randomSheet(mesh, random), module);
    expect(findProblems(cut.mesh, { parts: true })).toEqual([]);
    // A wedge of 1e-5 of the size, and vertices in single precision.
    const change = signedVolume(cut.mesh.positions, cut.mesh.triangles) - signedVolume(now.positions, now.triangles);
    expect(Math.abs(change)).toBeLessThan(1e-5 * size ** 3);
    expect(cut.mesh.positions.subarray(0, now.positions.length)).toEqual(now.positions);
    // What is on the surface is where its weights have it.
    let [unshared, off] = [0, 0];
    cut.origins.forEach(({ between }, k) => {
      if (between.length === 0) return;
      const at = between.reduce((sum, [vertex, weight]) => sum + weight * now.positions[3 * vertex], 0);
      unshared = Math.max(unshared, Math.abs(between.reduce((sum, [, weight]) => sum + weight, 0) - 1));
      off = Math.max(off, Math.abs(cut.mesh.positions[now.positions.length + 3 * k] - at));
    });
    expect(unshared).toBeLessThan(1e-12);
    expect(off).toBeLessThan(1e-12);
    now = cut.mesh;
  }
});

it('cuts along a sheet that the patch cutter refuses', async () => {
  const mesh = creature({ vertices: 400 });
  const size = diagonalOf(boundsOf(mesh.positions));
  const random = seededRandom(12);
  for (let n = 0; n < 8 * 6; n++) randomSheet(mesh, random, true);
  let now = mesh;
  for (let n = 0; n < 3; n++) now = cutSurface(now, randomSheet(mesh, random, true), 0.2 * size).mesh;
  // Its blade goes along itself within 2°, and it folds by 149°.
  const patch = randomSheet(mesh, random, true);
  expect(() => cutSurface(now, patch, 0.2 * size)).toThrow(CutFailure);
  const cut = cutSurface(now, patch, 0.2 * size, await solids());
  expect(cut.origins.length).toBeGreaterThan(0);
  expect(findProblems(cut.mesh, { parts: true })).toEqual([]);
});

it('is passed in with a cut, and refused where it is something else', async () => {
  const world = await worldOn('wasm');
  const body = world.add(prepare(icosphere({ detail: 2 }), octree({ cells: 3, levels: 1 })));
  const plane = { point: [0, 0, 0], normal: [1, 0, 0] } as const;
  expect(() => body.cut({ plane, fallback: {} as SolidModule })).toThrow(
    'fallback: expected the module of manifold-3d after its setup()',
  );
  body.cut({ plane, fallback: await solids() });
  world.step();
  expect(body.parts.length).toBe(2);
});
