// Bodies that lie in each other deeper than contact looks: started so, dragged or shot through. Nearest surfaces would
// send their vertices to all sides; instead the two are moved apart around each pocket that they have in common.

import { vertexNormals } from '../../mesh/measure.js';
import type { Bvh } from '../broad-phase/bvh.js';
import type { ContactBody } from '../contact-body.js';
import type { Candidates } from '../narrow-phase/detection.js';
import { LOST } from '../narrow-phase/tuning.js';
import { type Inside, type Pocket, Pockets } from './pockets.js';
import {
  AROUND,
  AROUND_LEAST,
  DEEP_SHARE,
  EVERYWHERE,
  EXIT,
  FAR,
  HURRIED,
  HURRY,
  IMPACT_TIME,
  INSIDE,
  LEAVE_TIME,
  SAME_WAY,
  SLOW_SHARE,
  SPEED,
  STUCK_DEPTH,
  STUCK_FOR,
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

/**
 * A vertex near the other's surface is far in where the two face the same way, as its body reaches further in, and from a depth on. The others are
 * asked for by a ray.
 */
function markInside(body: ContactBody, other: ContactBody, of: Candidates, farFrom: number): Inside {
  const { starts, count } = body.particles;
  const normals = vertexNormals(starts, body.contactRest.mesh.triangles);
  const marks = new Uint8Array(count);
  let far = 0;
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    if (of.squares[i] < Infinity) {
      if (of.heights[i] > SURFACE * other.contactRest.edge) continue;
      const area = Math.sqrt(normals[k] ** 2 + normals[k + 1] ** 2 + normals[k + 2] ** 2);
      const facing =
        of.normals[k] * normals[k] + of.normals[k + 1] * normals[k + 1] + of.normals[k + 2] * normals[k + 2];
      marks[i] = facing > SAME_WAY * area || of.heights[i] < -farFrom ? INSIDE | FAR : INSIDE;
    } else {
      if (!isInside(other, starts[k], starts[k + 1], starts[k + 2])) continue;
      of.keepDeep(i);
      marks[i] = INSIDE | FAR;
    }
    if ((marks[i] & FAR) !== 0) far++;
  }
  return { marks, far, normals };
}

/**
 * Moves two bodies apart if one has vertices deep inside the other, around the deepest pocket, by a bounded way per step, and takes their
 * approach there. Returns the pockets if it was so. Once begun (`before`) it goes on to the last vertex.
 */
export function separateDeep(
  a: ContactBody,
  b: ContactBody,
  candidatesA: Candidates,
  candidatesB: Candidates,
  timeStep: number,
  before: boolean,
): Pockets | undefined {
  const size = Math.min(a.contactRest.size, b.contactRest.size);
  const farFrom = Math.min(a.sleep.slowTime, b.sleep.slowTime) > STUCK_FOR ? STUCK_DEPTH * size : Infinity;
  const insideA = markInside(a, b, candidatesA, farFrom);
  const insideB = markInside(b, a, candidatesB, farFrom);
  const speed = Math.max(
    speedAgainst(a, meanOf(b, b.particles.velocities)),
    speedAgainst(b, meanOf(a, a.particles.velocities)),
  );
  const isFast = IMPACT_TIME * speed > SLOW_SHARE * size;
  const few = before || !isFast ? 0 : DEEP_SHARE * (a.particles.count + b.particles.count);
  if (insideA.far + insideB.far <= few) return undefined;
  const pockets = new Pockets([a, b], [insideA, insideB], [candidatesA, candidatesB], wayBetween(a, b, size));
  const deepest: Deepest = { depth: 1e-6 * size };
  findExits(a, b, candidatesA, pockets, 0, EXIT * size, deepest);
  findExits(b, a, candidatesB, pockets, 1, EXIT * size, deepest);
  for (const body of [a, b]) body.deepBy = Math.max(body.deepBy, deepest.depth);
  if (deepest.pocket) {
    const around = surroundingsOf(deepest.pocket, pockets, isFast, size);
    separate(a, b, deepest.pocket.way, around, deepest.depth, size, timeStep);
  }
  return pockets;
}

/** From the centre of one body to that of the other, as a unit vector. */
function wayBetween(a: ContactBody, b: ContactBody, size: number): Float64Array {
  const [centreA, centreB] = [meanOf(a, a.particles.starts), meanOf(b, b.particles.starts)];
  const way = centreA.map((x, c) => x - centreB[c]);
  const length = Math.sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2);
  return length > 1e-6 * size ? way.map((x) => x / length) : Float64Array.of(0, 1, 0);
}

/**
 * Moves bodies apart around a pocket, where they are nearest to it as it is and less and less beyond: a limb leaves as a limb. (Moved as wholes for
 * the sake of a finger, bodies lifted what lay on them in every step, and no pile of real meshes slept.)
 */
