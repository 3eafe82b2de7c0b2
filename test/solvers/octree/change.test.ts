// Cuts of the matter and levels of detail: nothing stale after any change, momentum exact, parts where the blade made them.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { normalize, type Vec3 } from '../../../src/math/vec3.js';
import { box } from '../../../src/mesh/index.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import type { ForestChange } from '../../../src/solvers/octree/change.js';
import { cutForest } from '../../../src/solvers/octree/cut.js';
import { copyForest } from '../../../src/solvers/octree/forest-copy.js';
import { growOctree } from '../../../src/solvers/octree/grow.js';
import { coarsenNodes, refineLeaves } from '../../../src/solvers/octree/level-of-detail.js';
import type { OctreeNode } from '../../../src/solvers/octree/node.js';
import { OctreeDynamics } from '../../../src/solvers/octree/octree-dynamics.js';
import { type CutPatch, createPatch } from '../../../src/solvers/octree/patch.js';
import { buildRegionRest } from '../../../src/solvers/octree/region-rest.js';
import { transferState } from '../../../src/solvers/octree/transfer.js';
import { graphParts } from '../../../src/solvers/octree/visibility.js';
import { createRigidMotion, measureRigidMotion } from '../../../src/solvers/rigid-motion.js';
import { findFaults } from './consistency.js';
import { shapes, sharedMesh } from './octree-shapes.js';

const liver = await sharedMesh('closed/liver2_1170.obj');
const hand = await sharedMesh('closed/hand_7993.obj');
const settings = { cells: 4, levels: 3, refine: 'thin', width: 0.5 } as const;

const square = (size: number) => [-size, -size, size, -size, size, size, -size, size];

function randomPatch(random: () => number, size: number): CutPatch {
  const direction = (): Vec3 => normalize([random() - 0.5, random() - 0.5, random() - 0.5]);
  const origin: Vec3 = [0.6 * (random() - 0.5), 0.5 * random(), 0.6 * (random() - 0.5)];
  return createPatch(origin, direction(), direction(), square(size));
}

function spinning(mesh: TriangleMesh) {
  const forest = growOctree(mesh, settings);
  const body = new OctreeDynamics(buildRegionRest(forest));
  for (let k = 0; k < body.velocities.length; k += 3) {
    body.velocities[k] = -3 * body.positions[k + 1] + 0.4;
    body.velocities[k + 1] = 3 * body.positions[k] + Math.sin(5 * body.positions[k + 2]);
    body.velocities[k + 2] = body.positions[k] * body.positions[k + 1];
  }
  for (let n = 0; n < 20; n++) body.step({ stiffness: 0.5, damping: 0.02, plasticity: false }, 0.005);
  return { forest, body };
}

/** Differences of the momenta, relative to those that there are. */
function momentumErrors(a: OctreeDynamics, b: OctreeDynamics): [number, number] {
  const about = (body: OctreeDynamics) => {
    const { linear, angular, centre } = measureRigidMotion(
      body.positions,
      body.velocities,
      body.rest.masses,
      createRigidMotion(),
    );
    const total = [0, 1, 2].map((c) => {
      const [d, e] = [(c + 1) % 3, (c + 2) % 3];
      return angular[c] + centre[d] * linear[e] - centre[e] * linear[d];
    });
    return { linear, total };
  };
  const [p, q] = [about(a), about(b)];
  const norm = (v: ArrayLike<number>) => Math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2);
  const apart = (v: ArrayLike<number>, w: ArrayLike<number>) => norm([v[0] - w[0], v[1] - w[1], v[2] - w[2]]);
  return [apart(p.linear, q.linear) / norm(p.linear), apart(p.total, q.total) / norm(p.total)];
}

const bodies = [...shapes.slice(3), ...(liver ? [['liver', liver] as const] : [])];

