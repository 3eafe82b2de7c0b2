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
  /** Corners of the triangles in the order of the leaves, nine numbers each: those of a leaf lie beside each other. */
  private readonly corners: Float64Array;
  /** Where in that order the last answer's triangle is. */
  private place = -1;
  /** Weights of two corners and squared distance of the triangle looked at last. */
  private readonly trial = new Float64Array(3);

  constructor(readonly tree: TriangleTree) {
    this.stack = new Uint32Array(tree.depth + 2);
    this.distances = new Float64Array(tree.depth + 2);
    const { order, positions, triangles } = tree;
    this.corners = new Float64Array(9 * order.length);
    for (let corner = 0; corner < 3 * order.length; corner++) {
      const at = 3 * triangles[3 * order[Math.trunc(corner / 3)] + (corner % 3)];
      for (let k = 0; k < 3; k++) this.corners[3 * corner + k] = positions[at + k];
    }
  }

  get distance(): number {
    return Math.sqrt(this.squaredDistance);
  }

  /** Looks for the point nearest to (x, y, z); false where the tree is empty or the point is not finite. */
  find(x: number, y: number, z: number): boolean {
    const { tree, stack, distances, trial } = this;
    const { nodeBounds, nodeCounts, nodeLinks, order } = tree;
    if (tree.nodeCount === 0 || !Number.isFinite(x + y + z)) return false;
    let nearest = Infinity;
    if (this.place >= 0) {
      this.measure(this.place, x, y, z);
      this.accept(this.place);
      nearest = trial[2];
    }
    let top = 1;
    stack[0] = 0;
    distances[0] = 0;
    while (top > 0) {
      const node = stack[--top];
      // Equal distances are looked at too: of equally near triangles the one with the lowest number is wanted.
      if (distances[top] > nearest) continue;
      if (nodeCounts[node] > 0) {
        for (let i = nodeLinks[node]; i < nodeLinks[node] + nodeCounts[node]; i++) {
          this.measure(i, x, y, z);
          if (trial[2] < nearest || (trial[2] === nearest && order[i] < this.triangle)) {
            this.accept(i);
            nearest = trial[2];
          }
        }
        continue;
      }
      const left = node + 1;
      const right = nodeLinks[node];
      const toLeft = squaredDistanceToBox(nodeBounds, 6 * left, x, y, z);
      const toRight = squaredDistanceToBox(nodeBounds, 6 * right, x, y, z);
      const leftFirst = toLeft <= toRight;
      const toFar = leftFirst ? toRight : toLeft;
      if (toFar <= nearest) {
        stack[top] = leftFirst ? right : left;
        distances[top++] = toFar;
      }
      const toNear = leftFirst ? toLeft : toRight;
      if (toNear <= nearest) {
        stack[top] = leftFirst ? left : right;
        distances[top++] = toNear;
      }
    }
    this.squaredDistance = nearest;
    if (nearest === Infinity) return false;
    const [u, v, w] = this.weights;
    const at = 9 * this.place;
    for (let k = 0; k < 3; k++) {
      this.point[k] = u * this.corners[at + k] + v * this.corners[at + 3 + k] + w * this.corners[at + 6 + k];
    }
    return true;
  }

  private accept(place: number): void {
    const [v, w] = this.trial;
    this.place = place;
    this.triangle = this.tree.order[place];
    this.weights[0] = 1 - v - w;
    this.weights[1] = v;
    this.weights[2] = w;
  }

  /** Weights of the nearest point of a triangle, by its place in the order, and its squared distance. */
  private measure(place: number, x: number, y: number, z: number): void {
    const { corners: p } = this;
    const a = 9 * place;
    const bx = p[a + 3] - p[a];
    const by = p[a + 4] - p[a + 1];
    const bz = p[a + 5] - p[a + 2];
    const cx = p[a + 6] - p[a];
    const cy = p[a + 7] - p[a + 1];
    const cz = p[a + 8] - p[a + 2];
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
    trial[0] = v;
    trial[1] = w;
    trial[2] = dx * dx + dy * dy + dz * dz;
  }
}

function squaredDistanceToBox(bounds: Float64Array, at: number, x: number, y: number, z: number): number {
  const dx = x < bounds[at] ? bounds[at] - x : x > bounds[at + 3] ? x - bounds[at + 3] : 0;
  const dy = y < bounds[at + 1] ? bounds[at + 1] - y : y > bounds[at + 4] ? y - bounds[at + 4] : 0;
  const dz = z < bounds[at + 2] ? bounds[at + 2] - z : z > bounds[at + 5] ? z - bounds[at + 5] : 0;
  return dx * dx + dy * dy + dz * dz;
}
