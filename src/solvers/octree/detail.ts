// Which cells of a body are to be finer or coarser, as the rest of the library says it: by where they are and how large.

import type { CellTest } from '../detail.js';
import { MOMENT_STRIDE } from '../moments.js';
import type { ForestChange } from './change.js';
import { cellSizeOf, type OctreeForest } from './forest.js';
import { coarsenNodes, findCoarsenable, refineLeaves } from './level-of-detail.js';
import type { OctreeNode } from './node.js';
import type { OctreeDynamics } from './octree-dynamics.js';

/** What is changed. */
interface ChangingOctree {
  readonly forest: OctreeForest;
  readonly dynamics: OctreeDynamics;
  readonly rest: { readonly forest: OctreeForest };
  change(edit: (forest: OctreeForest) => ForestChange): void;
}

/** Cells that are halved at rest, by forest. */
const HALVED = new WeakMap<OctreeForest, ReadonlySet<number>>();

/** One number for a cell: no grid has more than 128·2 of them along an axis. */
const keyOf = ({ level, cell }: OctreeNode): number => ((level * 1024 + cell[0]) * 1024 + cell[1]) * 1024 + cell[2];

function halvedOf(forest: OctreeForest): ReadonlySet<number> {
  const known = HALVED.get(forest);
  if (known) return known;
  const halved = new Set<number>();
  const visit = (node: OctreeNode): void => {
    if (node.children.length > 0) halved.add(keyOf(node));
    node.children.forEach(visit);
  };
  forest.roots.forEach(visit);
  HALVED.set(forest, halved);
  return halved;
}

/** For each leaf, in order, whether it passes. */
function testLeaves({ dynamics, forest, rest }: ChangingOctree, test: CellTest): boolean[] {
  const { positions } = dynamics;
  const halved = halvedOf(rest.forest);
  return dynamics.rest.leaves.map((leaf, i) => {
    const size = cellSizeOf(forest.grid, leaf.level);
    const finer = finerThanAtRest(leaf, halved);
    return test(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], size, finer);
  });
}

/** How a leaf compares with the cells at rest. */
function finerThanAtRest(leaf: OctreeNode, halved: ReadonlySet<number>): -1 | 0 | 1 {
  if (halved.has(keyOf(leaf))) return -1;
  return leaf.parent !== undefined && !halved.has(keyOf(leaf.parent)) ? 1 : 0;
}

/**
 * Halves the cells that pass, and what comes of them, up to `levels` times; those of the finest level stay. Returns by how many the
 * nodes grew.
 */
export function refineWhere(model: ChangingOctree, test: CellTest, levels: number): number {
  const passed = testLeaves(model, test);
  const { levels: finest } = model.forest.grid;
  const chosen = model.dynamics.rest.leaves.flatMap(({ level }, i) => (passed[i] && level < finest ? [i] : []));
  if (chosen.length === 0) return 0;
  const before = passed.length;
  model.change((forest) => {
    const leaves = forest.leaves();
    const sources = new Map(chosen.map((i) => [leaves[i], i]));
    const { positions: x, frames } = model.dynamics;
    const halved = halvedOf(model.rest.forest);
    // A part is where the frame of what it was part of has it.
    return refineLeaves(forest, sources.keys(), (part, of) => {
      if (part.level - of.level >= levels) return false;
      const i = sources.get(of) as number;
      const at = [0, 1, 2].map((c) => {
        const row = MOMENT_STRIDE * i + 4 * c;
        return [0, 1, 2].reduce((sum, k) => sum + frames[row + k] * (part.rest[k] - of.rest[k]), x[3 * i + c]);
      });
      return test(at[0], at[1], at[2], cellSizeOf(forest.grid, part.level), finerThanAtRest(part, halved));
    });
  });
  return model.dynamics.rest.leaves.length - before;
}

/** Joins the cells that pass with their siblings, where all of these do and may move as one. Returns by how many the nodes shrank. */
export function coarsenWhere(model: ChangingOctree, test: CellTest): number {
  const passed = testLeaves(model, test);
  const { leaves } = model.dynamics.rest;
  const places = new Map(leaves.map((leaf, i) => [leaf, i]));
  const parents = new Set(leaves.flatMap(({ parent }, i) => (parent && passed[i] ? [parent] : [])));
  const whole = [...parents].filter(({ children }) => children.every((child) => passed[places.get(child) ?? -1]));
  const chosen = findCoarsenable(model.forest, whole).map(({ children }) => places.get(children[0]) as number);
  if (chosen.length === 0) return 0;
  model.change((forest) => {
    const now = forest.leaves();
    return coarsenNodes(
      forest,
      chosen.map((i) => now[i].parent as OctreeNode),
    );
  });
  return leaves.length - model.dynamics.rest.leaves.length;
}
