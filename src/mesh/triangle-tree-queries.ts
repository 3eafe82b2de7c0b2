// Questions to a triangle tree: first hit of a ray, nearest point, pairs of triangles whose boxes overlap.
// Based on: C. Ericson, Real-time collision detection, 2005, §5.1.5 (nearest point of a triangle).

import type { Vec3 } from '../math/vec3.js';
import type { TriangleTree } from './triangle-tree-build.js';
import { FirstHit } from './triangle-tree-ray.js';

/** How far a query of a tree looks, and which triangles it leaves out. */
export interface TreeQueryOptions {
  /** Leaves out the triangles for which it returns true. */
  readonly skip?: (triangle: number) => boolean;
  /** Leaves out the triangles at this vertex. */
  readonly skipVertex?: number;
  /** Looks no farther than this [m]. */
  readonly maxDistance?: number;
}

/** Where a ray meets a mesh. */
export interface RayHit {
  readonly triangle: number;
  /** From the origin [m], whatever the direction's length. */
  readonly distance: number;
  /** Weights of the triangle's corners; they sum to 1. */
  readonly barycentrics: Vec3;
}

/** The point of a mesh nearest to another. */
export interface ClosestPoint extends RayHit {
  readonly point: Vec3;
}

function isSkipped(tree: TriangleTree, triangle: number, options: TreeQueryOptions): boolean {
  const v = options.skipVertex;
  if (v !== undefined) {
    const { triangles } = tree;
    if (triangles[3 * triangle] === v || triangles[3 * triangle + 1] === v || triangles[3 * triangle + 2] === v) {
      return true;
    }
  }
  return options.skip?.(triangle) ?? false;
}

/**
 * First triangle along the ray, from either side, edges and corners included; null where there is none.
 * Of equally near triangles the one with the lowest number is returned.
 * @example
 * ```ts
 * const { positions, triangles } = icosphere();
 * const hit = castRay(buildTriangleTree(positions, triangles), [0, 0, 5], [0, 0, -1]);
 * console.log(hit?.distance);
 * ```
 */
export function castRay(
  tree: TriangleTree,
  origin: Vec3,
  direction: Vec3,
  options: TreeQueryOptions = {},
): RayHit | null {
  const hit = new FirstHit(tree);
  const { maxDistance, skipVertex, skip } = options;
  if (!hit.find(origin, direction, maxDistance, skipVertex, skip)) return null;
  return { triangle: hit.triangle, distance: hit.distance, barycentrics: hit.weights };
}

/** Weights of the nearest point of triangle t to `point`. */
function nearestWeights(tree: TriangleTree, t: number, point: Vec3): Vec3 {
  const { positions, triangles } = tree;
  let [abab, abac, acac, abap, acap] = [0, 0, 0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const a = positions[3 * triangles[3 * t] + k];
    const ab = positions[3 * triangles[3 * t + 1] + k] - a;
    const ac = positions[3 * triangles[3 * t + 2] + k] - a;
    const ap = point[k] - a;
    abab += ab * ab;
    abac += ab * ac;
    acac += ac * ac;
    abap += ab * ap;
    acap += ac * ap;
  }
  if (abap <= 0 && acap <= 0) return [1, 0, 0];
  const abbp = abap - abab;
  const acbp = acap - abac;
  if (abbp >= 0 && acbp <= abbp) return [0, 1, 0];
  const abcp = abap - abac;
  const accp = acap - acac;
  if (accp >= 0 && abcp <= accp) return [0, 0, 1];
  const c = abap * acbp - abbp * acap;
  if (c <= 0 && abap >= 0 && abbp <= 0) {
    const v = abap / (abap - abbp);
    return [1 - v, v, 0];
  }
  const b = abcp * acap - abap * accp;
  if (b <= 0 && acap >= 0 && accp <= 0) {
    const w = acap / (acap - accp);
    return [1 - w, 0, w];
  }
  const a = abbp * accp - abcp * acbp;
  if (a <= 0 && acbp - abbp >= 0 && abcp - accp >= 0) {
    const w = (acbp - abbp) / (acbp - abbp + (abcp - accp));
    return [0, 1 - w, w];
  }
  return [a / (a + b + c), b / (a + b + c), c / (a + b + c)];
}

function squaredDistanceToBox(bounds: Float64Array, at: number, point: Vec3): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const outside = Math.max(bounds[at + k] - point[k], 0, point[k] - bounds[at + 3 + k]);
    sum += outside * outside;
  }
  return sum;
}

