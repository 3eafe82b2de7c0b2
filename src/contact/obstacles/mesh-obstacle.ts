// A triangle mesh as an obstacle. Closed, it is solid; with a border it is a sheet with two sides, and a particle stays on
// the side where it is.

import { boundsOf, diagonalOf } from '../../mesh/measure.js';
import { analyseTopology } from '../../mesh/topology.js';
import type { Bounds, TriangleMesh } from '../../mesh/triangle-mesh.js';
import { buildTriangleTree, castRay, type TriangleTree } from '../../mesh/triangle-tree.js';
import { nearest, nearestOfTriangle } from '../narrow-phase/vertex-triangle.js';
import type { SurfacePoint } from './surface-point.js';
import { SURFACE_DEPTH } from './tuning.js';

export interface MeshShape {
  readonly shape: 'mesh';
  readonly mesh: TriangleMesh;
}

/** Distance that particles keep from a sheet, as a share of its size: on the sheet itself they would have no side. */
const SHEET_THICKNESS = 1e-3;
/** Share of the mesh's size below which a distance is rounding. */
const ROUNDING = 1e-12;
/** Squared distances that differ by less than this share are the same: two triangles at one edge. */
const SAME_DISTANCE = 1e-9;

const point = new Float64Array(3);

export class MeshObstacle {
  readonly tree: TriangleTree;
  private readonly bounds: Bounds;
  readonly isClosed: boolean;
  /** Distance that particles keep from the triangles [m]. */
  readonly thickness: number;
  /** Distances below this are rounding [m]. */
  private readonly rounding: number;
  /** Unit normal of each triangle. */
  readonly normals: Float64Array;
  /** Diagonal of the bounding box [m]. */
  readonly size: number;
  private readonly corners: Float64Array;
  private readonly stack: Uint32Array;
  /** The triangle nearest to the point asked for last: squared distance, vector to the point, height over its plane. */
  private readonly found = { square: 0, dx: 0, dy: 0, dz: 0, height: 0, triangle: -1 };

  constructor(mesh: TriangleMesh) {
    checkMesh(mesh);
    const { closed, winding, balanced } = analyseTopology(mesh);
    this.isClosed = closed && balanced && winding.clashingEdges.length === 0;
    this.corners = Float64Array.from(mesh.positions);
    this.tree = buildTriangleTree(this.corners, mesh.triangles);
    this.bounds = boundsOf(mesh.positions);
    this.size = diagonalOf(this.bounds);
    this.thickness = this.isClosed ? 0 : SHEET_THICKNESS * this.size;
    this.rounding = ROUNDING * this.size;
    this.normals = triangleNormals(this.corners, mesh.triangles);
    this.stack = new Uint32Array(this.tree.depth + 2);
  }

  /** Every particle that moves is followed along its way. */
  readonly thinnest = 0;

  measure(x: number, y: number, z: number, out: SurfacePoint): void {
    const outside = this.boxDistance(x, y, z);
    if (outside > this.thickness) {
      out.distance = outside - this.thickness;
      out.nx = 0;
      out.ny = 1;
      out.nz = 0;
      return;
    }
    this.findNearest(x, y, z);
    const { square, dx, dy, dz, height, triangle } = this.found;
    const distance = Math.sqrt(square);
    const inside = this.isClosed && height < 0;
    out.distance = (inside ? -distance : distance) - this.thickness;
    // A particle that was put on the surface is there but for rounding.
    if (Math.abs(out.distance) < this.rounding) out.distance = 0;
    const scale = distance > 0 ? (inside ? -1 : 1) / distance : 0;
    out.nx = scale !== 0 ? scale * dx : this.normals[3 * triangle];
    out.ny = scale !== 0 ? scale * dy : this.normals[3 * triangle + 1];
    out.nz = scale !== 0 ? scale * dz : this.normals[3 * triangle + 2];
  }

  /**
   * The first triangle on the way between two points of the mesh's frame; of a closed mesh only from outside, or from its
   * surface. On a hit `out` is the end of the way against the triangle's plane, on the side it came from.
   */
  sweep(from: ArrayLike<number>, to: ArrayLike<number>, out: SurfacePoint): boolean {
    const displacement = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const;
    const length = Math.sqrt(displacement[0] ** 2 + displacement[1] ** 2 + displacement[2] ** 2);
    const hit = castRay(this.tree, [from[0], from[1], from[2]], displacement, { maxDistance: length });
    if (!hit) return this.isClosed && this.leaveFrom(from, to, out);
    const n = 3 * hit.triangle;
    const along =
      this.normals[n] * displacement[0] + this.normals[n + 1] * displacement[1] + this.normals[n + 2] * displacement[2];
    if (this.isClosed && along >= 0) return this.leaveFrom(from, to, out);
    const side = along < 0 ? 1 : -1;
    out.nx = side * this.normals[n];
    out.ny = side * this.normals[n + 1];
    out.nz = side * this.normals[n + 2];
    out.distance = -Math.abs(along) * (1 - hit.distance / length) - this.thickness;
    return true;
  }

