// Cutting the matter: links that a patch crosses are cleared; leaves and nodes that come apart become several, what hangs
// together at the end of a cut is refined there, and crumbs are given to their neighbours.
// Based on: [SOG08 §5]; deviation: inner nodes are split too (regions would grow from 8 to 20 nodes in three cuts), and there
// is no rule for refinement near the cut: a full cut doubles nodes, only its end refines.

import { mix, type Vec3 } from '../../math/vec3.js';
import type { Bridge } from './bridges.js';
import { changeForest, type ForestChange, type ForestEdit, leavesBelow } from './change.js';
import { absorbDebris, besideDebris } from './debris.js';
import { cellSizeOf, type OctreeForest, shareOf } from './forest.js';
import type { OctreeNode } from './node.js';
import { type CutPatch, depthInDomain, isInDomain } from './patch.js';
import { isBranched, refineNode } from './refinement.js';
import { rejoinPieces, type SeveredLink } from './rejoining.js';
import type { CutPieces } from './voxel-pieces.js';
import { voxelCentre } from './voxels.js';

/** Where the matter at a point at rest is as the body is deformed; the voxel says whose frame moves it. */
export type Deformation = (voxel: number, rest: Vec3) => Vec3;

export interface ForestCutOptions {
  /** Whether crumbs stay for a later cut to give them away: while a stroke goes on vertices hang on them. */
  readonly keepDebris?: boolean;
  /** Without them, the patch alone says what is severed. */
  readonly pieces?: CutPieces;
}

/** Cuts the matter of a forest along a patch, at rest or, with `place`, where the body is. */
export function cutForest(
  forest: OctreeForest,
  patch: CutPatch,
  place?: Deformation,
  { keepDebris = false, pieces }: ForestCutOptions = {},
): ForestChange {
  const heightOf = (q: number): number => patch.height(...(place ?? atRest)(q, voxelCentre(forest.grid, q)));
  const apart = pieces ? severPieces(forest, pieces) : [];
  const across = sever(forest, patch, place, pieces);
  const { links, bridges } = pieces
    ? rejoin(forest, pieces, apart, across)
    : { links: across, bridges: severBridges(forest, patch, place ?? atRest) };
  const touched = new Set<OctreeNode>();
  for (const { voxel, next } of [...apart, ...links]) touched.add(forest.ownerOf(voxel)).add(forest.ownerOf(next));
  for (const end of bridges.flat()) touched.add(forest.ownerOf(end));
  // What strokes left, and who may take it over.
  if (!keepDebris) for (const leaf of besideDebris(forest)) touched.add(leaf);
  const isOneSide = (a: number, b: number): boolean => heightOf(a) >= 0 === heightOf(b) >= 0;
  const isOnePiece = (a: number, b: number): boolean => pieces !== undefined && pieces.of[a] === pieces.of[b];
  const mayJoin = keepDebris ? [] : [isOnePiece, isOneSide];
  return changeForest(forest, [...touched], () => separate(forest, touched, mayJoin));
}

const atRest: Deformation = (_, rest) => rest;

/** How many times longer than at rest deformed matter may be for its links to be found; links of cells that moved apart are longer. */
const STRETCH = [2, 4] as const;

/** Clears all links between pieces. */
function severPieces({ grid }: OctreeForest, { of }: CutPieces): SeveredLink[] {
  const { bits, counts } = grid;
  const strides = [1, counts[0], counts[0] * counts[1]];
  const links: SeveredLink[] = [];
  for (let voxel = 0; voxel < bits.length; voxel++) {
    for (let axis = 0; axis < 3; axis++) {
      const next = voxel + strides[axis];
      if ((bits[voxel] & (1 << axis)) === 0 || of[voxel] === of[next]) continue;
      bits[voxel] &= ~(1 << axis);
      links.push({ voxel, next, axis, depth: Infinity });
    }
  }
  return links;
}

/** Clears the links that the patch crosses, but in pieces that it cuts through. */
function sever(
  forest: OctreeForest,
  patch: CutPatch,
  deformed: Deformation | undefined,
  pieces: CutPieces | undefined,
): SeveredLink[] {
  const place = deformed ?? atRest;
  const [stretch, linkStretch] = deformed ? STRETCH : [1, 1];
  const { grid } = forest;
  const { bits, counts, voxelSize } = grid;
  const strides = [1, counts[0], counts[0] * counts[1]];
  const links: SeveredLink[] = [];
  for (const leaf of forest.leaves()) {
    // From its centroid no voxel of a cell is farther than its diagonal.
    const reach = stretch * (SQRT3 * cellSizeOf(grid, leaf.level) + voxelSize);
    const [x, y, z] = place(leaf.voxels[0], leaf.rest as unknown as Vec3);
    if (!patch.isNear(x, y, z, reach)) continue;
    for (const voxel of leaf.voxels) {
      if ((bits[voxel] & 7) === 0 || pieces?.isSlit[pieces.of[voxel]] === 0) continue;
      const p = place(voxel, voxelCentre(grid, voxel));
      if (!patch.isNear(p[0], p[1], p[2], linkStretch * voxelSize)) continue;
      const h = patch.height(p[0], p[1], p[2]);
      for (let axis = 0; axis < 3; axis++) {
        if ((bits[voxel] & (1 << axis)) === 0) continue;
        const next = voxel + strides[axis];
        const s = place(next, voxelCentre(grid, next));
        const g = patch.height(s[0], s[1], s[2]);
        if (h >= 0 === g >= 0) continue;
        const t = h / (h - g);
        const [u, v] = patch.chart(p[0] + t * (s[0] - p[0]), p[1] + t * (s[1] - p[1]), p[2] + t * (s[2] - p[2]));
        const depth = depthInDomain(patch, u, v);
        if (!(depth > 0)) continue;
        bits[voxel] &= ~(1 << axis);
        links.push({ voxel, next, axis, depth });
      }
    }
  }
  return links;
}