function separate(
  a: ContactBody,
  b: ContactBody,
  way: Float64Array,
  around: PocketSurroundings,
  depth: number,
  size: number,
  timeStep: number,
): void {
  const [localA, localB] = [meanAround(a, around), meanAround(b, around)];
  const massA = a.sleep.asleep ? Infinity : localA.mass;
  const massB = b.sleep.asleep ? Infinity : localB.mass;
  const shareA = massB === Infinity ? 1 : massA === Infinity ? 0 : massB / (massA + massB);
  const approach = localB.velocity.reduce((sum, v, c) => sum + (v - localA.velocity[c]) * way[c], 0);
  const stop = Math.max(0, approach);
  const hurry = Math.min(HURRIED, 1 + HURRY * Math.min(a.sleep.slowTime, b.sleep.slowTime));
  const shift = (Math.min(SPEED * size, (hurry * depth) / LEAVE_TIME) + stop) * timeStep;
  move(a, around, way, shareA * shift, shareA * stop);
  move(b, around, way, (shareA - 1) * shift, (shareA - 1) * stop);
}

/** The middle of a pocket, half its extent, and how far from the middle nothing is moved any more [m]. */
interface PocketSurroundings {
  readonly middle: readonly number[];
  readonly inner: number;
  readonly outer: number;
}

/** They end where another pocket begins: a body that clasps another was moved into it on one side and on the other by turns. */
function surroundingsOf(pocket: Pocket, pockets: Pockets, isFast: boolean, size: number): PocketSurroundings {
  const { low, high } = pocket;
  const middle = low.map((x, c) => (x + high[c]) / 2);
  if (isFast) return { middle, inner: EVERYWHERE * size, outer: (EVERYWHERE + AROUND) * size };
  const inner = Math.sqrt(low.reduce((sum, x, c) => sum + (high[c] - x) ** 2, 0)) / 2;
  const others = pockets.othersFrom(middle, pocket);
  return { middle, inner, outer: inner + Math.max(AROUND_LEAST * size, Math.min(AROUND * size, others - inner)) };
}

/** By how much a particle is moved with a pocket: 1 within it, 0 far away. */
function weightAt(points: Float64Array, k: number, { middle, inner, outer }: PocketSurroundings): number {
  const [x, y, z] = [points[k] - middle[0], points[k + 1] - middle[1], points[k + 2] - middle[2]];
  const t = Math.min(1, Math.max(0, (outer - Math.sqrt(x * x + y * y + z * z)) / (outer - inner)));
  return t * t * (3 - 2 * t);
}

/** Mass of a body around a pocket [kg], and its mean velocity. */
function meanAround({ particles }: ContactBody, around: PocketSurroundings): { mass: number; velocity: Float64Array } {
  const { starts, velocities, masses } = particles;
  const velocity = new Float64Array(3);
  let [mass, total] = [0, 0];
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    const weight = masses[i] * weightAt(starts, k, around);
    mass += weight;
    total += masses[i];
    for (let c = 0; c < 3; c++) velocity[c] += weight * velocities[k + c];
  }
  // A coarse body may have no particle there.
  mass = Math.max(mass, 1e-6 * total);
  return { mass, velocity: velocity.map((sum) => sum / mass) };
}

/** How far the deepest vertex of a pair has to go [m], and its pocket. */
interface Deepest {
  depth: number;
  pocket?: Pocket;
}

/** Finds where the deep vertices of a body come out of the other on the ways of their pockets. */
function findExits(
  { particles }: ContactBody,
  other: ContactBody,
  of: Candidates,
  pockets: Pockets,
  side: 0 | 1,
  furthest: number,
  deepest: Deepest,
): void {
  for (let n = 0; n < of.touchedCount; n++) {
    const i = of.touched[n];
    const pocket = pockets.at(side, i);
    if (!pocket) continue;
    let depth = -of.heights[i];
    if (of.times[i] === LOST) {
      // Boxes are divided by it.
      const ray = pocket.way.map((x) => (side === 0 ? x : -x)).map((x) => (Math.abs(x) < 1e-9 ? 1e-9 : x));
      depth = findExit(other, of, i, particles.starts, ray, furthest);
    }
    if (depth > deepest.depth) Object.assign(deepest, { depth, pocket });
  }
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

function move(
  { particles, pinned }: ContactBody,
  around: PocketSurroundings,
  way: Float64Array,
  shift: number,
  speed: number,
): void {
  const { starts, positions, velocities } = particles;
  for (let i = 0, k = 0; k < positions.length; i++, k += 3) {
    if (pinned[i] !== 0) continue;
    const weight = weightAt(starts, k, around);
    for (let c = 0; c < 3; c++) {
      positions[k + c] += weight * shift * way[c];
      velocities[k + c] += weight * speed * way[c];
    }
  }
}
