// Questions to a triangle tree: first hit of a ray, nearest point, pairs of triangles whose boxes overlap.
// Based on: S. Woop, C. Benthin, I. Wald, Watertight ray/triangle intersection, 2013 (a ray through an edge or a
// vertex always hits one of its triangles: inner pairs of regular shapes aim exactly at vertices), and
// C. Ericson, Real-time collision detection, 2005, §5.1.5 (nearest point of a triangle).

import type { Vec3 } from '../math/vec3.js';
import type { TriangleTree } from './triangle-tree-build.js';

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

/** Slack on the far side of a slab: three roundings of the two divisions, so that no box is missed by a bit. */
const SLAB_SLACK = 1 + 6 * Number.EPSILON;

/** Where the ray enters the box, or Infinity when it misses it or enters beyond `limit`. */
function enterBox(bounds: Float64Array, at: number, origin: Vec3, inverse: Vec3, limit: number): number {
  let near = 0;
  let far = limit;
  for (let k = 0; k < 3; k++) {
    const low = bounds[at + k] - origin[k];
    const high = bounds[at + 3 + k] - origin[k];
    if (inverse[k] === Infinity) {
      // Parallel to the slab.
      if (low > 0 || high < 0) return Infinity;
      continue;
    }
    const t1 = low * inverse[k];
    const t2 = high * inverse[k];
    const first = Math.min(t1, t2);
    const last = Math.max(t1, t2) * SLAB_SLACK;
    if (first > near) near = first;
    if (last < far) far = last;
  }
  return near <= far * SLAB_SLACK ? near : Infinity;
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
  const length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);
  if (!(length > 0) || length === Infinity || tree.nodeCount === 0) return null;
  const d = [direction[0] / length, direction[1] / length, direction[2] / length];
  const inverse: Vec3 = [
    d[0] === 0 ? Infinity : 1 / d[0],
    d[1] === 0 ? Infinity : 1 / d[1],
    d[2] === 0 ? Infinity : 1 / d[2],
  ];
  // Shear that turns the ray into the z axis, z being the direction's largest component.
  const size = d.map(Math.abs);
  const kz = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  const kx = (kz + 1) % 3;
  const ky = (kz + 2) % 3;
  const shearX = d[kx] / d[kz];
  const shearY = d[ky] / d[kz];
  const shearZ = 1 / d[kz];

  const { positions, triangles, nodeBounds, nodeCounts, nodeLinks, order } = tree;
  let best = options.maxDistance ?? Infinity;
  let bestTriangle = -1;
  let [bestU, bestV, bestW] = [0, 0, 0];
  const stack = new Uint32Array(tree.depth + 1);
  let top = 0;
  let node = 0;
  if (enterBox(nodeBounds, 0, origin, inverse, best) === Infinity) return null;
  for (;;) {
    if (nodeCounts[node] > 0) {
      for (let i = nodeLinks[node]; i < nodeLinks[node] + nodeCounts[node]; i++) {
        const t = order[i];
        const a = 3 * triangles[3 * t];
        const b = 3 * triangles[3 * t + 1];
        const c = 3 * triangles[3 * t + 2];
        const az = positions[a + kz] - origin[kz];
        const bz = positions[b + kz] - origin[kz];
        const cz = positions[c + kz] - origin[kz];
        const ax = positions[a + kx] - origin[kx] - shearX * az;
        const ay = positions[a + ky] - origin[ky] - shearY * az;
        const bx = positions[b + kx] - origin[kx] - shearX * bz;
        const by = positions[b + ky] - origin[ky] - shearY * bz;
        const cx = positions[c + kx] - origin[kx] - shearX * cz;
        const cy = positions[c + ky] - origin[ky] - shearY * cz;
        const u = cx * by - cy * bx;
        const v = ax * cy - ay * cx;
        const w = bx * ay - by * ax;
        if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) continue;
        const sum = u + v + w;
        if (sum === 0) continue;
        const distance = (shearZ * (u * az + v * bz + w * cz)) / sum;
        if (!(distance >= 0) || distance > best || (distance === best && bestTriangle >= 0 && t > bestTriangle))
          continue;
        if (isSkipped(tree, t, options)) continue;
        best = distance;
        bestTriangle = t;
        bestU = u / sum;
        bestV = v / sum;
        bestW = w / sum;
      }
    } else {
      const left = node + 1;
      const right = nodeLinks[node];
      const enterLeft = enterBox(nodeBounds, 6 * left, origin, inverse, best);
      const enterRight = enterBox(nodeBounds, 6 * right, origin, inverse, best);
      if (enterLeft < Infinity || enterRight < Infinity) {
        const leftFirst = enterLeft <= enterRight;
        if (enterLeft < Infinity && enterRight < Infinity) stack[top++] = leftFirst ? right : left;
        node = leftFirst ? left : right;
        continue;
      }
    }
    // What was pushed earlier may lie behind a hit found since.
    do {
      if (top === 0) {
        if (bestTriangle < 0) return null;
        return { triangle: bestTriangle, distance: best, barycentrics: [bestU, bestV, bestW] };
      }
      node = stack[--top];
    } while (enterBox(nodeBounds, 6 * node, origin, inverse, best) === Infinity);
  }
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
