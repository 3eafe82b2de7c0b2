// What of a body lies inside another at the start of a step, and where it comes out again: near its surface by the nearest triangle, elsewhere by a ray.

import { vertexNormals } from '../../mesh/measure.js';
import type { Bvh } from '../broad-phase/bvh.js';
import type { ContactBody } from '../contact-body.js';
import type { Candidates } from '../narrow-phase/detection.js';
import type { Inside } from './pockets.js';
import { FAR, INSIDE, SAME_WAY, SHALLOW, SURFACE } from './tuning.js';

/** No coordinate plane, no edge of a regular mesh lies along it. */
const RAY = [0.8017, 0.5345, 0.2673];

/** Whether a point is inside a body at the start of the step: an odd number of triangles lies in one direction of it. */
export function isInside(body: ContactBody, x: number, y: number, z: number): boolean {
  const { bvh, mesh } = body.contactRest;
  const { bounds } = body;
  if (x < bounds[0] || y < bounds[1] || z < bounds[2] || x > bounds[3] || y > bounds[4] || z > bounds[5]) return false;
  const { starts } = body.particles;
  makeRoom(bvh);
  let top = 0;
  let hits = 0;
  stack[top++] = 0;
  while (top > 0) {
    const node = stack[--top];
    if (!rayMeetsBox(bounds, 6 * node, x, y, z, RAY, Infinity)) continue;
    const count = bvh.nodeCounts[node];
    if (count === 0) {
      stack[top++] = bvh.nodeLinks[node];
      stack[top++] = node + 1;
      continue;
    }
    for (let n = bvh.nodeLinks[node]; n < bvh.nodeLinks[node] + count; n++) {
      const t = 3 * bvh.order[n];
      if (
        rayMeetsTriangle(
          starts,
          3 * mesh.triangles[t],
          3 * mesh.triangles[t + 1],
          3 * mesh.triangles[t + 2],
          x,
          y,
          z,
          RAY,
        )
      )
        hits++;
    }
  }
  return hits % 2 === 1;
}

let stack = new Uint32Array(128);

/** A walk down this tree fits on the stack from here on. */
function makeRoom({ depth }: Bvh): void {
  if (stack.length < 2 * depth + 2) stack = new Uint32Array(4 * depth + 4);
}

function rayMeetsBox(
  bounds: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
  ray: ArrayLike<number>,
  furthest: number,
): boolean {
  const lowX = (bounds[at] - x) / ray[0];
  const lowY = (bounds[at + 1] - y) / ray[1];
  const lowZ = (bounds[at + 2] - z) / ray[2];
  const highX = (bounds[at + 3] - x) / ray[0];
  const highY = (bounds[at + 4] - y) / ray[1];
  const highZ = (bounds[at + 5] - z) / ray[2];
  return (
    Math.max(0, Math.min(lowX, highX), Math.min(lowY, highY), Math.min(lowZ, highZ)) <=
    Math.min(furthest, Math.max(lowX, highX), Math.max(lowY, highY), Math.max(lowZ, highZ))
  );
}

/** Weights of the second and third corner where the last ray met a triangle, and how far along it. */
const met = { wb: 0, wc: 0, way: 0 };

function rayMeetsTriangle(
  points: Float64Array,
  a: number,
  b: number,
  c: number,
  x: number,
  y: number,
  z: number,
  ray: ArrayLike<number>,
): boolean {
  const ux = points[b] - points[a];
  const uy = points[b + 1] - points[a + 1];
  const uz = points[b + 2] - points[a + 2];
  const vx = points[c] - points[a];
  const vy = points[c + 1] - points[a + 1];
  const vz = points[c + 2] - points[a + 2];
  const [dx, dy, dz] = [ray[0], ray[1], ray[2]];
  const px = dy * vz - dz * vy;
  const py = dz * vx - dx * vz;
  const pz = dx * vy - dy * vx;
  const determinant = ux * px + uy * py + uz * pz;
  if (determinant === 0) return false;
  const sx = x - points[a];
  const sy = y - points[a + 1];
  const sz = z - points[a + 2];
  const wb = (sx * px + sy * py + sz * pz) / determinant;
  if (wb < 0 || wb > 1) return false;
  const qx = sy * uz - sz * uy;
  const qy = sz * ux - sx * uz;
  const qz = sx * uy - sy * ux;
  const wc = (dx * qx + dy * qy + dz * qz) / determinant;
  if (wc < 0 || wb + wc > 1) return false;
  met.wb = wb;
  met.wc = wc;
  met.way = (vx * qx + vy * qy + vz * qz) / determinant;
  return met.way > 0;
}

/**
 * A vertex near the other's surface is far in where the two face the same way, as its body reaches further in, unless it is shallow. The others
 * are asked for by a ray.
 */
export function markInside(body: ContactBody, other: ContactBody, of: Candidates): Inside {
  const { starts, count } = body.particles;
  const normals = vertexNormals(starts, body.contactRest.mesh.triangles);
  const marks = new Uint8Array(count);
  const shallow = SHALLOW * Math.min(body.contactRest.size, other.contactRest.size);
  let [far, sunk] = [0, 0];
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    if (of.squares[i] < Infinity) {
      if (of.heights[i] > SURFACE * other.contactRest.edge) continue;
      const area = Math.sqrt(normals[k] ** 2 + normals[k + 1] ** 2 + normals[k + 2] ** 2);
      const facing =
        of.normals[k] * normals[k] + of.normals[k + 1] * normals[k + 1] + of.normals[k + 2] * normals[k + 2];
      sunk = Math.max(sunk, Math.sqrt(of.squares[i]));
      marks[i] = facing > SAME_WAY * area && of.heights[i] < -shallow ? INSIDE | FAR : INSIDE;
    } else {
      if (!isInside(other, starts[k], starts[k + 1], starts[k + 2])) continue;
      of.keepDeep(i);
      marks[i] = INSIDE | FAR;
    }
    if ((marks[i] & FAR) !== 0) far++;
  }
  return { marks, far, sunk, normals };
}

/** Finds where a vertex comes out of a body; returns how far it is [m], or `furthest`. */
export function findExit(
  { bounds, contactRest, particles }: ContactBody,
  of: Candidates,
  vertex: number,
  points: Float64Array,
  ray: Float64Array,
  furthest: number,
): number {
  const { bvh, mesh } = contactRest;
  const { triangles } = mesh;
  const [x, y, z] = [points[3 * vertex], points[3 * vertex + 1], points[3 * vertex + 2]];
  makeRoom(bvh);
  let depth = furthest;
  let top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const node = stack[--top];
    if (!rayMeetsBox(bounds, 6 * node, x, y, z, ray, depth)) continue;
    const count = bvh.nodeCounts[node];
    if (count === 0) {
      stack[top++] = bvh.nodeLinks[node];
      stack[top++] = node + 1;
      continue;
    }
    for (let n = bvh.nodeLinks[node]; n < bvh.nodeLinks[node] + count; n++) {
      const t = 3 * bvh.order[n];
      const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
      if (!rayMeetsTriangle(particles.starts, a, b, c, x, y, z, ray) || met.way >= depth) continue;
      depth = met.way;
      of.keepExit(vertex, bvh.order[n], met.wb, met.wc, depth);
    }
  }
  return depth;
}