/** Takes down the bridges that the patch crosses, and returns them. */
function severBridges(forest: OctreeForest, patch: CutPatch, place: Deformation): Bridge[] {
  const { grid, bridges } = forest;
  const isCrossed = ([a, b]: Bridge): boolean => {
    const [p, s] = [place(a, voxelCentre(grid, a)), place(b, voxelCentre(grid, b))];
    const [h, g] = [patch.height(...p), patch.height(...s)];
    return h >= 0 !== g >= 0 && isInDomain(patch, ...patch.chart(...mix(p, s, h / (h - g))));
  };
  forest.bridges = bridges.filter((bridge) => !isCrossed(bridge));
  return bridges.filter(isCrossed);
}

/** The links and bridges that are cleared or made where the matter of a piece is held together. */
function rejoin(
  forest: OctreeForest,
  pieces: CutPieces,
  apart: readonly SeveredLink[],
  across: readonly SeveredLink[],
): { readonly links: SeveredLink[]; readonly bridges: Bridge[] } {
  const touched = new Set<number>();
  const { of } = pieces;
  for (const { voxel, next } of [...apart, ...across]) touched.add(of[voxel]).add(of[next]);
  for (const [a, b] of forest.bridges) if (of[a] !== of[b]) touched.add(of[a]).add(of[b]);
  touched.delete(-1);
  const { severed, joined, bridges } = rejoinPieces(forest, pieces, across, touched);
  return { links: [...severed, ...joined], bridges };
}

const SQRT3 = Math.sqrt(3);

/** Makes several nodes of those that came apart. */
function separate(
  forest: OctreeForest,
  touched: ReadonlySet<OctreeNode>,
  mayJoin: readonly ((a: number, b: number) => boolean)[],
): ForestEdit {
  const { finder, grid } = forest;
  const created = new Map<OctreeNode, readonly OctreeNode[]>();
  const above = new Set<OctreeNode>();
  for (const leaf of touched) {
    for (let node = leaf.parent; node; node = node.parent) above.add(node);
    const parts = finder.find(leaf.voxels, leaf.level);
    const leaves = parts.length === 1 ? [leaf] : replaceLeaf(forest, leaf, parts);
    for (const part of leaves) {
      if (part.level < grid.levels && isBranched(finder, part)) refineNode(forest, part, 'topology');
      for (const own of leavesBelow(part)) if (own !== leaf) created.set(own, [leaf]);
    }
  }
  const split: OctreeNode[] = [];
  for (const node of [...above].sort((a, b) => b.level - a.level)) split.push(...splitInner(forest, node));
  // New leaves under a node that is split further have been replaced; all that are left are live.
  const candidates = [...touched, ...created.keys()].filter((leaf) => forest.has(leaf) && leaf.children.length === 0);
  const absorbed = absorbDebris(forest, candidates, mayJoin);
  return { created, absorbed, split: split.filter((node) => forest.has(node)) };
}

/** A leaf for each component of one, in its place. */
function replaceLeaf(
  forest: OctreeForest,
  leaf: OctreeNode,
  parts: ReturnType<OctreeForest['finder']['find']>,
): OctreeNode[] {
  const leaves = parts.map((part) => {
    const mass = shareOf(leaf.mass, part.voxels.length, leaf.voxels.length);
    const own = forest.createLeaf(part, leaf.level, leaf.parent, mass);
    own.width = leaf.width;
    own.stiffness = leaf.stiffness;
    own.damping = leaf.damping;
    return own;
  });
  const siblings = leaf.parent ? leaf.parent.children : forest.roots;
  siblings.splice(siblings.indexOf(leaf), 1, ...leaves);
  if (leaf.parent) forest.recount(leaf.parent, leaves.length - 1);
  forest.discard(leaf);
  return leaves;
}

/** Several inner nodes in the place of one whose matter no longer hangs together in its cell; none where it does. */
function splitInner(forest: OctreeForest, node: OctreeNode): OctreeNode[] {
  const voxels = leavesBelow(node).flatMap((leaf) => [...leaf.voxels]);
  const parts = forest.finder.find(Int32Array.from(voxels), node.level);
  if (parts.length === 1) return [];
  const partOf = new Map<number, number>();
  parts.forEach((part, n) => {
    for (const q of part.voxels) partOf.set(q, n);
  });
  const nodes = parts.map(() => forest.createNode(node.cell, node.level, node.parent));
  for (const own of nodes) own.leafCount = 0;
  for (const child of node.children) {
    const own = nodes[partOf.get(leavesBelow(child)[0].voxels[0]) as number];
    own.children.push(child);
    own.mass += child.mass;
    own.leafCount += child.leafCount;
    child.parent = own;
  }
  for (const own of nodes) {
    for (let c = 0; c < 3; c++) {
      own.rest[c] = own.children.reduce((sum, child) => sum + child.mass * child.rest[c], 0) / own.mass;
    }
  }
  const siblings = node.parent ? node.parent.children : forest.roots;
  siblings.splice(siblings.indexOf(node), 1, ...nodes);
  forest.discard(node);
  return nodes;
}
