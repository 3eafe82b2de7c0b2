// Necks of a body thinner than a voxel: no matter is in them, and what they hold together is one part nevertheless, until a blade goes
// through them.

import { expect, it } from 'vitest';
import { box, octree } from '../../../src/index.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { cutForest } from '../../../src/solvers/octree/cut.js';
import { cutBody } from '../../../src/solvers/octree/cut-body.js';
import { readForest, recordForest } from '../../../src/solvers/octree/forest-record.js';
import { growOctree } from '../../../src/solvers/octree/grow.js';
import { refineLeaves } from '../../../src/solvers/octree/level-of-detail.js';
import { OctreeModel } from '../../../src/solvers/octree/octree-model.js';
import { createPatch } from '../../../src/solvers/octree/patch.js';
import { buildOctreeRest } from '../../../src/solvers/octree/rest.js';
import { graphParts } from '../../../src/solvers/octree/visibility.js';
import { createRigidMotion, measureRigidMotion } from '../../../src/solvers/rigid-motion.js';
import { findFaults } from './consistency.js';

const { settings } = octree({ cells: 4, levels: 2 });
const square = (half: number) => [-half, -half, half, -half, half, half, -half, half];
const across = (x: number, half = 3) => createPatch([x, 0, 0], [1, 0, 0], [0, 1, 0], square(half));

/** A bar along x whose middle 0.3 m are a hundredth as thick as it: a sixteenth of a voxel. */
function dumbbell(): TriangleMesh {
  const { positions, triangles } = box({ size: [2, 0.5, 0.5], divisions: [20, 4, 4] });
  const isNeck = (k: number) => Math.abs(positions[k - (k % 3)]) < 0.15;
  return { positions: positions.map((x, k) => (k % 3 > 0 && isNeck(k) ? 0.01 * x : x)), triangles };
}

/** A bar bent to a U, which ends a voxel beside its other end; a neck as thin is in the middle of its bend. */
function hook(): TriangleMesh {
  const { positions, triangles } = box({ size: [4, 0.5, 0.5], divisions: [40, 4, 4] });
  const bent = positions.slice();
  for (let k = 0; k < bent.length; k += 3) {
    const [x, y, z] = positions.subarray(k, k + 3);
    const thin = Math.abs(x) < 0.15 ? 0.01 : 1;
    const angle = (Math.min(1, Math.max(-1, x)) * Math.PI) / 2;
    const straight = x - Math.min(1, Math.max(-1, x));
    const radius = 0.35 + thin * y;
    bent.set([radius * Math.sin(angle), -radius * Math.cos(angle) + Math.abs(straight), thin * z], k);
  }
  return { positions: bent, triangles };
}

it('a neck without a voxel holds two ends together: one draws the other along', () => {
  const forest = growOctree(dumbbell(), settings);
  expect(forest.bridges.length).toBe(1);
  expect(graphParts(forest.leaves()).length).toBe(1);
  expect(findFaults(forest)).toEqual([]);
  const model = new OctreeModel(buildOctreeRest(dumbbell(), settings), settings);
  const { positions, velocities, rest } = model.dynamics;
  for (let k = 0; k < velocities.length; k += 3) velocities[k] = positions[k] > 0 ? 1 : 0;
  const before = measureRigidMotion(positions, velocities, rest.masses, createRigidMotion());
  for (let n = 0; n < 400; n++) model.dynamics.step({ stiffness: 1, damping: 0.5, plasticity: false }, 0.005);
  const after = measureRigidMotion(positions, velocities, rest.masses, createRigidMotion());
  for (let c = 0; c < 3; c++) expect(Math.abs(after.linear[c] - before.linear[c])).toBeLessThan(1e-9);
  // Both ends move at the mean by now.
  for (let k = 0; k < velocities.length; k += 3) expect(Math.abs(velocities[k] - before.linear[0])).toBeLessThan(0.01);
});

it('a bridge goes through the neck, not over the air to what is nearer', () => {
  const { forest } = buildOctreeRest(hook(), octree({ cells: 8, levels: 1 }).settings);
  expect(graphParts(forest.leaves()).length).toBe(1);
  const { counts } = forest.grid;
  expect(forest.bridges.length).toBe(1);
  const heights = forest.bridges[0].map((q) => Math.trunc(q / counts[0]) % counts[1]);
  // The bend is below, the ends are above.
  expect(Math.max(...heights)).toBeLessThan(0.3 * counts[1]);
});

it('comes apart where a blade goes through the neck, and only there', () => {
  const model = new OctreeModel(buildOctreeRest(dumbbell(), settings), settings);
  const { positions } = model.rest.mesh;
  const still = new Float64Array(positions.length);
  const through = cutBody(model, positions, still, { patch: across(0.013) });
  expect(through?.model.forest.bridges).toEqual([]);
  expect(through?.model.dynamics.rest.partCount).toBe(2);
  expect(findFaults(through?.model.forest as typeof model.forest)).toEqual([]);
  const beside = cutBody(model, positions, still, { patch: across(0.513) });
  expect(beside?.model.forest.bridges.length).toBe(1);
  expect(beside?.model.dynamics.rest.partCount).toBe(2);
  expect(findFaults(beside?.model.forest as typeof model.forest)).toEqual([]);
  // A stroke severs before the surface says what is whose.
  const forest = growOctree(dumbbell(), settings);
  cutForest(forest, across(0.013, 0.1), undefined, { keepDebris: true });
  expect(forest.bridges).toEqual([]);
  expect(graphParts(forest.leaves()).length).toBe(2);
});

it('leads from leaf to leaf whatever their level, and is in snapshots', () => {
  const forest = growOctree(dumbbell(), settings);
  refineLeaves(
    forest,
    forest.leaves().filter(({ rest }) => rest[0] > 0),
  );
  expect(graphParts(forest.leaves()).length).toBe(1);
  expect(findFaults(forest)).toEqual([]);
  const made = growOctree(dumbbell(), settings);
  const record = recordForest(forest, made);
  const revived = readForest(record as never, made);
  expect(revived.bridges).toEqual(forest.bridges);
  expect(findFaults(revived)).toEqual([]);
  const off = { ...record, bridges: record.bridges.map(() => 1e9) };
  expect(() => readForest(off as never, made)).toThrow('bridges of its voxels');
});
