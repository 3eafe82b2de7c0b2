// Bodies that lie inside an obstacle by a quarter or more, where they were put or it was put over them, leave it as a whole and by the
// shortest way, on both backends in double precision before the step. Particle by particle contact would wrap them around it: each goes
// to the nearest surface, and a ball that looked out of a box by a tenth stayed wrapped around it, its volume off by 137 %.

import type { Reals } from '../backends/backend.js';
import { type Groups, mayTouch } from '../contact/groups.js';
import { MeshObstacle } from '../contact/obstacles/mesh-obstacle.js';
import type { Obstacle } from '../contact/obstacles/obstacle.js';
import type { SurfacePoint } from '../contact/obstacles/surface-point.js';
import { add, normalize, scale, type Vec3 } from '../math/vec3.js';
import type { SolverSettings } from '../solvers/solver-settings.js';

/** Depth from which on a vertex is inside, in body sizes: contact leaves none that deep. */
const INSIDE = 0.02;
/** Vertices that are asked first, and how many of them have to be inside. */
const SAMPLES = 12;
const SAMPLES_INSIDE = 2;
/**
 * Share of all vertices that has to be inside. Balls, boxes and ducks that were put into boxes, spheres, capsules and plates with up to a third
 * of their vertices came out by contact alone, some of those with more were left on both sides of them. Where the volume is free, and be it
 * because a body is to be a cloud of particles, only what is wholly inside is moved.
 */
const MOST = 0.25;
const MOST_OF_FREE = 0.9;
/** Vertices whose nearest ways out are tried for the whole body. */
const TRIED = 12;
/** Looks along a way out until the last vertex is outside; distances are exact, so few do. */
const LOOKS = 40;
/** Gap that is left, in body sizes. */
const GAP = 1e-4;
/** Obstacles that a body may have to leave one after the other. */
const PASSES = 4;

interface EnclosedBody {
  readonly positions: Reals;
  readonly prepared: { readonly volume: { readonly size: number } };
  readonly contactSettings: Readonly<Groups>;
  readonly settings: SolverSettings;
  readonly pins: readonly unknown[];
  readonly asleep: boolean;
  load(): void;
}

const hit: SurfacePoint = { distance: 0, nx: 0, ny: 0, nz: 0 };
const local = new Float64Array(3);

/** Distance of a point to an obstacle at the start of the step [m]; `hit` gets the normal in the obstacle's frame. */
function distanceAtStart(collider: Obstacle, x: number, y: number, z: number): number {
  collider.start.toLocal(x, y, z, local);
  collider.measureLocal(local[0], local[1], local[2], hit);
  return hit.distance;
}

/** A direction of an obstacle's frame in the world. */
function toWorld({ start: { matrix: r } }: Obstacle, [x, y, z]: Vec3): Vec3 {
  return [r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z];
}

/** Place in `positions` of the nth of some vertices that are spread over all. */
const sampleAt = (positions: Reals, n: number, samples: number): number =>
  3 * Math.trunc((n * (positions.length / 3)) / samples);

const isDeep = (collider: Obstacle, positions: Reals, k: number, depth: number): boolean =>
  distanceAtStart(collider, positions[k], positions[k + 1], positions[k + 2]) < -depth;

function isInside(collider: Obstacle, { positions, prepared, settings }: EnclosedBody): boolean {
  const depth = INSIDE * prepared.volume.size;
  // Distances change no faster than one goes: where a vertex is further away than the body is long, none is inside.
  if (distanceAtStart(collider, positions[0], positions[1], positions[2]) > prepared.volume.size) return false;
  for (let n = 0, inside = 0; inside < SAMPLES_INSIDE; n++) {
    if (n - inside > SAMPLES - SAMPLES_INSIDE) return false;
    if (isDeep(collider, positions, sampleAt(positions, n, SAMPLES), depth)) inside++;
  }
  let deep = 0;
  for (let k = 0; k < positions.length; k += 3) if (isDeep(collider, positions, k, depth)) deep++;
  const most = settings.volume === false ? MOST_OF_FREE : MOST;
  return deep >= (most * positions.length) / 3;
}

