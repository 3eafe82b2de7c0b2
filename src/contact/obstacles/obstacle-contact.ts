// Particles against obstacles: out of the obstacle, no approach along the normal, Coulomb friction along the surface.

import type { ParticleContacts } from '../particle-contacts.js';
import { MeshObstacle } from './mesh-obstacle.js';
import type { Obstacle } from './obstacle.js';
import type { SurfacePoint } from './surface-point.js';
import { PASSES, SWEEP_SHARE, SWEEP_STEPS } from './tuning.js';

const hit: SurfacePoint = { distance: 0, nx: 0, ny: 0, nz: 0 };
const drag = new Float64Array(3);
const from = new Float64Array(3);
const to = new Float64Array(3);
const touch = new Float64Array(3);

/**
 * Moves penetrating particles to the surface, takes the approaching part of their velocity relative to the obstacle,
 * applies friction, and records them in `contacts`. Pinned particles are left alone. Particles do not bounce, bodies do:
 * see `world/rebound`.
 */
export function resolveObstacles(
  colliders: readonly Obstacle[],
  positions: Float64Array,
  starts: Float64Array,
  velocities: Float64Array,
  pinned: Uint8Array,
  timeStep: number,
  contacts: ParticleContacts,
): void {
  contacts.colliding.fill(0);
  resolveAgain(colliders, positions, starts, velocities, pinned, timeStep, contacts);
}

/** The same for particles that something else has moved since; what is recorded of the others stays. */
export function resolveAgain(
  colliders: readonly Obstacle[],
  positions: Float64Array,
  starts: Float64Array,
  velocities: Float64Array,
  pinned: Uint8Array,
  timeStep: number,
  contacts: ParticleContacts,
): void {
  let found = true;
  for (let pass = 0; pass < PASSES && found; pass++) {
    found = false;
    for (const collider of colliders) {
      const sweepLength = SWEEP_SHARE * collider.thinnest;
      for (let i = 0, k = 0; i < pinned.length; i++, k += 3) {
        if (pinned[i] !== 0) continue;
        const swept = pass === 0 && sweep(collider, collider.start, starts, positions, k, sweepLength);
        if (!swept) collider.measure(positions[k], positions[k + 1], positions[k + 2], hit);
        if (!(hit.distance < 0)) continue;
        found = true;
        respond(collider, positions, velocities, i, timeStep, contacts);
      }
    }
  }
}

/** Applies `hit` to particle i: depth out along the normal, then velocity; friction moves the position back as well. */
function respond(
  collider: Obstacle,
  positions: Float64Array,
  velocities: Float64Array,
  i: number,
  timeStep: number,
  contacts: ParticleContacts,
): void {
  const k = 3 * i;
  positions[k] -= hit.distance * hit.nx;
  positions[k + 1] -= hit.distance * hit.ny;
  positions[k + 2] -= hit.distance * hit.nz;
  collider.displacementAt(positions[k], positions[k + 1], positions[k + 2], drag);
  contacts.colliding[i] = 1;
  contacts.frictions[i] = collider.friction * (contacts.factors?.[i] ?? 1);
  contacts.normals[k] = hit.nx;
  contacts.normals[k + 1] = hit.ny;
  contacts.normals[k + 2] = hit.nz;
  outward[0] = hit.nx;
  outward[1] = hit.ny;
  outward[2] = hit.nz;
  for (let c = 0; c < 3; c++) contacts.surfaceVelocities[k + c] = drag[c] / timeStep;
  for (let c = 0; c < 3; c++) given[c] = -velocities[k + c];
  stopApproach(contacts, velocities, i);
  for (let c = 0; c < 3; c++) positions[k + c] += timeStep * slipTaken[c];
  if (!contacts.record) return;
  const { masses, touches } = contacts.record;
  for (let c = 0; c < 3; c++) given[c] = masses[i] * (given[c] + velocities[k + c]);
  touches.with(collider).add(masses[i], positions, k, given, outward, collider.end.position);
}

