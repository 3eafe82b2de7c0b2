// Cuts and levels of detail of a body with its surface: closed, the same volume at rest, no vertex carried across a cut, parts
// of the matter where the mesh has parts, and no jump of what is seen.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { cross, dot, length, normalize, pointAt, subtract, type Vec3 } from '../../../src/math/vec3.js';
import { boundsOf, signedVolume } from '../../../src/mesh/measure.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { cutBody } from '../../../src/solvers/octree/cut-body.js';
import { coarsenNodes, refineLeaves } from '../../../src/solvers/octree/level-of-detail.js';
import type { OctreeNode } from '../../../src/solvers/octree/node.js';
import { OctreeModel } from '../../../src/solvers/octree/octree-model.js';
import { octree } from '../../../src/solvers/octree/octree-solver.js';
import { createPatch } from '../../../src/solvers/octree/patch.js';
import { buildOctreeRest } from '../../../src/solvers/octree/rest.js';
import { bindSkin, type Skin } from '../../../src/solvers/octree/skin.js';
import { takePieces } from '../../../src/solvers/octree/surface-cut/closed-pieces.js';
import { findOpenEdges } from '../../../src/solvers/octree/surface-cut/closedness.js';
import { graphParts } from '../../../src/solvers/octree/visibility.js';
import { type VoxelGrid, voxelCentre } from '../../../src/solvers/octree/voxels.js';
import { findFaults } from './consistency.js';
import { shapes, sharedMesh } from './octree-shapes.js';

const liver = await sharedMesh('closed/liver2_1170.obj');
const bodies = [...shapes.slice(3), ...(liver ? [['liver', liver] as const] : [])];
const { settings } = octree({ cells: 4, levels: 3 });
const wide = [-9, -9, 9, -9, 9, 9, -9, 9];
const narrow = [-0.2, -0.2, 0.2, -0.2, 0.2, 0.2, -0.2, 0.2];

/** Full cuts of each body: the recipe counts parts of 36 in all. */
const CUTS = 12;

/**
 * Voxels of a closed piece. Of small ones those whose centres it goes around, by the solid angles of its triangles [van Oosterom and Strackee, 1983]:
 * matter counts in these, and volumes of 17.3 voxels may have 14.
 */
function countVoxels(grid: VoxelGrid, { positions, triangles }: TriangleMesh): number {
  const volume = signedVolume(positions, triangles) / grid.voxelSize ** 3;
  if (volume > 64) return volume;
  const [low, high] = boundsOf(positions);
  let count = 0;
  for (let q = 0; q < grid.bits.length; q++) {
    if (grid.bits[q] === 0) continue;
    const centre = voxelCentre(grid, q);
    if (!centre.every((x, c) => x > low[c] && x < high[c])) continue;
    let angle = 0;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => subtract(pointAt(positions, triangles[t + k]), centre));
      const [la, lb, lc] = [length(a), length(b), length(c)];
      angle += 2 * Math.atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    if (angle > 2 * Math.PI) count++;
  }
  return count;
}

/** A body that bends and turns, with its surface. */
function bending(mesh: TriangleMesh): OctreeModel {
  const model = new OctreeModel(buildOctreeRest(mesh, settings), settings);
  const { positions, velocities } = model.dynamics;
  for (let k = 0; k < velocities.length; k += 3) {
    velocities[k] = 2 * positions[k + 1];
    velocities[k + 1] = 4 * positions[k] ** 2 - 2 * positions[k];
    velocities[k + 2] = positions[k + 1];
  }
  for (let n = 0; n < 15; n++) model.dynamics.step({ stiffness: 0.3, damping: 0.05, plasticity: false }, 0.005);
  model.dynamics.writeFrames();
  model.surface.place(model.carried);
  return model;
}

const randomPlane = (mesh: TriangleMesh, random: () => number, domain: readonly number[]) => {
  const direction = (): Vec3 => normalize([random() - 0.5, random() - 0.5, random() - 0.5]);
  const i = Math.floor((random() * mesh.positions.length) / 3);
  const j = Math.floor((random() * mesh.positions.length) / 3);
  const [p, q] = [pointAt(mesh.positions, i), pointAt(mesh.positions, j)];
  return createPatch([0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2])], direction(), direction(), domain);
};

