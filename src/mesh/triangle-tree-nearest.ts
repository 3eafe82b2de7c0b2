// The nearest point of a surface, asked for many times: no allocation, and each search starts from the last one's
// triangle, so that neighbouring questions are cheap. The answer does not depend on what was asked before.
// Based on: C. Ericson, Real-time collision detection, 2005, §5.1.5 (nearest point of a triangle).

import type { TriangleTree } from './triangle-tree-build.js';

export class NearestPoint {
  /** Of the last answer: the triangle, the weights of its corners, the point and its squared distance [m²]. */
  triangle = -1;
  readonly weights: [number, number, number] = [0, 0, 0];
  readonly point: [number, number, number] = [0, 0, 0];
  squaredDistance = Infinity;

  private readonly stack: Uint32Array;
  private readonly distances: Float64Array;
  /** Weights and squared distance of the triangle looked at last. */
  private readonly trial = new Float64Array(4);

  constructor(readonly tree: TriangleTree) {
    this.stack = new Uint32Array(tree.depth + 2);
    this.distances = new Float64Array(tree.depth + 2);
  }

  get distance(): number {
    return Math.sqrt(this.squaredDistance);
  }

  /** Looks for the point nearest to (x, y, z); false where the tree is empty or the point is not finite. */
  find(x: number, y: number, z: number): boolean {
    const { tree, stack, distances, trial } = this;
    const { nodeBounds, nodeCounts, nodeLinks, order } = tree;
    if (tree.nodeCount === 0 || !Number.isFinite(x + y + z)) return false;
    this.squaredDistance = Infinity;
    if (this.triangle >= 0) {
      this.measure(this.triangle, x, y, z);
      this.accept(this.triangle);
    }
    let top = 1;
    stack[0] = 0;
    distances[0] = 0;
    while (top > 0) {
      const node = stack[--top];
      // Equal distances are looked at too: of equally near triangles the one with the lowest number is wanted.
      if (distances[top] > this.squaredDistance) continue;
      if (nodeCounts[node] > 0) {
        for (let i = nodeLinks[node]; i < nodeLinks[node] + nodeCounts[node]; i++) {
          const t = order[i];
          this.measure(t, x, y, z);
          const better = trial[3] < this.squaredDistance || (trial[3] === this.squaredDistance && t < this.triangle);
          if (better) this.accept(t);
        }
        continue;
      }
      const left = node + 1;
      const right = nodeLinks[node];
      const toLeft = squaredDistanceToBox(nodeBounds, 6 * left, x, y, z);
      const toRight = squaredDistanceToBox(nodeBounds, 6 * right, x, y, z);
      const leftFirst = toLeft <= toRight;
      const [far, toFar] = leftFirst ? [right, toRight] : [left, toLeft];
      if (toFar <= this.squaredDistance) {
        stack[top] = far;
        distances[top++] = toFar;
      }
      stack[top] = leftFirst ? left : right;
      distances[top++] = leftFirst ? toLeft : toRight;
    }
    if (this.squaredDistance === Infinity) return false;
    this.place();
    return true;
  }

  private accept(t: number): void {
    this.triangle = t;
    this.weights[0] = this.trial[0];
    this.weights[1] = this.trial[1];
    this.weights[2] = this.trial[2];
    this.squaredDistance = this.trial[3];
  }

  private place(): void {
    const { positions, triangles } = this.tree;
    const [u, v, w] = this.weights;
    const a = 3 * triangles[3 * this.triangle];
    const b = 3 * triangles[3 * this.triangle + 1];
    const c = 3 * triangles[3 * this.triangle + 2];
    for (let k = 0; k < 3; k++) this.point[k] = u * positions[a + k] + v * positions[b + k] + w * positions[c + k];
  }

  /** Weights of the nearest point of triangle t, and its squared distance. */
  private measure(t: number, x: number, y: number, z: number): void {
    const { positions: p, triangles } = this.tree;
    const a = 3 * triangles[3 * t];
    const b = 3 * triangles[3 * t + 1];
    const c = 3 * triangles[3 * t + 2];
    const bx = p[b] - p[a];
    const by = p[b + 1] - p[a + 1];
    const bz = p[b + 2] - p[a + 2];
    const cx = p[c] - p[a];
    const cy = p[c + 1] - p[a + 1];
    const cz = p[c + 2] - p[a + 2];
    const px = x - p[a];
    const py = y - p[a + 1];
    const pz = z - p[a + 2];
    const bb = bx * bx + by * by + bz * bz;
    const bc = bx * cx + by * cy + bz * cz;
    const cc = cx * cx + cy * cy + cz * cz;
    const bp = bx * px + by * py + bz * pz;
    const cp = cx * px + cy * py + cz * pz;
    let v = 0;
    let w = 0;
    const va = (bp - bb) * (cp - cc) - (bp - bc) * (cp - bc);
    const vb = (bp - bc) * cp - bp * (cp - cc);
    const vc = bp * (cp - bc) - (bp - bb) * cp;
    if (bp <= 0 && cp <= 0) {
      // Corner a.
    } else if (bp - bb >= 0 && cp - bc <= bp - bb) v = 1;
    else if (cp - cc >= 0 && bp - bc <= cp - cc) w = 1;
    else if (vc <= 0 && bp >= 0 && bp - bb <= 0) v = bp / bb;
    else if (vb <= 0 && cp >= 0 && cp - cc <= 0) w = cp / cc;
    else if (va <= 0 && cp - bc - (bp - bb) >= 0 && bp - bc - (cp - cc) >= 0) {
      w = (cp - bc - (bp - bb)) / (cp - bc - (bp - bb) + (bp - bc - (cp - cc)));
      v = 1 - w;
    } else {
      v = vb / (va + vb + vc);
      w = vc / (va + vb + vc);
    }
    const dx = px - v * bx - w * cx;
    const dy = py - v * by - w * cy;
    const dz = pz - v * bz - w * cz;
    const { trial } = this;
    trial[0] = 1 - v - w;
    trial[1] = v;
    trial[2] = w;
    trial[3] = dx * dx + dy * dy + dz * dz;
  }
}

function squaredDistanceToBox(bounds: Float64Array, at: number, x: number, y: number, z: number): number {
  const dx = x < bounds[at] ? bounds[at] - x : x > bounds[at + 3] ? x - bounds[at + 3] : 0;
  const dy = y < bounds[at + 1] ? bounds[at + 1] - y : y > bounds[at + 4] ? y - bounds[at + 4] : 0;
  const dz = z < bounds[at + 2] ? bounds[at + 2] - z : z > bounds[at + 5] ? z - bounds[at + 5] : 0;
  return dx * dx + dy * dy + dz * dz;
}
