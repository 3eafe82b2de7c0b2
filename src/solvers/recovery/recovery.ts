// Brings back bodies that are broken: turned inside out, collapsed, scattered, crumpled. Their regions cannot do it, as what is
// broken is a rest state to each of them, and the volume constraint would freeze it. While a body is broken it is drawn to
// the one placement of its whole rest shape that fits best, its volume is let go, and what is not rigid of its motion is taken
// away; momentum stays. Then the volume is ramped in again.
//
// Measured on 13 meshes × 5 states × 4 settings, free: without this 40 % are not back after 400 steps.

import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { createRigidMotion, measureRigidMotion, restoreRigidMotion } from '../rigid-motion.js';
import { countFolds, type FoldRest } from './folds.js';
import { createWholeMatch, goalOf, matchWhole } from './whole-match.js';

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
/** Speed of the particles against rigid motion below which a body lies still, in sizes per second. */
const STILL = 0.05;
/** Share of folded edges and of the volume at which one that cannot take its shape (pinned, between others) is let be. */
const FOLDS_LEFT = 0.002;
const VOLUME_LEFT = 0.6;
/** Share of the way to the rest shape in 5 ms: 0.3 brings back all, within some twenty steps; 0.02 takes 150. */
const PULL = 0.3;
/** Longest that it is drawn at a time, and how long it is then left alone [s]. */
const LONGEST = 0.5;
const PAUSE = 0.5;
/** Share of V₀ by which the volume wanted grows in 5 ms. */
const RAMP = 0.04;
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

  /** The particles were placed somewhere by hand; `rotation` is how the rest shape is turned there, where that is known. */
  renew(rotation?: ArrayLike<number>): void {
    this.written = true;
    this.pause = 0;
    if (rotation) this.quaternion.set(rotation);
  }

  /** Before a step of `timeStep` [s]: looks at the body, and where it is broken moves it. */
  update(body: RecoverableBody, pressed: () => boolean, timeStep: number): void {
    if (this.volumeShare < 1 && !this.active) this.ramp(timeStep);
    this.pause = Math.max(0, this.pause - timeStep);
    if (!this.active && this.pause === 0 && this.isBroken(body, pressed, timeStep)) this.begin();
    if (this.active) this.draw(body, timeStep);
  }

  private ramp(timeStep: number): void {
    this.volumeShare = Math.min(1, this.volumeShare + RAMP * (timeStep / REFERENCE_STEP));
  }

  private begin(): void {
    this.active = true;
    this.count++;
    this.volumeShare = 0;
    this.time = 0;
  }

  /** A slice of the watched edges per step; once around, or at once where the particles were written, a verdict. */
  private isBroken(body: RecoverableBody, pressed: () => boolean, timeStep: number): boolean {
    const { folds } = body.prepared;
    if (this.written) {
      this.written = false;
      this.place = 0;
      this.folds = 0;
      return this.judge(body, countFolds(folds, body.positions, 0, folds.watched), pressed, 0);
    }
    const next = Math.min(folds.watched, this.place + Math.ceil(folds.watched / CYCLE));
    this.folds += countFolds(folds, body.positions, this.place, next);
    this.place = next;
    if (next < folds.watched) return false;
    const found = this.folds;
    this.place = 0;
    this.folds = 0;
    return this.judge(body, found, pressed, CYCLE * timeStep);
  }

  private judge(body: RecoverableBody, folds: number, pressed: () => boolean, elapsed: number): boolean {
    const share = folds / body.prepared.folds.watched;
    if (share > FOLDS_AT_ONCE || volumeShare(body) < VOLUME_AT_ONCE) return true;
    this.folded = share > FOLDS_KEPT && !pressed() ? this.folded + elapsed : 0;
    this.still = body.isFree && this.isStillElsewhere(body) ? this.still + elapsed : 0;
    return this.folded > PATIENCE || this.still > PATIENCE;
  }

  /** Whether nothing moves in it although it is not in its shape. */
  private isStillElsewhere(body: RecoverableBody): boolean {
    const { size } = body.prepared.volume;
    const { positions, velocities, masses } = body;
    matchWhole(body.prepared.mesh.positions, positions, masses, this.quaternion, match, true);
    if (match.misfit < FITS * size) return false;
    measureRigidMotion(Float64Array.from(positions), Float64Array.from(velocities), masses, kept);
    const flow = Float64Array.from(velocities);
    restoreRigidMotion(Float64Array.from(positions), flow, masses, createRigidMotion());
    let sum = 0;
    for (let k = 0; k < flow.length; k++) sum += masses[Math.trunc(k / 3)] * flow[k] * flow[k];
    return sum < kept.mass * (STILL * size) ** 2;
  }

  /** Draws it a share of the way to its shape; ends where it is there, or as far as it can get. */
  private draw(body: RecoverableBody, timeStep: number): void {
    const { mesh, folds } = body.prepared;
    const { masses } = body;
    const positions = Float64Array.from(body.positions);
    const velocities = Float64Array.from(body.velocities);
    matchWhole(mesh.positions, positions, masses, this.quaternion, match);
    if (this.isOver(body, folds)) return;
    this.time += timeStep;
    measureRigidMotion(positions, velocities, masses, kept);
    const left = (1 - PULL) ** (timeStep / REFERENCE_STEP);
    for (let k = 0; k < positions.length; k++) {
      const goal = goalOf(match, mesh.positions, k - (k % 3), k % 3);
      positions[k] = goal + left * (positions[k] - goal);
      velocities[k] *= left;
    }
    for (const { vertices } of body.pins) keepVertices(vertices, body.positions, positions);
    restoreRigidMotion(positions, velocities, masses, kept);
    body.positions.set(positions);
    body.velocities.set(velocities);
    body.reload(this.quaternion);
    if (this.time < LONGEST) return;
    this.end(body);
    this.pause = PAUSE;
  }

  private isOver(body: RecoverableBody, folds: FoldRest): boolean {
    const fits = match.misfit < (body.isFree ? FITS_FREELY : FITS) * body.prepared.volume.size;
    const folded = countFolds(folds, body.positions, 0, folds.watched) > FOLDS_LEFT * folds.watched;
    if (fits ? folded && this.time === 0 : folded || body.isFree || volumeShare(body) < VOLUME_LEFT) return false;
    this.end(body);
    return true;
  }

  private end(body: RecoverableBody): void {
    this.active = false;
    this.folded = 0;
    this.still = 0;
    // From where it is: a volume that is wanted at once would be pressed out of a few places.
    this.volumeShare = Math.min(1, Math.max(RAMP, volumeShare(body)));
  }
}

function keepVertices(vertices: ArrayLike<number>, from: ArrayLike<number>, to: Float64Array): void {
  for (let n = 0; n < vertices.length; n++) {
    for (let k = 3 * vertices[n]; k < 3 * vertices[n] + 3; k++) to[k] = from[k];
  }
}

const volumeShare = ({ prepared, volumeNow }: RecoverableBody): number => volumeNow / prepared.volume.volume;
