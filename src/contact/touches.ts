// What a body touched in a step, and what that did to it: one sum per obstacle and per other body.

import { captureFields, restoreFields, type StateTree } from '../math/state-tree.js';
import { normalize, pointAt, scale, type Vec3 } from '../math/vec3.js';

/** Share of its mass [m/s] by which a particle counts for the point and the normal where nothing presses. */
const UNPRESSED = 1e-9;
/** Steps over which the mean impulse is taken, for bodies that fall asleep: as long as they have been quiet. */
const MEAN_STEPS = 100;

/** A body's contact with one thing. */
export class Touch {
  /** Momentum that the body got [kg m/s], and its moment about the position of the obstacle [kg m²/s]. */
  readonly impulse = new Float64Array(3);
  readonly moment = new Float64Array(3);
  /** Σ w x, Σ w n, Σ w with the pressure w. */
  private readonly points = new Float64Array(3);
  private readonly normals = new Float64Array(3);
  private weight = 0;

  clear(): void {
    for (const sum of [this.impulse, this.moment, this.points, this.normals]) sum.fill(0);
    this.weight = 0;
  }

  /** Where it touched, by pressure [m]. */
  get point(): Vec3 {
    return scale(pointAt(this.points, 0), 1 / this.weight);
  }

  /** Unit vector to the body. */
  get normal(): Vec3 {
    return normalize(pointAt(this.normals, 0));
  }

  /** Adds a particle of mass m at x[k…] that got an impulse j from something at c with the normal n. */
  add(m: number, x: ArrayLike<number>, k: number, j: ArrayLike<number>, n: ArrayLike<number>, c: Vec3): void {
    const { impulse, moment } = this;
    const rx = x[k] - c[0];
    const ry = x[k + 1] - c[1];
    const rz = x[k + 2] - c[2];
    moment[0] += ry * j[2] - rz * j[1];
    moment[1] += rz * j[0] - rx * j[2];
    moment[2] += rx * j[1] - ry * j[0];
    const weight = UNPRESSED * m + Math.max(0, j[0] * n[0] + j[1] * n[1] + j[2] * n[2]);
    this.weight += weight;
    for (let a = 0; a < 3; a++) {
      impulse[a] += j[a];
      this.points[a] += weight * x[k + a];
      this.normals[a] += weight * n[a];
    }
  }

  /** Adds sums that were taken elsewhere. */
  addSums(impulse: Vec3, moment: Vec3, weight: number, points: Vec3, normals: Vec3): void {
    this.weight += weight;
    for (let a = 0; a < 3; a++) {
      this.impulse[a] += impulse[a];
      this.moment[a] += moment[a];
      this.points[a] += points[a];
      this.normals[a] += normals[a];
    }
  }
}

/** Momentum and moment, a mean over steps. */
interface MeanTouch {
  steps: number;
  readonly impulse: Float64Array;
  readonly moment: Float64Array;
}

/** Everything that a body touched in a step, in the order in which it was found. */
export class Touches<T extends object> {
  private found = new Map<T, Touch>();
  /** Of the step before, to be used again. */
  private spare = new Map<T, Touch>();
  private readonly means = new Map<T, MeanTouch>();

  clear(): void {
    [this.found, this.spare] = [this.spare, this.found];
    this.found.clear();
  }

  /** The contact with a thing; a new one where there is none yet. */
  with(other: T): Touch {
    let touch = this.found.get(other);
    if (!touch) {
      touch = this.spare.get(other) ?? new Touch();
      this.spare.delete(other);
      touch.clear();
      this.found.set(other, touch);
    }
    return touch;
  }

  entries(): Iterable<[T, Touch]> {
    return this.found.entries();
  }

  /** At the end of a step: takes it into the means. */
  remember(): void {
    for (const other of this.means.keys()) if (!this.found.has(other)) this.means.delete(other);
    for (const [other, { impulse, moment }] of this.found) {
      const mean = this.means.get(other) ?? { steps: 0, impulse: impulse.slice(), moment: moment.slice() };
      this.means.set(other, mean);
      mean.steps = Math.min(MEAN_STEPS, mean.steps + 1);
      for (let a = 0; a < 3; a++) {
        mean.impulse[a] += (impulse[a] - mean.impulse[a]) / mean.steps;
        mean.moment[a] += (moment[a] - mean.moment[a]) / mean.steps;
      }
    }
  }

  /** `placeOf` numbers what was touched. */
  capture(placeOf: (other: T) => number): StateTree {
    const list = (map: Map<T, object>) => [...map].map(([other, touch]) => [placeOf(other), captureFields(touch)]);
    return { found: list(this.found), means: list(this.means) };
  }

  restore(state: StateTree, otherAt: (place: number) => T): void {
    type Saved = readonly (readonly [number, { [key: string]: StateTree }])[];
    const { found, means } = state as unknown as { found: Saved; means: Saved };
    this.found.clear();
    for (const [place, fields] of found) restoreFields(this.with(otherAt(place)), fields);
    this.means.clear();
    for (const [place, fields] of means) this.means.set(otherAt(place), fields as unknown as MeanTouch);
  }

  /** A body that falls asleep goes on pressing as it did in the mean. */
  settle(): void {
    for (const [other, { impulse, moment }] of this.means) {
      this.found.get(other)?.impulse.set(impulse);
      this.found.get(other)?.moment.set(moment);
    }
  }
}
