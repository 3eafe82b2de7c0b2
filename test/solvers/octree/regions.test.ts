// The visibility graph, distances against Dijkstra, regions against their definition, sums against direct sums.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { box } from '../../../src/mesh/index.js';
import type { OctreeForest } from '../../../src/solvers/octree/forest.js';
import { growOctree } from '../../../src/solvers/octree/grow.js';
import type { OctreeNode } from '../../../src/solvers/octree/node.js';
import { buildRegionRest } from '../../../src/solvers/octree/region-rest.js';
import { bandOf, regionWidth } from '../../../src/solvers/octree/regions.js';
import { cellDistance, graphParts, linkLeaves } from '../../../src/solvers/octree/visibility.js';
import { join, moved, shapes, sharedMesh } from './octree-shapes.js';

const hand = await sharedMesh('closed/hand_7993.obj');
const settings = { cells: 4, levels: 3, refine: 'thin', width: 0.5 } as const;

/** Distances of all leaves from one, by repeated relaxation of all edges. */
function dijkstra(leaves: readonly OctreeNode[], source: OctreeNode): Map<OctreeNode, number> {
  const distances = new Map<OctreeNode, number>([[source, 0]]);
  const open = new Set(leaves);
  for (;;) {
    let nearest: OctreeNode | undefined;
    for (const leaf of open) {
      const distance = distances.get(leaf);
      if (distance === undefined) continue;
      if (nearest === undefined || distance < (distances.get(nearest) as number)) nearest = leaf;
    }
    if (!nearest) return distances;
    open.delete(nearest);
    const far = distances.get(nearest) as number;
    for (const [next, length] of nearest.edges) {
      if (far + length < (distances.get(next) ?? Infinity)) distances.set(next, far + length);
    }
  }
}

const leavesOf = (node: OctreeNode): OctreeNode[] =>
  node.children.length === 0 ? [node] : node.children.flatMap(leavesOf);

const all = [...shapes, ...(hand ? [['hand', hand] as const] : [])];

describe.each(all)('octree of the %s', (_, mesh) => {
  const forest: OctreeForest = growOctree(mesh, settings);
  const leaves = forest.leaves();
  const random = seededRandom(7);
  const some = Array.from({ length: 12 }, () => leaves[Math.floor(random() * leaves.length)]);

  it('is one part, with edges the same both ways', () => {
    expect(graphParts(leaves).length).toBe(1);
    const bad = leaves.filter((leaf) =>
      [...leaf.edges].some(
        ([other, length]) =>
          other.edges.get(leaf) !== length || length !== cellDistance(leaf, other) || !forest.has(other),
      ),
    );
    expect(bad.length).toBe(0);
  });

  it('finds the same edges from either end', () => {
    const before = leaves.map((leaf) => leaf.edges.size);
    linkLeaves(forest, some);
    expect(leaves.map((leaf) => leaf.edges.size)).toEqual(before);
  });

  it('measures the distances of Dijkstra', () => {
    for (const source of some) {
      const expected = dijkstra(leaves, source);
      const found = forest.search.from([source], 1e9);
      expect(found.length).toBe(expected.size);
      expect(found.every((leaf) => leaf.search.distance === expected.get(leaf))).toBe(true);
      const limit = 20;
      const near = forest.search.from([source], limit);
      expect(near.length).toBe([...expected.values()].filter((d) => d <= limit).length);
    }
  });

  it('has regions as wide as asked, within the band', () => {
    for (const leaf of some) {
      const distances = dijkstra(leaves, leaf);
      const members = leaf.region.flatMap(leavesOf);
      const inside = new Set(members);
      expect(inside.size).toBe(members.length);
      expect(inside.has(leaf)).toBe(true);
      const width = regionWidth(leaf);
      const band = bandOf(width);
      let wrong = 0;
      for (const other of leaves) {
        const distance = distances.get(other) ?? Infinity;
        if (distance <= width - band && !inside.has(other)) wrong++;
        if (distance > width + band && inside.has(other)) wrong++;
      }
      expect(wrong).toBe(0);
    }
  });

  it('sums as directly, both ways, and one is the transpose of the other', () => {
    const { sums, leaves: ordered } = buildRegionRest(forest);
    const stride = 3;
    const count = ordered.length;
    const noise = () => Float64Array.from({ length: stride * count }, () => random() - 0.5);
    const [a, b] = [noise(), noise()];
    const [forward, back] = [new Float64Array(stride * count), new Float64Array(stride * count)];
    sums.overMembers(a, stride, forward);
    sums.overRegions(b, stride, back);
    const places = new Map(ordered.map((leaf, i) => [leaf, i]));
    const [direct, directBack] = [new Float64Array(stride * count), new Float64Array(stride * count)];
    ordered.forEach(({ region }, r) => {
      for (const leaf of region.flatMap(leavesOf)) {
        const i = places.get(leaf) as number;
        for (let c = 0; c < stride; c++) {
          direct[stride * r + c] += a[stride * i + c];
          directBack[stride * i + c] += b[stride * r + c];
        }
      }
    });
    const worst = (x: Float64Array, y: Float64Array) => x.reduce((most, v, k) => Math.max(most, Math.abs(v - y[k])), 0);
    const size = (x: Float64Array) => x.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
    expect(worst(forward, direct) / size(direct)).toBeLessThan(1e-13);
    expect(worst(back, directBack) / size(directBack)).toBeLessThan(1e-13);
    const dot = (x: Float64Array, y: Float64Array) => x.reduce((sum, v, k) => sum + v * y[k], 0);
    expect(Math.abs(dot(forward, b) - dot(a, back)) / Math.sqrt(dot(forward, forward) * dot(b, b))).toBeLessThan(1e-12);
  });
});

