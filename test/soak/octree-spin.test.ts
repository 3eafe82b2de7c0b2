// Free octrees that spin for ten seconds, as long as the recipe lets them: hand, creature and ring, with steps of 5 and 16 ms.

import { describe, expect, it } from 'vitest';
import { growOctree } from '../../src/solvers/octree/grow.js';
import { OctreeDynamics } from '../../src/solvers/octree/octree-dynamics.js';
import { buildRegionRest } from '../../src/solvers/octree/region-rest.js';
import { expectFreeMotion } from '../solvers/octree/free-motion.js';
import { shapes, sharedMesh } from '../solvers/octree/octree-shapes.js';

const hand = await sharedMesh('closed/hand_7993.obj');
const bodies = [shapes[2], shapes[4], ...(hand ? [['hand', hand] as const] : [])];

describe.each(bodies)('the free %s', (name, mesh) => {
  it.each([
    [0.005, 0, 1e-7],
    [0.016, 0, 1e-7],
    [0.005, 0.3, 1e-6],
  ])('in steps of %s s, damping %s', { timeout: 600_000 }, (timeStep, damping, tolerance) => {
    // The hand of the recipe: 640 nodes.
    const levels = name === 'hand' ? 4 : 3;
    const forest = growOctree(mesh, { cells: 4, levels, refine: 'thin', width: 0.5 });
    expect(forest.leaves().length).toBeGreaterThan(name === 'hand' ? 600 : 100);
    const body = new OctreeDynamics(buildRegionRest(forest));
    expectFreeMotion(body, { seed: 5, timeStep, damping, seconds: 10 }, tolerance);
  });
});
