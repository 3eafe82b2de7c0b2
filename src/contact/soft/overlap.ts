// Bodies that lie in each other deeper than contact looks: started so, dragged or shot through. Nearest surfaces would
// send their vertices to all sides; instead the two are moved apart as wholes.
// Based on: J. Allard, F. Faure, H. Courtecuisse, F. Falipou, C. Duriez, P. Kry, Volume contact constraints at arbitrary
// resolution, 2010 (the overlap shrinks fastest where each body's surface inside the other moves along its own normals).

import { vertexNormals } from '../../mesh/measure.js';
import type { Bvh } from '../broad-phase/bvh.js';
import type { ContactBody } from '../contact-body.js';
import type { Candidates } from '../narrow-phase/detection.js';
import { LOST } from '../narrow-phase/tuning.js';
import {
  DEEP_SHARE,
  EXIT,
  IMPACT_TIME,
  LEAVE_TIME,
  NO_DIRECTION,
  SAME_WAY,
  SLOW_SHARE,
  SPEED,
  SURFACE,
} from './tuning.js';

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

/** What of one body lies inside another: how many vertices, how many of them far from the surface, Σ n̄ and Σ |n̄| over them. */
interface Inside {
  count: number;
  deep: number;
  area: number;
  readonly normal: Float64Array;
}

const ofA: Inside = { count: 0, deep: 0, area: 0, normal: new Float64Array(3) };
const ofB: Inside = { count: 0, deep: 0, area: 0, normal: new Float64Array(3) };
let normals = new Float64Array(0);

/**
 * A vertex near the other's surface is deep where the two face the same way: its body reaches further in. The others are
 * asked for by a ray.
 */
function measureInside(body: ContactBody, other: ContactBody, of: Candidates, out: Inside): void {
  const { starts, count } = body.particles;
  if (normals.length < starts.length) normals = new Float64Array(starts.length);
  vertexNormals(starts, body.contactRest.mesh.triangles, normals);
  out.count = 0;
  out.deep = 0;
  out.area = 0;
  out.normal.fill(0);
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    const [x, y, z] = [starts[k], starts[k + 1], starts[k + 2]];
    const area = Math.sqrt(normals[k] ** 2 + normals[k + 1] ** 2 + normals[k + 2] ** 2);
    if (of.squares[i] < Infinity) {
      if (of.heights[i] > SURFACE * other.contactRest.edge) continue;
      const facing =
        of.normals[k] * normals[k] + of.normals[k + 1] * normals[k + 1] + of.normals[k + 2] * normals[k + 2];
      if (facing > SAME_WAY * area) out.deep++;
    } else {
      if (!isInside(other, x, y, z)) continue;
      of.keepDeep(i);
      out.deep++;
    }
    out.count++;
    out.area += area;
    for (let c = 0; c < 3; c++) out.normal[c] += normals[k + c];
  }
}

/**
 * Moves two bodies apart if one has vertices deep inside the other, a bounded way per step, and takes their approach.
 * Returns the way on which a leaves b if it was so, a unit vector. Once begun (`before`) it goes on to the last vertex.
 */
