// Brings back bodies that are broken: turned inside out, collapsed, scattered, crumpled. Their regions cannot do it, as what is
// broken is a rest state to each of them, and the volume constraint would freeze it. While a body is broken it is drawn to
// the one placement of its whole rest shape that fits best, its volume is let go, and what is not rigid of its motion is taken
// away; momentum stays. Then the volume is ramped in again.
//
// Measured on 13 meshes × 5 states × 4 settings, free: without this 40 % are not back after 400 steps.

import { signedVolume } from '../../mesh/measure.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from '../rigid-motion.js';
import { countFolds, type FoldRest } from './folds.js';
import { createWholeMatch, matchWhole, misfitOf, writePlaces } from './whole-match.js';

/** Share of folded edges, and of the volume, from which on a body is broken at once: nothing ordinary comes near them. */
const FOLDS_AT_ONCE = 0.2;
const VOLUME_AT_ONCE = 0.3;
/** Share of folded edges that a body may keep for as long as it likes, and how long it may keep more where nothing presses [s]. */
const FOLDS_KEPT = 0.015;
const PATIENCE = 0.2;
/** How well a body fits its rest shape, in its sizes, when it is whole again; and for how long one that is free may lie still in another [s]. */
const FITS = 0.05;
/** The same for one that nothing holds in another shape: what is left of it very soft bodies would swing for seconds. */
const FITS_FREELY = 0.005;
/** Share of the misfit of the step before below which a body is still on its way. */
const NEARING = 0.95;
/** Speed of the particles against rigid motion below which a body lies still, in sizes per second. */
const STILL = 0.05;
/** Particles by which it is judged whether a body is in its shape: enough for a mean of distances. */
const JUDGED = 1024;
/** Share of the way to the rest shape in 5 ms: 0.3 brings back all, within some twenty steps; 0.02 takes 150. */
const PULL = 0.3;
/** Longest that it is drawn at a time, and how long it is then left alone [s]. */
const LONGEST = 0.5;
const PAUSE = 0.5;
/** Share of V₀ by which the volume wanted grows in 5 ms. */
const RAMP = 0.04;
/** Most that the shape is made larger to have its volume between obstacles, to what share of it, and in how many rounds. */
const LARGEST = 1.6;
const GROWN = 0.02;
const GROWING_ROUNDS = 5;
/** Steps over which the watched edges are looked at once. */
const CYCLE = 16;
const REFERENCE_STEP = 0.005;

/** What is looked at and moved, in the mesh's own vertex order. */
export interface RecoverableBody {
  readonly prepared: {
    readonly mesh: TriangleMesh;
    readonly folds: FoldRest;
    readonly volume: { readonly volume: number; readonly size: number };
  };
  readonly positions: Float64Array | Float32Array;
  readonly velocities: Float64Array | Float32Array;
  readonly masses: Float64Array;
  readonly pins: readonly { readonly vertices: ArrayLike<number> }[];
  /** Volume enclosed [m³]. */
  readonly volumeNow: number;
  /** Whether its surface touches, holds or is held by nothing. */
  readonly isFree: boolean;
  /** Takes over positions and velocities; its regions are turned as the quaternion says. */
  reload(rotation: ArrayLike<number>): void;
}

/** What a body may ask about what is around it. */
export interface Surroundings {
  /** Whether something presses it by much more than its weight. */
  isPressed(): boolean;
  /** Stops points on their way from an origin at the obstacles. */
  stop(origin: ArrayLike<number>, points: Float64Array): void;
}

const match = createWholeMatch();
const kept = createRigidMotion();

/** Whether a body is broken, and how far it has come back. */
export class Recovery {
  /** Whether it is being drawn to its shape. */
  active = false;
  /** Share of V₀ that the volume constraint is to keep; 0 for none. */
  volumeShare = 1;
  /** How often it was found broken. */
  count = 0;
  /** Of its rest shape as a whole. */
  readonly quaternion = Float64Array.of(0, 0, 0, 1);
  /** Its particles were written from outside: what it looks like has to be found anew. */
  private written = true;
  private place = 0;
  private folds = 0;
  /** How long it has been folded, or still in another shape; how long it is drawn, or left alone [s]. */
  private folded = 0;
  private still = 0;
  private time = 0;
  private pause = 0;
  /** How far it is from its shape, in its sizes. */
  private misfit = 0;

  /** The particles were placed somewhere by hand; `rotation` is how the rest shape is turned there, where that is known. */
  renew(rotation?: ArrayLike<number>): void {
    this.written = true;
    this.pause = 0;
    if (rotation) this.quaternion.set(rotation);
  }

  /** Before a step of `timeStep` [s]: looks at the body, and where it is broken moves it. */
  update(body: RecoverableBody, around: Surroundings, timeStep: number): void {
    if (this.volumeShare < 1 && !this.active) this.ramp(timeStep);
    this.pause = Math.max(0, this.pause - timeStep);
    if (!this.active && this.pause === 0 && this.isBroken(body, around, timeStep)) this.begin();
    if (this.active) this.draw(body, around, timeStep);
  }

  private ramp(timeStep: number): void {
    this.volumeShare = Math.min(1, this.volumeShare + RAMP * (timeStep / REFERENCE_STEP));
  }

  private begin(): void {
    this.active = true;
    this.count++;
    this.volumeShare = 0;
    this.time = 0;
    this.misfit = Infinity;
  }

