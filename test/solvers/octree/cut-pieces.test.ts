// Pieces of a body that is cut again and again: of surface and of matter the same ones, however they lie in each other, and each with
// momenta of its own. Where they were not, the volume constraint and one rigid field for all pumped energy into bodies in a pile.

import { expect, it } from 'vitest';
import { box, icosphere, octree, type TriangleMesh, type Vec3 } from '../../../src/index.js';
import { seededRandom } from '../../../src/math/random.js';
import { normalize } from '../../../src/math/vec3.js';
import { signedVolume } from '../../../src/mesh/measure.js';
import { UnionFind } from '../../../src/mesh/topology.js';
import { cutBody } from '../../../src/solvers/octree/cut-body.js';
import { OctreeModel } from '../../../src/solvers/octree/octree-model.js';
import { PartMotions } from '../../../src/solvers/octree/part-motions.js';
import { createPatch } from '../../../src/solvers/octree/patch.js';
import { buildOctreeRest } from '../../../src/solvers/octree/rest.js';
import { takePieces } from '../../../src/solvers/octree/surface-cut/closed-pieces.js';
import { cutSurface } from '../../../src/solvers/octree/surface-cut/cut-surface.js';
import { createRigidMotion, measureRigidMotion } from '../../../src/solvers/rigid-motion.js';

const { settings } = octree({ cells: 3, levels: 1 });
const square = (half: number): number[] => [-half, -half, half, -half, half, half, -half, half];
const volumesOf = (mesh: TriangleMesh): number[] =>
  takePieces(mesh).map((piece) => signedVolume(piece.mesh.positions, piece.mesh.triangles));

it('a slit through two balls that lie in each other leaves two balls', () => {
  const ball = icosphere({ detail: 2 });
  const count = ball.positions.length / 3;
  const both = {
    positions: Float64Array.from([...ball.positions, ...ball.positions.map((x, k) => (k % 3 === 0 ? x + 0.7 : x))]),
    triangles: Uint32Array.from([...ball.triangles, ...ball.triangles.map((vertex) => vertex + count)]),
  };
  const { mesh } = cutSurface(both, createPatch([0.35, 0.9, 0], [0.1, 0.05, 1], [1, 0, 0], square(0.6)), 0.3);
  expect(mesh.positions.length).toBeGreaterThan(both.positions.length);
  const [before, after] = [volumesOf(both), volumesOf(mesh)];
  expect(after.length).toBe(2);
  after.forEach((volume, n) => {
    expect(Math.abs(volume - before[n])).toBeLessThan(1e-12);
  });
});

/** A box at rest, cut through along planes. */
function cutOften(cuts: number, seed: number): OctreeModel {
  const random = seededRandom(seed);
  const vector = (): Vec3 => [random() - 0.5, random() - 0.5, random() - 0.5];
  let model = new OctreeModel(buildOctreeRest(box({ divisions: 4 }), settings), settings);
  for (let n = 0; n < cuts; n++) {
    const [normal, along] = [normalize(vector()), normalize(vector())];
    const patch = createPatch(vector(), normal, along, square(9));
    const { positions } = model.rest.mesh;
    model = cutBody(model, positions, new Float64Array(positions.length), { patch })?.model ?? model;
  }
  return model;
}

it('each piece of the surface hangs on one part of the matter, and none shares it but slivers', () => {
  for (const seed of [1, 2, 3]) {
    const { rest, skin, dynamics, forest } = cutOften(5, seed);
    const { parts: partOf, partCount } = dynamics.rest;
    const pieces = takePieces(rest.mesh);
    const joined = new UnionFind(pieces.length + partCount);
    pieces.forEach(({ vertices }, piece) => {
      const found = new Set<number>();
      for (const i of vertices) {
        for (let e = skin.offsets[i]; e < skin.offsets[i + 1]; e++) found.add(partOf[skin.nodes[e]]);
      }
      expect(found.size).toBe(1);
      for (const part of found) joined.union(piece, pieces.length + part);
    });
    const voxel = forest.grid.voxelSize ** 3;
    // Debris is what has fewer than 8 voxels; a piece of twice that has as many whatever way it lies in the grid.
    const large = volumesOf(rest.mesh).map((volume, piece) => [volume, joined.find(piece)] as const);
    const roots = large.filter(([volume]) => volume > 16 * voxel).map(([, root]) => root);
    expect(roots.length).toBeGreaterThan(2);
    expect(new Set(roots).size).toBe(roots.length);
    // Mass goes by volume: a sliver weighs next to nothing.
    pieces.forEach(({ vertices }, piece) => {
      const share = vertices.reduce((sum, i) => sum + rest.massShares[i], 0);
      expect(Math.abs(share - large[piece][0])).toBeLessThan(1e-4);
    });
  }
});

it('each part keeps its own momenta', () => {
  const { rest, skin, dynamics, surface } = cutOften(4, 2);
  const random = seededRandom(5);
  const { positions } = rest.mesh;
  const wild = positions.map(() => random() - 0.5);
  const tame = positions.map(() => 0);
  const moved = positions.slice();
  const motions = new PartMotions(dynamics.rest, skin, surface.binding.points);
  motions.measure(positions, wild);
  // The model has lost all of them.
  const nodes = dynamics.positions;
  const still = new Float64Array(nodes.length);
  motions.restore([nodes.slice(), still, nodes], [positions, tame, moved], dynamics.quaternions, 0.005, 1);
  const members = Array.from({ length: dynamics.rest.partCount }, () => [] as number[]);
  for (let i = 0; i < rest.count; i++) members[dynamics.rest.parts[skin.nodes[skin.offsets[i]]]].push(i);
  expect(members.length).toBeGreaterThan(1);
  for (const own of members) {
    const take = (values: Float64Array) =>
      Float64Array.from(own.flatMap((i) => [...values.subarray(3 * i, 3 * i + 3)]));
    const masses = Float64Array.from(own, (i) => rest.massShares[i]);
    const measure = (places: Float64Array, velocities: Float64Array) =>
      measureRigidMotion(take(places), take(velocities), masses, createRigidMotion());
    // Of what moves on in straight lines the same before and after; what is rigid has it where it is then.
    const [wanted, got] = [measure(positions, wild), measure(moved, tame)];
    for (const key of ['linear', 'angular'] as const) {
      got[key].forEach((value, c) => {
        expect(Math.abs(value - wanted[key][c])).toBeLessThan(1e-13);
      });
    }
  }
});