export function separateDeep(
  a: ContactBody,
  b: ContactBody,
  candidatesA: Candidates,
  candidatesB: Candidates,
  timeStep: number,
  before: boolean,
): Float64Array | undefined {
  measureInside(a, b, candidatesA, ofA);
  measureInside(b, a, candidatesB, ofB);
  const velocityA = meanOf(a, a.particles.velocities);
  const velocityB = meanOf(b, b.particles.velocities);
  const speed = Math.max(speedAgainst(a, velocityB), speedAgainst(b, velocityA));
  const size = Math.min(a.contactRest.size, b.contactRest.size);
  const isFast = IMPACT_TIME * speed > SLOW_SHARE * size;
  const few = before || !isFast ? 0 : DEEP_SHARE * (a.particles.count + b.particles.count);
  if (ofA.deep + ofB.deep <= few) return undefined;
  const centreA = meanOf(a, a.particles.starts);
  const centreB = meanOf(b, b.particles.starts);
  const way = ofB.normal.map((n, c) => n - ofA.normal[c]);
  if (!normalise(way, NO_DIRECTION * (ofA.area + ofB.area))) {
    way.set(centreA.map((x, c) => x - centreB[c]));
    if (!normalise(way, 1e-6 * size)) way.set([0, 1, 0]);
  }
  const approach = -velocityA.reduce((sum, v, c) => sum + (v - velocityB[c]) * way[c], 0);
  const massA = massOf(a);
  const massB = massOf(b);
  const shareA = massB === Infinity ? 1 : massA === Infinity ? 0 : massB / (massA + massB);
  const depthA = findExits(a, b, candidatesA, way, EXIT * size);
  const depthB = findExits(
    b,
    a,
    candidatesB,
    way.map((x) => -x),
    EXIT * size,
  );
  const shift = Math.min(SPEED * size, Math.max(depthA, depthB) / LEAVE_TIME) * timeStep;
  const stop = Math.max(0, approach);
  move(a, way, shareA * (shift + stop * timeStep), shareA * stop);
  move(b, way, (shareA - 1) * (shift + stop * timeStep), (shareA - 1) * stop);
  return way;
}

/** Finds where the deep vertices of a body come out of the other on its way; returns how far the deepest has to go [m]. */
function findExits(
  { particles }: ContactBody,
  other: ContactBody,
  of: Candidates,
  way: Float64Array,
  furthest: number,
): number {
  const { starts } = particles;
  // Boxes are divided by it.
  const ray = way.map((x) => (Math.abs(x) < 1e-9 ? 1e-9 : x));
  let deepest = 0;
  for (let n = 0; n < of.touchedCount; n++) {
    const i = of.touched[n];
    const depth = of.times[i] === LOST ? findExit(other, of, i, starts, ray, furthest) : -of.heights[i];
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Finds where a vertex comes out of a body; returns how far it is [m], or `furthest`. */
function findExit(
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

const massOf = ({ particles, sleep }: ContactBody): number =>
  sleep.asleep ? Infinity : particles.masses.reduce((sum, m) => sum + m, 0);

/** Mean of a vector over the particles, by mass. */
function meanOf({ particles }: ContactBody, vectors: Float64Array): Float64Array {
  const { masses } = particles;
  const mean = new Float64Array(3);
  let mass = 0;
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    mass += masses[i];
    for (let c = 0; c < 3; c++) mean[c] += masses[i] * vectors[k + c];
  }
  return mean.map((sum) => sum / mass);
}

/**
 * Root mean square, by mass, of how fast particles move against a velocity [m/s]. Not of their mean: two balls that have
 * met at 100 m/s move together, crushed, and fold until they have sprung back.
 */
function speedAgainst({ particles }: ContactBody, velocity: Float64Array): number {
  const { masses, velocities } = particles;
  let sum = 0;
  let mass = 0;
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    mass += masses[i];
    for (let c = 0; c < 3; c++) sum += masses[i] * (velocities[k + c] - velocity[c]) ** 2;
  }
  return Math.sqrt(sum / mass);
}

/** Scales a vector to length 1; false where it is shorter than `least`. */
function normalise(vector: Float64Array, least: number): boolean {
  const length = Math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2);
  if (!(length > least)) return false;
  for (let c = 0; c < 3; c++) vector[c] /= length;
  return true;
}

function move({ particles, pinned }: ContactBody, way: Float64Array, shift: number, speed: number): void {
  const { positions, velocities } = particles;
  for (let k = 0; k < positions.length; k++) {
    if (pinned[Math.trunc(k / 3)] !== 0) continue;
    positions[k] += shift * way[k % 3];
    velocities[k] += speed * way[k % 3];
  }
}