it('measures max-norms in a uniform box', () => {
  const forest = growOctree(box({ size: 1, divisions: 2 }), { ...settings, cells: 5, levels: 1, refine: 'topology' });
  const leaves = forest.leaves();
  expect(leaves.length).toBe(125);
  for (const source of leaves) {
    const found = forest.search.from([source], 1e9);
    expect(found.every((leaf) => leaf.search.distance === cellDistance(leaf, source))).toBe(true);
  }
});

it('keeps slabs half a voxel apart in two parts', () => {
  for (const shift of [0, 0.25, 0.5, 0.75]) {
    // Two base cells along the slabs' metre, each of four voxels.
    const voxel = 1 / 8;
    const [thick, thin] = [0.45, 0.15].map((size) => box({ size: [1, 1, size], divisions: 1 }));
    // Grids stand on the bounds: a longer thin slab moves them.
    const longer = { ...thin, positions: thin.positions.map((x, k) => (k % 3 === 2 && x > 0 ? x + shift * voxel : x)) };
    const slabs = join(moved(thick, [0, 0, -0.225]), moved(longer, [0, 0, 0.075 + 0.5 * voxel]));
    const forest = growOctree(slabs, { ...settings, cells: 2, levels: 1, refine: 'topology' });
    const leaves = forest.leaves();
    expect(graphParts(leaves).length).toBe(2);
    const cells = new Map<string, number>();
    for (const { cell, level } of leaves) cells.set(`${level} ${cell}`, (cells.get(`${level} ${cell}`) ?? 0) + 1);
    expect(Math.max(...cells.values())).toBe(2);
  }
});

it.each(shapes)('no leaf of the %s is alone: with the narrowest regions all neighbours are in', (_, mesh) => {
  const leaves = growOctree(mesh, { ...settings, width: 0 }).leaves();
  for (const leaf of leaves) {
    const members = new Set(leaf.region.flatMap(leavesOf));
    expect([...leaf.edges.keys()].filter((next) => !members.has(next))).toEqual([]);
  }
});