/**
 * Nearest point of the surface; null for an empty tree or where nothing is within `maxDistance`.
 * @example
 * ```ts
 * const { positions, triangles } = icosphere();
 * const nearest = closestPoint(buildTriangleTree(positions, triangles), [0, 3, 0]);
 * console.log(nearest?.point);
 * ```
 */
export function closestPoint(tree: TriangleTree, point: Vec3, options: TreeQueryOptions = {}): ClosestPoint | null {
  if (tree.nodeCount === 0 || !Number.isFinite(point[0] + point[1] + point[2])) return null;
  const { positions, triangles, nodeBounds, nodeCounts, nodeLinks, order } = tree;
  let bestSquared = (options.maxDistance ?? Infinity) ** 2;
  let best: Omit<ClosestPoint, 'distance'> | null = null;
  const stack = new Uint32Array(tree.depth + 1);
  let top = 1;
  while (top > 0) {
    const node = stack[--top];
    if (squaredDistanceToBox(nodeBounds, 6 * node, point) > bestSquared) continue;
    if (nodeCounts[node] === 0) {
      const left = node + 1;
      const right = nodeLinks[node];
      const leftNearer =
        squaredDistanceToBox(nodeBounds, 6 * left, point) <= squaredDistanceToBox(nodeBounds, 6 * right, point);
      stack[top++] = leftNearer ? right : left;
      stack[top++] = leftNearer ? left : right;
      continue;
    }
    for (let i = nodeLinks[node]; i < nodeLinks[node] + nodeCounts[node]; i++) {
      const t = order[i];
      if (isSkipped(tree, t, options)) continue;
      const weights = nearestWeights(tree, t, point);
      const nearest: [number, number, number] = [0, 0, 0];
      let squared = 0;
      for (let k = 0; k < 3; k++) {
        for (let j = 0; j < 3; j++) nearest[k] += weights[j] * positions[3 * triangles[3 * t + j] + k];
        squared += (nearest[k] - point[k]) ** 2;
      }
      if (squared < bestSquared || (squared === bestSquared && (best === null || t < best.triangle))) {
        bestSquared = squared;
        best = { triangle: t, barycentrics: weights, point: nearest };
      }
    }
  }
  return best === null ? null : { ...best, distance: Math.sqrt(bestSquared) };
}

function boxesOverlap(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  return (
    a[i] <= b[j + 3] &&
    b[j] <= a[i + 3] &&
    a[i + 1] <= b[j + 4] &&
    b[j + 1] <= a[i + 4] &&
    a[i + 2] <= b[j + 5] &&
    b[j + 2] <= a[i + 5]
  );
}

/**
 * Calls `visit` once for every pair of triangles whose boxes overlap or touch, the lower number first.
 * A visit that returns false ends the search: the number of pairs is quadratic where everything lies in one place.
 * @example
 * ```ts
 * const { positions, triangles } = icosphere();
 * overlappingPairs(buildTriangleTree(positions, triangles), (a, b) => console.log(a, b)); // triangles whose boxes overlap
 * ```
 */
export function overlappingPairs(tree: TriangleTree, visit: (a: number, b: number) => unknown): void {
  const { nodeBounds, nodeCounts, nodeLinks, order, itemBounds } = tree;
  const visitItems = (i: number, j: number): boolean => {
    if (!boxesOverlap(itemBounds, 6 * i, itemBounds, 6 * j)) return true;
    return (order[i] < order[j] ? visit(order[i], order[j]) : visit(order[j], order[i])) !== false;
  };
  const pending = tree.nodeCount > 0 ? [0, 0] : [];
  while (pending.length > 0) {
    const n = pending.pop() as number;
    const m = pending.pop() as number;
    const leafM = nodeCounts[m] > 0;
    const leafN = nodeCounts[n] > 0;
    if (m !== n && !boxesOverlap(nodeBounds, 6 * m, nodeBounds, 6 * n)) continue;
    if (leafM && leafN) {
      for (let i = nodeLinks[m]; i < nodeLinks[m] + nodeCounts[m]; i++) {
        for (let j = m === n ? i + 1 : nodeLinks[n]; j < nodeLinks[n] + nodeCounts[n]; j++) {
          if (!visitItems(i, j)) return;
        }
      }
    } else if (m === n) {
      const right = nodeLinks[m];
      pending.push(m + 1, m + 1, right, right, m + 1, right);
    } else if (leafM || (!leafN && nodeLinks[n] - n > nodeLinks[m] - m)) {
      // Descends into the node with the larger left part; the tree's halves are alike, so that is the larger node.
      pending.push(m, n + 1, m, nodeLinks[n]);
    } else {
      pending.push(m + 1, n, nodeLinks[m], n);
    }
  }
}
