// Finds where a point is over a triangle mesh: the triangle, the weights of its corners and the height along the
// interpolated unit normals, p = Σ wₖ·(xₖ + h·nₖ). Over each triangle that is a prism with curved sides which it shares with
// its neighbours, so that what is found changes without jumps from triangle to triangle.
// Based on: R. Diziol, J. Bender, D. Bayer, Robust real-time deformation of incompressible surface meshes, 2011, §6. The
// paper solves (p − q)×n = 0 for two weights; the height as a third unknown makes the Jacobian square and the result
// exact at rest, as the interpolated normal need not be scaled to unit length.

import { buildAdjacency, type MeshAdjacency } from '../mesh/adjacency.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildTriangleTree } from '../mesh/triangle-tree.js';
import { NearestPoint } from '../mesh/triangle-tree-nearest.js';

/** Newton converges in 3 or 4 steps where there is a solution nearby. */
const NEWTON_STEPS = 12;
/** Squared length of a Newton step, in weights and in heights per distance, that ends the search. */
const CONVERGED = 1e-24;
/** A weight this far below 0 is rounding. */
const INSIDE = -1e-9;
/** Triangles looked at one after the other, each across the side behind which the point is, before all around are tried. */
const HOPS = 6;
/** A height beyond this many times the distance to the surface belongs to another part of it. */
const HEIGHT_LIMIT = 2;
/** The prism's volume element may shrink with height to this share; beyond lies the fold of the normals. */
const FOLD = 0.1;

export class PrismSearch {
  /** Of the last answer: the triangle, the weights of its corners, and the height [m]. */
  triangle = 0;
  readonly weights: [number, number, number] = [1, 0, 0];
  height = 0;
  /** Whether a prism holds the point; otherwise the weights are those of the nearest point and the height is projected. */
  exact = false;
  /** Distance to the surface [m]. */
  distance = 0;

  private readonly nearest: NearestPoint;
  private readonly adjacency: MeshAdjacency;
  /** Result of the last Newton search: two weights and the height. */
  private readonly found: [number, number, number] = [0, 0, 0];

  constructor(
    private readonly mesh: TriangleMesh,
    /** Unit normals of the vertices. */
    private readonly normals: Float64Array,
  ) {
    this.nearest = new NearestPoint(buildTriangleTree(mesh.positions, mesh.triangles));
    this.adjacency = buildAdjacency(mesh);
  }

  /** Looks for a point; false where it is not finite. */
  find(x: number, y: number, z: number): boolean {
    const { nearest } = this;
    if (!nearest.find(x, y, z)) return false;
    this.distance = nearest.distance;
    this.exact = this.walk(x, y, z) || this.tryAround(x, y, z);
    if (!this.exact) this.project(x, y, z);
    return true;
  }

  /** From the nearest triangle on across the sides behind which Newton leaves. */
  private walk(x: number, y: number, z: number): boolean {
    let triangle = this.nearest.triangle;
    let [, v, w] = this.nearest.weights;
    for (let hop = 0; hop < HOPS; hop++) {
      if (!this.solve(triangle, v, w, x, y, z)) return false;
      const [foundV, foundW] = this.found;
      const least = Math.min(1 - foundV - foundW, foundV, foundW);
      if (least >= INSIDE) return this.accept(triangle);
      // Corner k is opposite to the side behind which its weight is negative.
      const corner = least === foundV ? 1 : least === foundW ? 2 : 0;
      const next = this.across(triangle, corner);
      if (next < 0) return false;
      triangle = next;
      v = w = 1 / 3;
    }
    return false;
  }

  /** All triangles at the corners of the nearest one; of those that hold the point the one with the least height. */
  private tryAround(x: number, y: number, z: number): boolean {
    const { triangles } = this.mesh;
    const { vertexTriangles, vertexTriangleOffsets } = this.adjacency;
    const near = this.nearest.triangle;
    let best = Infinity;
    for (let k = 0; k < 3; k++) {
      const corner = triangles[3 * near + k];
      for (let n = vertexTriangleOffsets[corner]; n < vertexTriangleOffsets[corner + 1]; n++) {
        const triangle = vertexTriangles[n];
        if (!this.solve(triangle, 1 / 3, 1 / 3, x, y, z)) continue;
        const [v, w, height] = this.found;
        if (Math.min(1 - v - w, v, w) < INSIDE || Math.abs(height) >= best) continue;
        if (this.accept(triangle)) best = Math.abs(height);
      }
    }
    return best < Infinity;
  }

  /** Takes the last Newton result over, unless its height belongs to another part of the surface. */
  private accept(triangle: number): boolean {
    const [v, w, height] = this.found;
    if (Math.abs(height) > HEIGHT_LIMIT * this.distance * (1 + 1e-6) + 1e-12) return false;
    this.triangle = triangle;
    const [a, b, c] = [Math.max(0, 1 - v - w), Math.max(0, v), Math.max(0, w)];
    this.weights[0] = a / (a + b + c);
    this.weights[1] = b / (a + b + c);
    this.weights[2] = c / (a + b + c);
    this.height = height;
    return true;
  }

