// Draws a whole body towards the placement of its rest shape that fits best, as far as obstacles let it: what is not rigid of
// its motion is taken away alike, momentum stays.

import { signedVolume } from '../../mesh/measure.js';
import { together } from '../inner-mass.js';
import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from '../rigid-motion.js';
import { keepPinned, type RecoverableBody, type Surroundings } from './recoverable-body.js';
import { createRigidMatch, enlarge, matchRigidly, misfitOf, writePlaces } from './rigid-match.js';

/** Most that the shape is made larger to have its volume between obstacles, to what share of it, and in how many rounds. */
const LARGEST = 1.6;
const GROWN = 0.02;
const GROWING_ROUNDS = 5;
/** How much more pinned particles count than the whole body where its shape is placed. */
const PINNED = 100;
/**
 * Speed that particles have at most beside being drawn, in body sizes a second. Regions that are still torn pull themselves together by a tenth
 * of a size a step, at up to 250 m/s in a body of a metre.
 */
const DRAWN_SPEED = 2;
/** Particles by which it is judged whether a body is in its shape: enough for a mean of distances. */
const JUDGED = 1024;

const match = createRigidMatch();
const kept = createRigidMotion();
const still = createRigidMotion();
let room = new Float64Array(0);

/**
 * Leaves `left` of the way to the rest shape, unless it is nearer than `near` body sizes; returns how far it was away from it.
 * `quaternion` is how the rest shape was turned, and is now.
 */
export function drawWhole(
  body: RecoverableBody,
  around: Surroundings,
  quaternion: Float64Array,
  left: number,
  near: number,
): number {
  const { prepared } = body;
  const { rest, positions, velocities, masses } = drawnOf(body);
  matchRigidly(rest, positions, heldFirst(body, masses), quaternion, match);
  enlarge(match, body.inflation.scale);
  const places = placesBetween(body, rest, around);
  keepPinned(body, places);
  const misfit = misfitOf(positions, places, masses) / prepared.volume.size;
  if (misfit < near) return misfit;
  measureRigidMotion(positions, velocities, masses, kept);
  for (let k = 0; k < positions.length; k++) {
    positions[k] = places[k] + left * (positions[k] - places[k]);
    velocities[k] *= left;
  }
  // One that an obstacle keeps from its place would never get past it.
  around.stop(match.centre, positions);
  keepPinned(body, positions);
  restoreRigidMotion(positions, velocities, masses, kept);
  const count = body.positions.length;
  body.positions.set(positions.subarray(0, count));
  body.velocities.set(velocities.subarray(0, count));
  body.load();
  const inner = body.hostModel?.inner;
  if (inner?.restPositions) {
    inner.positions.set(positions.subarray(count));
    inner.velocities.set(velocities.subarray(count));
  }
  body.turnRegions(quaternion);
  body.holdSpeed(DRAWN_SPEED * prepared.volume.size);
  return misfit;
}

/** What is drawn of a body: its vertices, and behind them the particles inside, where the rest shape has places for them. */
interface Drawn {
  readonly rest: Float64Array;
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly masses: Float64Array;
}

function drawnOf({ prepared, positions, velocities, masses, hostModel }: RecoverableBody): Drawn {
  const { positions: rest } = prepared.mesh;
  const inner = hostModel?.inner;
  if (!inner?.restPositions || !inner.massShares) {
    return { rest, positions: Float64Array.from(positions), velocities: Float64Array.from(velocities), masses };
  }
  const share = inner.massShares.reduce((sum, part) => sum + part, 0);
  const mass = masses.reduce((sum, part) => sum + part, 0) / (1 - share);
  const innerMasses = inner.massShares.map((part) => part * mass);
  return {
    rest: together(rest, inner.restPositions),
    positions: together(positions, inner.positions),
    velocities: together(velocities, inner.velocities),
    masses: together(masses, innerMasses),
  };
}

/**
 * Masses by which a body is matched: what is pinned counts more than all the rest, as the shape has to fit it. A mirrored body on
 * its pins was turned away from them otherwise, and stayed folded between.
 */
function heldFirst({ pins }: RecoverableBody, masses: Float64Array): Float64Array {
  if (pins.length === 0) return masses;
  const counted = masses.slice();
  const pinned = new Set(pins.flatMap(({ vertices }) => Array.from(vertices)));
  let mass = 0;
  let held = 0;
  for (let i = 0; i < masses.length; i++) {
    mass += masses[i];
    if (pinned.has(i)) held += masses[i];
  }
  for (const vertex of pinned) counted[vertex] *= (PINNED * mass) / held;
  return counted;
}

/** Whether nothing moves in a body, by more than `speed` sizes per second, although it is `away` of its size from its shape. */
export function liesElsewhere(body: RecoverableBody, quaternion: Float64Array, away: number, speed: number): boolean {
  const { positions, masses, prepared } = body;
  const { size } = prepared.volume;
  const stride = Math.max(1, Math.floor(masses.length / JUDGED));
  matchRigidly(prepared.mesh.positions, positions, masses, quaternion, match, stride);
  enlarge(match, body.inflation.scale);
  const places = placesOf(prepared.mesh.positions, stride);
  if (misfitOf(positions, places, masses, stride) < away * size) return false;
  const flow = Float64Array.from(body.velocities);
  restoreRigidMotion(Float64Array.from(positions), flow, masses, still);
  places.fill(0);
  return misfitOf(flow, places, masses) < speed * size;
}

/** Where the last match has the particles of a rest shape; of every `stride`th. */
function placesOf(rest: Float64Array, stride = 1): Float64Array {
  if (room.length < rest.length) room = new Float64Array(rest.length);
  const places = room.subarray(0, rest.length);
  writePlaces(match, rest, places, stride);
  return places;
}

/**
 * Where obstacles let the last match have the particles. Where they take room from it, the shape is as much larger as gives it
 * its volume back: between two plates it is wider.
 */
function placesBetween(body: RecoverableBody, rest: Float64Array, around: Surroundings): Float64Array {
  const { mesh, volume } = body.prepared;
  const { rotation } = match;
  const places = placesOf(rest);
  let scale = 1;
  for (let round = 0; round < GROWING_ROUNDS; round++) {
    around.stop(match.centre, places);
    const share = signedVolume(places, mesh.triangles) / (body.inflation.factor * volume.volume);
    if (!(share < 1 - GROWN) || scale >= LARGEST) break;
    // What obstacles hold back grows in two directions.
    const larger = Math.min(LARGEST / scale, 1 / Math.sqrt(Math.max(share, 0.25)));
    scale *= larger;
    for (let k = 0; k < 9; k++) rotation[k] *= larger;
    placesOf(rest);
  }
  return places;
}