/** What an obstacle gave to a particle: a change of velocity, then of momentum. */
const given = new Float64Array(3);
const outward = new Float64Array(3);
const slipTaken = new Float64Array(3);

/**
 * Takes the velocity of colliding particle i into its obstacle, and by Coulomb's law slip along it; `slipTaken` is the
 * change along the surface.
 */
function stopApproach(contacts: ParticleContacts, velocities: Float64Array, i: number): void {
  const { normals, surfaceVelocities, frictions } = contacts;
  const k = 3 * i;
  slipTaken.fill(0);
  const nx = normals[k];
  const ny = normals[k + 1];
  const nz = normals[k + 2];
  let vx = velocities[k] - surfaceVelocities[k];
  let vy = velocities[k + 1] - surfaceVelocities[k + 1];
  let vz = velocities[k + 2] - surfaceVelocities[k + 2];
  const approach = vx * nx + vy * ny + vz * nz;
  if (approach >= 0) return;
  vx -= approach * nx;
  vy -= approach * ny;
  vz -= approach * nz;
  const slip = Math.sqrt(vx * vx + vy * vy + vz * vz);
  const braked = slip > 0 ? Math.min(1, (-frictions[i] * approach) / slip) : 0;
  slipTaken[0] = -braked * vx;
  slipTaken[1] = -braked * vy;
  slipTaken[2] = -braked * vz;
  velocities[k] += slipTaken[0] - approach * nx;
  velocities[k + 1] += slipTaken[1] - approach * ny;
  velocities[k + 2] += slipTaken[2] - approach * nz;
}

/** Keeps velocities from pointing into obstacles: what an obstacle lets pass. */
export function stopApproaching(contacts: ParticleContacts, velocities: Float64Array): void {
  for (let i = 0; i < contacts.colliding.length; i++) {
    if (contacts.colliding[i] !== 0) stopApproach(contacts, velocities, i);
  }
}

/**
 * Mean over all particles, by mass, of the normals of the obstacles that they touch: how much these can push, and which way. Not of
 * other bodies, which are pushed back by nothing: piles of balls that counted on each other did not come to rest.
 */
export function supportOf(
  { colliding, normals }: Pick<ParticleContacts, 'colliding' | 'normals'>,
  masses: Float64Array,
): Float64Array {
  const support = new Float64Array(3);
  let mass = 0;
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    mass += masses[i];
    if (colliding[i] !== 0) for (let c = 0; c < 3; c++) support[c] += masses[i] * normals[k + c];
  }
  return support.map((sum) => sum / mass);
}

/** Lets a displacement of colliding particles only slide along or leave their obstacle. */
export function liftOff(contacts: ParticleContacts, displacement: Float64Array): void {
  const { colliding, normals } = contacts;
  for (let i = 0, k = 0; i < colliding.length; i++, k += 3) {
    if (colliding[i] === 0) continue;
    const inward =
      displacement[k] * normals[k] + displacement[k + 1] * normals[k + 1] + displacement[k + 2] * normals[k + 2];
    if (inward >= 0) continue;
    for (let c = k; c < k + 3; c++) displacement[c] -= inward * normals[c];
  }
}

/**
 * Follows a fast particle's way through the obstacle's frame by sphere tracing. On a hit from outside, `hit` becomes the
 * end point against the tangent plane there, so that the particle leaves on the side where it came in.
 */