  /** The same for a way that begins on the surface or just below it and goes in: against the plane above its begin. */
  private leaveFrom(from: ArrayLike<number>, to: ArrayLike<number>, out: SurfacePoint): boolean {
    if (this.boxDistance(from[0], from[1], from[2]) > this.rounding) return false;
    this.findNearest(from[0], from[1], from[2]);
    const { square, height, triangle } = this.found;
    if (height > this.rounding || Math.sqrt(square) > SURFACE_DEPTH * this.size) return false;
    const [nx, ny, nz] = this.normals.subarray(3 * triangle, 3 * triangle + 3);
    const along = nx * (to[0] - from[0]) + ny * (to[1] - from[1]) + nz * (to[2] - from[2]);
    if (along >= 0) return false;
    out.nx = nx;
    out.ny = ny;
    out.nz = nz;
    out.distance = height + along;
    return true;
  }

  private boxDistance(x: number, y: number, z: number): number {
    const [low, high] = this.bounds;
    const dx = Math.max(0, low[0] - x, x - high[0]);
    const dy = Math.max(0, low[1] - y, y - high[1]);
    const dz = Math.max(0, low[2] - z, z - high[2]);
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  private findNearest(x: number, y: number, z: number): void {
    const { stack, found } = this;
    const { nodeBounds, nodeCounts, nodeLinks } = this.tree;
    found.square = Infinity;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    let top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const node = stack[--top];
      if (squareToBox(nodeBounds, 6 * node) > found.square * (1 + SAME_DISTANCE)) continue;
      if (nodeCounts[node] > 0) {
        for (let n = nodeLinks[node]; n < nodeLinks[node] + nodeCounts[node]; n++) this.tryTriangle(this.tree.order[n]);
        continue;
      }
      const left = node + 1;
      const right = nodeLinks[node];
      const leftFirst = squareToBox(nodeBounds, 6 * left) <= squareToBox(nodeBounds, 6 * right);
      stack[top++] = leftFirst ? right : left;
      stack[top++] = leftFirst ? left : right;
    }
  }

  /** Of two triangles at one edge the one that the point faces more tells inside from outside. */
  private tryTriangle(triangle: number): void {
    const { found, corners, normals } = this;
    const { triangles } = this.tree;
    const t = 3 * triangle;
    const square = nearestOfTriangle(point, 0, corners, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]);
    if (square > found.square * (1 + SAME_DISTANCE)) return;
    const height = normals[t] * nearest.dx + normals[t + 1] * nearest.dy + normals[t + 2] * nearest.dz;
    if (square >= found.square * (1 - SAME_DISTANCE) && Math.abs(height) <= Math.abs(found.height)) return;
    found.square = square;
    found.dx = nearest.dx;
    found.dy = nearest.dy;
    found.dz = nearest.dz;
    found.height = height;
    found.triangle = triangle;
  }
}

/** Squared distance from `point` to the box at `at`. */
function squareToBox(bounds: Float64Array, at: number): number {
  let square = 0;
  for (let c = 0; c < 3; c++) {
    const d = Math.max(0, bounds[at + c] - point[c], point[c] - bounds[at + 3 + c]);
    square += d * d;
  }
  return square;
}

function triangleNormals(x: Float64Array, triangles: Uint32Array): Float64Array {
  const normals = new Float64Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (length > 0) normals.set([nx / length, ny / length, nz / length], t);
  }
  return normals;
}

function checkMesh(mesh: TriangleMesh): void {
  const vertices = (mesh?.positions?.length ?? 0) / 3;
  const { positions, triangles } = mesh ?? {};
  if (!(triangles?.length >= 3 && triangles.length % 3 === 0 && Number.isInteger(vertices))) {
    throw new RangeError('mesh: expected a triangle mesh with at least one triangle');
  }
  if (!positions.every(Number.isFinite)) throw new RangeError('mesh.positions: expected finite numbers');
  const wrong = triangles.find((vertex) => vertex >= vertices);
  if (wrong !== undefined) throw new RangeError(`mesh.triangles: expected vertices below ${vertices}, got ${wrong}`);
}