describe.each(bodies)('the %s', (_, mesh) => {
  it('is refined and coarsened with exact momentum and nothing stale', () => {
    let { forest, body } = spinning(mesh);
    const random = seededRandom(2);
    for (let n = 0; n < 4; n++) {
      const leaves = forest.leaves();
      const near = leaves.filter(({ rest }) => rest[0] > 0.3 * (random() - 0.5));
      let change: ForestChange;
      if (n % 2 === 0) change = refineLeaves(forest, near.slice(0, 30));
      else
        change = coarsenNodes(
          forest,
          new Set(near.map(({ parent }) => parent).filter((p): p is OctreeNode => p !== undefined)),
        );
      const after = transferState(body, forest, change);
      const [linear, angular] = momentumErrors(body, after);
      expect(linear).toBeLessThan(1e-12);
      expect(angular).toBeLessThan(1e-12);
      expect(findFaults(forest)).toEqual([]);
      body = after;
      for (let m = 0; m < 5; m++) body.step({ stiffness: 0.5, damping: 0.02, plasticity: false }, 0.005);
    }
  });

  it('is cut with exact momentum and nothing stale', () => {
    let { forest, body } = spinning(mesh);
    const random = seededRandom(3);
    for (let n = 0; n < 5; n++) {
      const change = cutForest(forest, randomPatch(random, n % 2 === 0 ? 0.25 : 3));
      expect(findFaults(forest)).toEqual([]);
      const after = transferState(body, forest, change);
      const [linear, angular] = momentumErrors(body, after);
      expect(linear).toBeLessThan(1e-12);
      expect(angular).toBeLessThan(1e-12);
      body = after;
      for (let m = 0; m < 5; m++) body.step({ stiffness: 0.5, damping: 0.02, plasticity: false }, 0.005);
      expect(body.positions.every(Number.isFinite)).toBe(true);
    }
  });

  it('falls into the parts that a plane makes', () => {
    const whole = growOctree(mesh, settings);
    const random = seededRandom(4);
    for (let n = 0; n < 6; n++) {
      const { forest } = copyForest(whole);
      const patch = randomPatch(random, 10);
      cutForest(forest, patch);
      for (const part of graphParts(forest.leaves())) {
        // Every part of 16 voxels or more is on one side.
        if (part.reduce((sum, { voxels }) => sum + voxels.length, 0) < 16) continue;
        const sides = new Set(part.map(({ rest }) => patch.height(rest[0], rest[1], rest[2]) >= 0));
        expect(sides.size).toBe(1);
      }
    }
  });
});

it('cuts a box into as many parts as blades say, and only as far as they reach', () => {
  const forest = growOctree(box({ size: [1, 1, 1], divisions: 2 }), settings);
  expect(graphParts(forest.leaves()).length).toBe(1);
  cutForest(forest, createPatch([0, 0, 0.031], [0, 0, 1], [1, 0, 0], square(0.4)));
  expect(graphParts(forest.leaves()).length).toBe(1);
  cutForest(forest, createPatch([0, 0, 0.031], [0, 0, 1], [1, 0, 0], square(2)));
  expect(graphParts(forest.leaves()).length).toBe(2);
  cutForest(forest, createPatch([0.07, 0, 0], [1, 0.02, 0], [0, 1, 0], square(2)));
  expect(graphParts(forest.leaves()).length).toBe(4);
  expect(findFaults(forest)).toEqual([]);
  const missed = cutForest(forest, createPatch([5, 0, 0], [1, 0, 0], [0, 1, 0], square(1)));
  expect(missed.updated.size).toBe(0);
});

it('keeps the number of nodes in regions small after cuts', () => {
  const forest = growOctree(shapes[3][1], settings);
  const mean = () => forest.leaves().reduce((sum, { region }) => sum + region.length, 0) / forest.leaves().length;
  const before = mean();
  const random = seededRandom(5);
  for (let n = 0; n < 3; n++) cutForest(forest, randomPatch(random, 3));
  // 8.1 became 10.0 in the recipe, and 19.6 where inner nodes were not split.
  expect(mean()).toBeLessThan(1.5 * before);
});

describe.skipIf(!hand)('the hand (skipped without ../shared/meshes)', () => {
  it('is cut and refined with nothing stale', () => {
    const forest = growOctree(hand as TriangleMesh, { ...settings, levels: 4 });
    const [low] = forest.leaves().map(({ rest }) => rest);
    cutForest(forest, createPatch([low[0], low[1], low[2]], [0.3, 1, 0.2], [1, 0, 0], square(0.3)));
    expect(findFaults(forest)).toEqual([]);
    refineLeaves(forest, forest.leaves().slice(0, 54));
    expect(findFaults(forest)).toEqual([]);
  });
});
