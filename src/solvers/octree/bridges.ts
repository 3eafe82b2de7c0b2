// Links over gaps: a neck of the surface thinner than a voxel may hold no voxel at all, so that the matter of one closed piece would come
// apart. A bridge joins the two voxels from which the way through the neck is shortest; to graph and regions it is a link as any other.

import { UnionFind } from '../../mesh/topology.js';
import type { VoxelGrid } from './voxels.js';

/** Two voxels that are not neighbours, the lower first. */
export type Bridge = readonly [number, number];

/** How a voxel was come to: from which of the matter, and over how many voxels. */
interface Way {
  readonly group: number;
  readonly from: number;
  readonly steps: number;
}

/** Where ways from two groups meet. */
interface Gap {
  readonly ends: Bridge;
  readonly between: readonly [number, number];
  readonly steps: number;
}

/**
 * As few bridges as make one of groups of voxels, shortest first: a spanning tree.
 * @param shell voxels that the surface around them goes through, which are all that a bridge leads over: none leaves the piece.
 * @param groupOf the group of a voxel, −1 where it is in none.
 */
export function spanGaps(grid: VoxelGrid, shell: ReadonlySet<number>, groupOf: (voxel: number) => number): Bridge[] {
  const groups = new Map<number, number>();
  const gaps = findGaps(grid, shell, (q) => {
    const group = groupOf(q);
    if (group < 0) return -1;
    const number = groups.get(group) ?? groups.size;
    groups.set(group, number);
    return number;
  });
  const joined = new UnionFind(groups.size);
  const bridges: Bridge[] = [];
  for (const { ends, between } of gaps) {
    const [a, b] = between.map((group) => joined.find(group));
    if (a === b) continue;
    joined.union(a, b);
    bridges.push(ends);
  }
  return bridges;
}

/** Gaps where ways from two groups through the shell meet, shortest first; in an order that no numbering of voxels leaves open. */
function findGaps(grid: VoxelGrid, shell: ReadonlySet<number>, groupOf: (voxel: number) => number): Gap[] {
  const ways = new Map<number, Way>();
  const queue: number[] = [];
  const start = (q: number): void => {
    const group = groupOf(q);
    if (group < 0 || ways.has(q)) return;
    ways.set(q, { group, from: q, steps: 0 });
    queue.push(q);
  };
  for (const q of [...shell].sort((a, b) => a - b)) {
    start(q);
    if (!ways.has(q)) neighboursOf(grid, q).forEach(start);
  }
  const gaps: Gap[] = [];
  for (let n = 0; n < queue.length; n++) {
    const way = ways.get(queue[n]) as Way;
    for (const next of neighboursOf(grid, queue[n])) {
      const met = ways.get(next);
      if (met === undefined) {
        if (!shell.has(next)) continue;
        ways.set(next, { ...way, steps: way.steps + 1 });
        queue.push(next);
      } else if (met.group !== way.group) {
        const ends: Bridge = [Math.min(way.from, met.from), Math.max(way.from, met.from)];
        gaps.push({ ends, steps: way.steps + met.steps + 1, between: [way.group, met.group] });
      }
    }
  }
  return gaps.sort((a, b) => a.steps - b.steps || a.ends[0] - b.ends[0] || a.ends[1] - b.ends[1]);
}

/** Voxels that share a face with one. */
function neighboursOf({ counts }: VoxelGrid, q: number): number[] {
  const [nx, ny, nz] = counts;
  const [x, y, z] = [q % nx, Math.trunc(q / nx) % ny, Math.trunc(q / (nx * ny))];
  const near: number[] = [];
  if (x > 0) near.push(q - 1);
  if (x + 1 < nx) near.push(q + 1);
  if (y > 0) near.push(q - nx);
  if (y + 1 < ny) near.push(q + nx);
  if (z > 0) near.push(q - nx * ny);
  if (z + 1 < nz) near.push(q + nx * ny);
  return near;
}