describe.each(bodies)('the %s', (name, mesh) => {
  it('has as many parts of matter as of surface after a full cut, and no vertex carried across', () => {
    const random = seededRandom(11);
    const model = new OctreeModel(buildOctreeRest(mesh, settings), settings);
    for (let n = 0; n < CUTS; n++) {
      const patch = randomPlane(mesh, random, wide);
      const cut = cutBody(
        model,
        mesh.positions,
        mesh.positions.map(() => 0),
        { patch },
      );
      expect(cut).toBeDefined();
      if (!cut) continue;
      const { rest, forest } = cut.model;
      const matter = graphParts(forest.leaves()).map((part) => part.reduce((sum, { mass }) => sum + mass, 0));
      const surface = takePieces(rest.mesh).map((piece) => countVoxels(model.forest.grid, piece.mesh));
      const isPart = (voxels: number): boolean => voxels >= 16;
      expect(matter.filter(isPart).length, `cut ${n}`).toBe(surface.filter(isPart).length);
      const { offsets, nodes } = cut.model.skin;
      const { leaves } = rest.regions;
      let across = 0;
      for (let i = 0; i < rest.count; i++) {
        const origin = i < model.rest.count ? undefined : cut.surface.origins[i - model.rest.count];
        const side = origin ? origin.side : patch.height(...pointAt(mesh.positions, i)) >= 0 ? 1 : -1;
        for (let e = offsets[i]; e < offsets[i + 1]; e++) {
          const [x, y, z] = leaves[nodes[e]].rest;
          // Leaves at the cut have their centroids on their side of it.
          if (side !== 0 && patch.height(x, y, z) >= 0 !== side > 0) across++;
        }
      }
      expect(across).toBe(0);
    }
  });

  it('is cut where it is bent, closed, with its volume at rest and without a jump', () => {
    const random = seededRandom(12);
    let model = bending(mesh);
    const volume = signedVolume(mesh.positions, mesh.triangles);
    for (let n = 0; n < 3; n++) {
      const surface = { positions: model.carried, triangles: model.rest.mesh.triangles };
      const velocities = model.carried.map((_, k) => (k % 3 === 1 ? 2 : 0));
      const { dynamics } = model;
      for (let k = 0; k < dynamics.velocities.length; k++) dynamics.velocities[k] = k % 3 === 1 ? 2 : 0;
      const cut = cutBody(model, model.carried, velocities, {
        patch: randomPlane(surface, random, n % 2 === 0 ? narrow : wide),
      });
      if (!cut) continue;
      const { rest } = cut.model;
      expect(findOpenEdges(rest.mesh.triangles, rest.count)).toEqual([]);
      expect(Math.abs(signedVolume(rest.mesh.positions, rest.mesh.triangles) / volume - 1)).toBeLessThan(1e-12);
      expect(findFaults(cut.model.forest)).toEqual([]);
      // All moved alike, and do so still.
      expect(cut.velocities.every((v, k) => Math.abs(v - (k % 3 === 1 ? 2 : 0)) < 1e-9)).toBe(true);
      const placed = place(cut.model);
      let [jump, pop] = [0, 0];
      for (let k = 0; k < placed.now.length; k++) {
        jump = Math.max(jump, Math.abs(placed.now[k] - cut.surface.mesh.positions[k]));
        pop = Math.max(pop, Math.abs(placed.bare[k] - cut.surface.mesh.positions[k]));
      }
      expect(jump / rest.size).toBeLessThan(1e-9);
      // What fades away after it, half a percent at most: 0.30 % for the duck, 0.07 % for the liver. Of the creature one cut leaves a part
      // of two nodes, whose regions are lines: each has the twist that it had, and their mean frame is none (5.4 %).
      expect(pop / rest.size).toBeLessThan(name === 'creature' ? 0.1 : 5e-3);
      model = cut.model;
    }
  });

  it('is refined and coarsened without a jump', () => {
    const model = bending(mesh);
    for (let n = 0; n < 2; n++) {
      const before = model.carried.slice();
      model.change((forest) => {
        const leaves = forest.leaves().filter(({ rest }) => rest[0] > 0);
        if (n === 0) return refineLeaves(forest, leaves);
        return coarsenNodes(forest, new Set(leaves.map(({ parent }) => parent).filter((p): p is OctreeNode => !!p)));
      });
      // Influences that were taken over are those that a new binding finds.
      const { rest, forest, dynamics } = model;
      const anew = bindSkin(rest.mesh.positions, rest.massShares, rest.vertexVoxels, forest, dynamics.rest.leaves);
      expect(influences(model.skin)).toEqual(influences(anew));
      const placed = place(model);
      let [jump, pop] = [0, 0];
      for (let k = 0; k < before.length; k++) {
        jump = Math.max(jump, Math.abs(placed.now[k] - before[k]));
        pop = Math.max(pop, Math.abs(placed.bare[k] - before[k]));
      }
      expect(jump / model.rest.size).toBeLessThan(1e-9);
      expect(pop / model.rest.size).toBeLessThan(5e-3);
      model.carried.set(placed.now);
    }
    // Shared with other bodies: the rest data's own forest is as it was.
    expect(findFaults(model.rest.forest)).toEqual([]);
    expect(model.rest.forest.leaves().length).toBe(model.rest.regions.leaves.length);
  });
});

/** Nodes and weights of each vertex in the nodes' order: the order of neighbours depends on the history. */
const influences = ({ offsets, nodes, weights }: Skin): string[] =>
  Array.from({ length: offsets.length - 1 }, (_, i) =>
    Array.from({ length: offsets[i + 1] - offsets[i] }, (_, e) => offsets[i] + e)
      .sort((a, b) => nodes[a] - nodes[b])
      .map((e) => `${nodes[e]} ${weights[e].toPrecision(12)}`)
      .join(', '),
  );

/** The surface as the model has it, with and without what fades. */
function place(model: OctreeModel): { now: Float64Array; bare: Float64Array } {
  const now = new Float64Array(3 * model.rest.count);
  const bare = new Float64Array(3 * model.rest.count);
  (model as unknown as { placeSurface(out: Float64Array): void }).placeSurface(now);
  model.surface.place(bare);
  return { now, bare };
}
