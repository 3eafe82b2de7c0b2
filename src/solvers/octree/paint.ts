// Width, stiffness and damping that vary in space: values painted on the vertices, spread over the nodes inside.

import { showInput } from '../../math/expect.js';
import type { OctreeForest } from './forest.js';
import type { OctreeNode } from './node.js';

/** Factors per vertex, from 0 to 1. */
export interface OctreePaint {
  /** On the width of the regions; none is narrower than its neighbours ask for. */
  readonly width?: ArrayLike<number>;
  /** On the stiffness of the regions. */
  readonly stiffness?: ArrayLike<number>;
  /** On their damping. */
  readonly damping?: ArrayLike<number>;
}

/** The softest that paint makes: a region without stiffness would have no goals, and its nodes no frames. */
const LEAST_STIFFNESS = 1e-3;

/** Paints leaves that have the body's width and stiffness. `vertexVoxels` says where the vertices are. */
export function paintForest(
  forest: OctreeForest,
  vertexVoxels: Int32Array,
  { width, stiffness, damping }: OctreePaint,
): void {
  if (width) {
    for (const [leaf, factor] of spread('width', forest, vertexVoxels, width)) {
      leaf.width = Math.round(leaf.width * factor);
    }
  }
  if (stiffness) {
    for (const [leaf, factor] of spread('stiffness', forest, vertexVoxels, stiffness)) {
      leaf.stiffness = Math.max(LEAST_STIFFNESS, factor);
    }
  }
  if (damping) {
    for (const [leaf, factor] of spread('damping', forest, vertexVoxels, damping)) leaf.damping = factor;
  }
}

/** Mean of the values on each leaf's vertices; leaves without vertices have the mean of their neighbours nearer to some. */
function spread(
  name: string,
  forest: OctreeForest,
  vertexVoxels: Int32Array,
  values: ArrayLike<number>,
): Map<OctreeNode, number> {
  if (values.length !== vertexVoxels.length) {
    throw new RangeError(
      `paint.${name}: expected ${vertexVoxels.length} numbers, one per vertex, got ${values.length}`,
    );
  }
  const sums = new Map<OctreeNode, [number, number]>();
  for (let i = 0; i < vertexVoxels.length; i++) {
    const value = values[i];
    if (!(value >= 0 && value <= 1)) {
      throw new RangeError(`paint.${name}[${i}]: expected a number from 0 to 1, got ${showInput(value)}`);
    }
    const leaf = forest.ownerOf(vertexVoxels[i]);
    const [sum, count] = sums.get(leaf) ?? [0, 0];
    sums.set(leaf, [sum + value, count + 1]);
  }
  const painted = new Map<OctreeNode, number>();
  for (const [leaf, [sum, count]] of sums) painted.set(leaf, sum / count);
  for (const leaf of forest.search.from(sums.keys(), Infinity)) {
    if (painted.has(leaf)) continue;
    const near = [...leaf.edges.keys()].filter((next) => next.search.distance < leaf.search.distance);
    painted.set(leaf, near.reduce((sum, next) => sum + (painted.get(next) as number), 0) / near.length);
  }
  return painted;
}