/** Depth of the deepest vertex of a body that is moved by `way` [m]; below 0 where all are outside. */
function deepest(collider: Obstacle, positions: Reals, displacement: Vec3): number {
  let depth = -Infinity;
  for (let k = 0; k < positions.length; k += 3) {
    const distance = distanceAtStart(
      collider,
      positions[k] + displacement[0],
      positions[k + 1] + displacement[1],
      positions[k + 2] + displacement[2],
    );
    depth = Math.max(depth, -distance);
  }
  return depth;
}

/** Directions in which a body may leave an obstacle: up, out from its middle, along the axes, and where single vertices would go. */
function waysOut(collider: Obstacle, positions: Reals, gravity: Vec3): Vec3[] {
  const count = positions.length / 3;
  let middle: Vec3 = [0, 0, 0];
  for (let k = 0; k < positions.length; k += 3) {
    middle = add(middle, scale([positions[k], positions[k + 1], positions[k + 2]], 1 / count));
  }
  const outAt = (x: number, y: number, z: number): Vec3 => {
    distanceAtStart(collider, x, y, z);
    return toWorld(collider, [hit.nx, hit.ny, hit.nz]);
  };
  const displacements = [normalize(scale(gravity, -1)), outAt(...middle)];
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const along: [number, number, number] = [0, 0, 0];
      along[axis] = sign;
      displacements.push(toWorld(collider, along));
    }
  }
  for (let n = 0; n < TRIED; n++) {
    const k = sampleAt(positions, n, TRIED);
    displacements.push(outAt(positions[k], positions[k + 1], positions[k + 2]));
  }
  return displacements;
}

/** The shortest way [m] that brings all of a body out of an obstacle; one that ends in no other obstacle, where there is one. */
function shortestExit(
  collider: Obstacle,
  { positions, prepared }: EnclosedBody,
  around: readonly Obstacle[],
  gravity: Vec3,
): Vec3 | undefined {
  const gap = GAP * prepared.volume.size;
  let [best, free]: [Vec3 | undefined, Vec3 | undefined] = [undefined, undefined];
  let [length, freeLength] = [Infinity, Infinity];
  for (const direction of waysOut(collider, positions, gravity)) {
    let gone = 0;
    for (let look = 0; look < LOOKS && gone < freeLength; look++) {
      const depth = deepest(collider, positions, scale(direction, gone));
      if (depth < 0) break;
      gone += depth + gap;
    }
    const displacement = scale(direction, gone);
    if (!(gone < freeLength) || !(deepest(collider, positions, displacement) <= 0)) continue;
    if (gone < length) [best, length] = [displacement, gone];
    const isFree = around.every(
      (other) => other === collider || deepest(other, positions, displacement) < INSIDE * prepared.volume.size,
    );
    if (isFree) [free, freeLength] = [displacement, gone];
  }
  return free ?? best;
}

const hasInside = ({ solid }: Obstacle): boolean => !(solid instanceof MeshObstacle) || solid.isClosed;

/** The obstacles that a body may be inside of. */
const obstaclesOf = ({ contactSettings }: EnclosedBody, colliders: readonly Obstacle[]): Obstacle[] =>
  colliders.filter((collider) => hasInside(collider) && mayTouch(contactSettings, collider));

/** The first obstacle that a body is inside of; asked in every step, so without making anything. */
function enclosing(body: EnclosedBody, colliders: readonly Obstacle[]): Obstacle | undefined {
  for (const collider of colliders) {
    if (hasInside(collider) && mayTouch(body.contactSettings, collider) && isInside(collider, body)) return collider;
  }
  return undefined;
}

/** Moves bodies out of the obstacles that they lie in, as these are at the start of the step; their velocities stay. */
export function freeBodies(bodies: readonly EnclosedBody[], colliders: readonly Obstacle[], gravity: Vec3): void {
  for (const body of bodies) {
    if (body.asleep || body.pins.length > 0) continue;
    for (let pass = 0; pass < PASSES; pass++) {
      const collider = enclosing(body, colliders);
      const displacement = collider && shortestExit(collider, body, obstaclesOf(body, colliders), gravity);
      if (!displacement) break;
      for (let k = 0; k < body.positions.length; k++) body.positions[k] += displacement[k % 3];
      body.load();
    }
  }
}