  /** The nearest point of the surface, and the height that comes nearest along its normal. */
  private project(x: number, y: number, z: number): void {
    const { mesh, normals, nearest } = this;
    const { triangle, weights, point } = nearest;
    let [nx, ny, nz] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const v = 3 * mesh.triangles[3 * triangle + k];
      nx += weights[k] * normals[v];
      ny += weights[k] * normals[v + 1];
      nz += weights[k] * normals[v + 2];
      this.weights[k] = weights[k];
    }
    const square = nx * nx + ny * ny + nz * nz;
    const along = (x - point[0]) * nx + (y - point[1]) * ny + (z - point[2]) * nz;
    this.triangle = triangle;
    this.height = square > 0.01 ? along / square : 0;
  }

  /** The triangle on the other side of the edge opposite to a corner; −1 where there is none. */
  private across(triangle: number, corner: number): number {
    const { triangles } = this.mesh;
    const { vertexTriangles, vertexTriangleOffsets } = this.adjacency;
    const a = triangles[3 * triangle + ((corner + 1) % 3)];
    const b = triangles[3 * triangle + ((corner + 2) % 3)];
    for (let n = vertexTriangleOffsets[a]; n < vertexTriangleOffsets[a + 1]; n++) {
      const t = vertexTriangles[n];
      if (t === triangle) continue;
      if (triangles[3 * t] === b || triangles[3 * t + 1] === b || triangles[3 * t + 2] === b) return t;
    }
    return -1;
  }

  /** Newton for the weights of the second and third corner and the height; false where it finds none before the fold. */
  private solve(triangle: number, v: number, w: number, x: number, y: number, z: number): boolean {
    const { positions: p, triangles } = this.mesh;
    const n = this.normals;
    const a = 3 * triangles[3 * triangle];
    const b = 3 * triangles[3 * triangle + 1];
    const c = 3 * triangles[3 * triangle + 2];
    const ex = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const fx = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const en = [n[b] - n[a], n[b + 1] - n[a + 1], n[b + 2] - n[a + 2]];
    const fn = [n[c] - n[a], n[c + 1] - n[a + 1], n[c + 2] - n[a + 2]];
    const d = [x - p[a], y - p[a + 1], z - p[a + 2]];
    let height = 0;
    for (let step = 0; step < NEWTON_STEPS; step++) {
      const mx = n[a] + v * en[0] + w * fn[0];
      const my = n[a + 1] + v * en[1] + w * fn[1];
      const mz = n[a + 2] + v * en[2] + w * fn[2];
      if (step === 0) {
        const qx = d[0] - v * ex[0] - w * fx[0];
        const qy = d[1] - v * ex[1] - w * fx[1];
        const qz = d[2] - v * ex[2] - w * fx[2];
        height = (qx * mx + qy * my + qz * mz) / Math.max(0.01, mx * mx + my * my + mz * mz);
      }
      const rx = d[0] - v * ex[0] - w * fx[0] - height * mx;
      const ry = d[1] - v * ex[1] - w * fx[1] - height * my;
      const rz = d[2] - v * ex[2] - w * fx[2] - height * mz;
      const sx = ex[0] + height * en[0];
      const sy = ex[1] + height * en[1];
      const sz = ex[2] + height * en[2];
      const tx = fx[0] + height * fn[0];
      const ty = fx[1] + height * fn[1];
      const tz = fx[2] + height * fn[2];
      const cx = sy * tz - sz * ty;
      const cy = sz * tx - sx * tz;
      const cz = sx * ty - sy * tx;
      const det = cx * mx + cy * my + cz * mz;
      const flat = cross(ex, fx, mx, my, mz);
      if (!(det > FOLD * flat) || !(flat > 0)) return false;
      const dv = ((ry * tz - rz * ty) * mx + (rz * tx - rx * tz) * my + (rx * ty - ry * tx) * mz) / det;
      const dw = ((sy * rz - sz * ry) * mx + (sz * rx - sx * rz) * my + (sx * ry - sy * rx) * mz) / det;
      const dh = (cx * rx + cy * ry + cz * rz) / det;
      v += dv;
      w += dw;
      height += dh;
      if (!(Math.abs(v) + Math.abs(w) < 1e3)) return false;
      const relative = this.distance > 0 ? dh / this.distance : 0;
      if (dv * dv + dw * dw + relative * relative < CONVERGED) break;
    }
    this.found[0] = v;
    this.found[1] = w;
    this.found[2] = height;
    return true;
  }
}

/** (e×f)·m */
function cross(e: readonly number[], f: readonly number[], mx: number, my: number, mz: number): number {
  return (e[1] * f[2] - e[2] * f[1]) * mx + (e[2] * f[0] - e[0] * f[2]) * my + (e[0] * f[1] - e[1] * f[0]) * mz;
}