function sweep(
  collider: Obstacle,
  startFrame: Obstacle['start'],
  starts: Float64Array,
  positions: Float64Array,
  k: number,
  shortest: number,
): boolean {
  startFrame.toLocal(starts[k], starts[k + 1], starts[k + 2], from);
  collider.end.toLocal(positions[k], positions[k + 1], positions[k + 2], to);
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const dz = to[2] - from[2];
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(length > shortest)) return false;
  if (collider.solid instanceof MeshObstacle) {
    if (!collider.solid.sweep(from, to, hit)) return false;
    collider.turnNormal(hit);
    return true;
  }
  // Never less than a part of the thickness: a particle that grazes the surface gets along, and cannot step over it.
  const least = Math.max(0.5 * shortest, length / SWEEP_STEPS);
  let travelled = 0;
  while (travelled < length) {
    const t = travelled / length;
    touch[0] = from[0] + t * dx;
    touch[1] = from[1] + t * dy;
    touch[2] = from[2] + t * dz;
    collider.measureLocal(touch[0], touch[1], touch[2], hit);
    if (hit.distance < 1e-6 * length) {
      const heading = hit.nx * dx + hit.ny * dy + hit.nz * dz;
      // A particle that starts inside, or leaves, is none that came in from outside.
      if (hit.distance < -2 * least || heading >= 0) return false;
      hit.distance += (to[0] - touch[0]) * hit.nx + (to[1] - touch[1]) * hit.ny + (to[2] - touch[2]) * hit.nz;
      collider.turnNormal(hit);
      return true;
    }
    travelled += Math.max(hit.distance, least);
  }
  return false;
}

/**
 * Stops points on their straight way from an origin at the obstacles that they would meet: each comes to lie on the side of every
 * obstacle that the origin is on.
 */
export function stopAtObstacles(colliders: readonly Obstacle[], origin: ArrayLike<number>, points: Float64Array): void {
  const origins = Float64Array.from([origin[0], origin[1], origin[2]]);
  const point = new Float64Array(3);
  for (let k = 0; k < points.length; k += 3) {
    point.set(points.subarray(k, k + 3));
    for (let pass = 0, found = true; pass < PASSES && found; pass++) {
      found = false;
      for (const collider of colliders) {
        if (!sweep(collider, collider.end, origins, point, 0, SWEEP_SHARE * collider.thinnest)) {
          collider.measure(point[0], point[1], point[2], hit);
        }
        if (!(hit.distance < 0)) continue;
        found = true;
        point[0] -= hit.distance * hit.nx;
        point[1] -= hit.distance * hit.ny;
        point[2] -= hit.distance * hit.nz;
      }
    }
    points.set(point, k);
  }
}

/**
 * Marks the candidates that lie deeper than `tolerance` [m] in an obstacle, or would pass through one on their way from
 * `origins`; returns how many were not marked before. `fits` gets the share of the way from there that they may go.
 */
export function markPenetrating(
  colliders: readonly Obstacle[],
  candidates: Float64Array,
  tolerance: number,
  held: Uint8Array,
  origins?: Float64Array,
  fits?: Float64Array,
): number {
  let marked = 0;
  for (const collider of colliders) {
    const sweepLength = SWEEP_SHARE * collider.thinnest;
    for (let i = 0, k = 0; i < held.length; i++, k += 3) {
      if (held[i] !== 0) continue;
      const swept = origins && sweep(collider, collider.end, origins, candidates, k, sweepLength);
      if (!swept) collider.measure(candidates[k], candidates[k + 1], candidates[k + 2], hit);
      if (!(hit.distance < -tolerance)) continue;
      held[i] = 1;
      marked++;
      if (!fits || !origins) continue;
      const depth = -hit.distance;
      collider.measure(origins[k], origins[k + 1], origins[k + 2], hit);
      fits[i] = hit.distance > 0 ? Math.min(1, hit.distance / (hit.distance + depth)) : 0;
    }
  }
  return marked;
}

/** Depth of the deepest position inside any obstacle [m]; 0 where all are outside. */
export function deepestPenetration(colliders: readonly Obstacle[], positions: ArrayLike<number>): number {
  let deepest = 0;
  for (const collider of colliders) {
    for (let k = 0; k < positions.length; k += 3) {
      collider.measure(positions[k], positions[k + 1], positions[k + 2], hit);
      // A sheet has no inside.
      if (collider.solid instanceof MeshObstacle && !collider.solid.isClosed) continue;
      deepest = Math.max(deepest, -hit.distance);
    }
  }
  return deepest;
}
