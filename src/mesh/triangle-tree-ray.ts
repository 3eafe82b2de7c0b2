// The first triangle along a ray, asked for many times: no allocation.
// Based on: S. Woop, C. Benthin, I. Wald, Watertight ray/triangle intersection, 2013 (a ray through an edge or a
// vertex always hits one of its triangles: inner pairs of regular shapes aim exactly at vertices).

import type { TriangleTree } from './triangle-tree-build.js';

/** Slack on the far side of a slab: three roundings of the two divisions, so that no box is missed by a bit. */
const SLAB_SLACK = 1 + 6 * Number.EPSILON;

export class FirstHit {
  /** Of the last answer: the triangle, how far it is from the origin [m] and the weights of its corners. */
  triangle = -1;
  distance = Infinity;
  readonly weights: [number, number, number] = [0, 0, 0];

  private readonly stack: Uint32Array;
  /** Of the ray that is followed, and 1 over its direction. */
  private readonly origin = new Float64Array(3);
  private readonly direction = new Float64Array(3);
  private readonly inverse = new Float64Array(3);

  constructor(readonly tree: TriangleTree) {
    this.stack = new Uint32Array(tree.depth + 1);
  }

  /**
   * Looks along a ray, no farther than `limit` [m]; whether there is a triangle, from either side, edges and corners included. Of equally
   * near ones it is that with the lowest number.
   * @param skipVertex triangles at this vertex are left out.
   * @param skip so are those for which it returns true.
   */
  find(
    origin: ArrayLike<number>,
    along: ArrayLike<number>,
    limit = Infinity,
    skipVertex = -1,
    skip?: (triangle: number) => boolean,
  ): boolean {
    const { tree, stack, inverse } = this;
    this.triangle = -1;
    if (tree.nodeCount === 0 || !this.aim(origin, along)) return false;
    this.distance = limit;
    const { nodeBounds, nodeCounts, nodeLinks } = tree;
    if (enterBox(nodeBounds, 0, this.origin, inverse, limit) === Infinity) return false;
    let top = 0;
    let node = 0;
    for (;;) {
      if (nodeCounts[node] > 0) this.meetLeaf(nodeLinks[node], nodeLinks[node] + nodeCounts[node], skipVertex, skip);
      else {
        const left = node + 1;
        const right = nodeLinks[node];
        const enterLeft = enterBox(nodeBounds, 6 * left, this.origin, inverse, this.distance);
        const enterRight = enterBox(nodeBounds, 6 * right, this.origin, inverse, this.distance);
        if (enterLeft < Infinity || enterRight < Infinity) {
          const leftFirst = enterLeft <= enterRight;
          if (enterLeft < Infinity && enterRight < Infinity) stack[top++] = leftFirst ? right : left;
          node = leftFirst ? left : right;
          continue;
        }
      }
      // What was pushed earlier may lie behind a hit found since.
      do {
        if (top === 0) return this.triangle >= 0;
        node = stack[--top];
      } while (enterBox(nodeBounds, 6 * node, this.origin, inverse, this.distance) === Infinity);
    }
  }

  /** Takes over a ray; whether it has a direction. */
  private aim(origin: ArrayLike<number>, along: ArrayLike<number>): boolean {
    const { direction, inverse } = this;
    const length = Math.sqrt(along[0] ** 2 + along[1] ** 2 + along[2] ** 2);
    if (!(length > 0) || length === Infinity) return false;
    for (let k = 0; k < 3; k++) {
      this.origin[k] = origin[k];
      direction[k] = along[k] / length;
      inverse[k] = direction[k] === 0 ? Infinity : 1 / direction[k];
    }
    return true;
  }

  /** The triangles of a leaf, at these places of the tree's order. */
  private meetLeaf(first: number, end: number, skipVertex: number, skip?: (triangle: number) => boolean): void {
    const { origin, direction, weights } = this;
    const { positions, triangles, order } = this.tree;
    // Shear that turns the ray into the z axis, z being the direction's largest component.
    const [sx, sy, sz] = [Math.abs(direction[0]), Math.abs(direction[1]), Math.abs(direction[2])];
    const kz = sx >= sy && sx >= sz ? 0 : sy >= sz ? 1 : 2;
    const kx = kz === 2 ? 0 : kz + 1;
    const ky = kx === 2 ? 0 : kx + 1;
    const shearX = direction[kx] / direction[kz];
    const shearY = direction[ky] / direction[kz];
    const shearZ = 1 / direction[kz];
    const ox = origin[kx];
    const oy = origin[ky];
    const oz = origin[kz];
    for (let i = first; i < end; i++) {
      const t = order[i];
      const [p, q, r] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
      const az = positions[3 * p + kz] - oz;
      const bz = positions[3 * q + kz] - oz;
      const cz = positions[3 * r + kz] - oz;
      const ax = positions[3 * p + kx] - ox - shearX * az;
      const ay = positions[3 * p + ky] - oy - shearY * az;
      const bx = positions[3 * q + kx] - ox - shearX * bz;
      const by = positions[3 * q + ky] - oy - shearY * bz;
      const cx = positions[3 * r + kx] - ox - shearX * cz;
      const cy = positions[3 * r + ky] - oy - shearY * cz;
      const u = cx * by - cy * bx;
      const v = ax * cy - ay * cx;
      const w = bx * ay - by * ax;
      if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) continue;
      const sum = u + v + w;
      if (sum === 0) continue;
      const distance = (shearZ * (u * az + v * bz + w * cz)) / sum;
      const isNearer = distance >= 0 && distance <= this.distance;
      if (!isNearer || (distance === this.distance && this.triangle >= 0 && t > this.triangle)) continue;
      if (p === skipVertex || q === skipVertex || r === skipVertex || skip?.(t)) continue;
      this.distance = distance;
      this.triangle = t;
      weights[0] = u / sum;
      weights[1] = v / sum;
      weights[2] = w / sum;
    }
  }
}

/** Where the ray enters the box, or Infinity when it misses it or enters beyond `limit`. */
function enterBox(
  bounds: Float64Array,
  at: number,
  origin: Float64Array,
  inverse: Float64Array,
  limit: number,
): number {
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