  /** A slice of the watched edges per step; once around, or at once where the particles were written, a verdict. */
  private isBroken(body: RecoverableBody, around: Surroundings, timeStep: number): boolean {
    const { folds } = body.prepared;
    if (this.written) {
      this.written = false;
      this.place = 0;
      this.folds = 0;
      return this.judge(body, countFolds(folds, body.positions, 0, folds.watched), around, 0);
    }
    const next = Math.min(folds.watched, this.place + Math.ceil(folds.watched / CYCLE));
    this.folds += countFolds(folds, body.positions, this.place, next);
    this.place = next;
    if (next < folds.watched) return false;
    const found = this.folds;
    this.place = 0;
    this.folds = 0;
    return this.judge(body, found, around, CYCLE * timeStep);
  }

  private judge(body: RecoverableBody, folds: number, around: Surroundings, elapsed: number): boolean {
    const share = folds / body.prepared.folds.watched;
    if (share > FOLDS_AT_ONCE || volumeShare(body) < VOLUME_AT_ONCE) return true;
    this.folded = share > FOLDS_KEPT && !around.isPressed() ? this.folded + elapsed : 0;
    this.still = body.isFree && this.isStillElsewhere(body) ? this.still + elapsed : 0;
    return this.folded > PATIENCE || this.still > PATIENCE;
  }

  /** Whether nothing moves in it although it is not in its shape. */
  private isStillElsewhere(body: RecoverableBody): boolean {
    const { mesh, volume } = body.prepared;
    const { positions, masses } = body;
    const stride = Math.max(1, Math.floor(masses.length / JUDGED));
    matchWhole(mesh.positions, positions, masses, this.quaternion, match, stride);
    const places = placesOf(body);
    if (misfitOf(positions, places, masses, stride) < FITS * volume.size) return false;
    const points = Float64Array.from(positions);
    const flow = Float64Array.from(body.velocities);
    restoreRigidMotion(points, flow, masses, createRigidMotion());
    places.fill(0);
    return misfitOf(flow, places, masses) < STILL * volume.size;
  }

  /** Draws it a share of the way to its shape; ends where it is there, or as far as it can get. */
  private draw(body: RecoverableBody, around: Surroundings, timeStep: number): void {
    const { mesh, volume } = body.prepared;
    const { masses } = body;
    const positions = Float64Array.from(body.positions);
    const velocities = Float64Array.from(body.velocities);
    matchWhole(mesh.positions, positions, masses, this.quaternion, match);
    const places = placesBetween(body, around);
    // What is pinned is where it is wanted.
    for (const { vertices } of body.pins) keepVertices(vertices, positions, places);
    const misfit = misfitOf(positions, places, masses) / volume.size;
    const isNearing = misfit < NEARING * this.misfit;
    this.misfit = misfit;
    if (misfit < FITS_FREELY || (misfit < FITS && !isNearing && !body.isFree)) {
      this.end(body);
      return;
    }
    this.time += timeStep;
    measureRigidMotion(positions, velocities, masses, kept);
    const left = (1 - PULL) ** (timeStep / REFERENCE_STEP);
    for (let k = 0; k < positions.length; k++) {
      positions[k] = places[k] + left * (positions[k] - places[k]);
      velocities[k] *= left;
    }
    // One that an obstacle keeps from its place would never get past it.
    around.stop(match.centre, positions);
    restoreRigidMotion(positions, velocities, masses, kept);
    body.positions.set(positions);
    body.velocities.set(velocities);
    body.reload(this.quaternion);
    if (this.time < LONGEST) return;
    this.end(body);
    this.pause = PAUSE;
  }

  private end(body: RecoverableBody): void {
    this.active = false;
    this.folded = 0;
    this.still = 0;
    // From where it is: a volume that is wanted at once would be pressed out of a few places.
    this.volumeShare = Math.min(1, Math.max(RAMP, volumeShare(body)));
  }
}

let room = new Float64Array(0);

/** Where the last match has the particles. */
function placesOf({ prepared, positions }: RecoverableBody): Float64Array {
  if (room.length < positions.length) room = new Float64Array(positions.length);
  const places = room.subarray(0, positions.length);
  writePlaces(match, prepared.mesh.positions, places);
  return places;
}

/**
 * Where obstacles let the last match have the particles. Where they take room from it, the shape is as much larger as gives it
 * its volume back: between two plates it is wider.
 */
function placesBetween(body: RecoverableBody, around: Surroundings): Float64Array {
  const { mesh, volume } = body.prepared;
  const { rotation } = match;
  const places = placesOf(body);
  let scale = 1;
  for (let round = 0; round < GROWING_ROUNDS; round++) {
    around.stop(match.centre, places);
    const share = signedVolume(places, mesh.triangles) / volume.volume;
    if (!(share < 1 - GROWN) || scale >= LARGEST) break;
    // What obstacles hold back grows in two directions.
    const larger = Math.min(LARGEST / scale, 1 / Math.sqrt(Math.max(share, 0.25)));
    scale *= larger;
    for (let k = 0; k < 9; k++) rotation[k] *= larger;
    placesOf(body);
  }
  return places;
}

function keepVertices(vertices: ArrayLike<number>, from: ArrayLike<number>, to: Float64Array): void {
  for (let n = 0; n < vertices.length; n++) {
    for (let k = 3 * vertices[n]; k < 3 * vertices[n] + 3; k++) to[k] = from[k];
  }
}

const volumeShare = ({ prepared, volumeNow }: RecoverableBody): number => volumeNow / prepared.volume.volume;
