// What a body touched in a step, and what that did to it: one sum per obstacle and per other body.

import { captureFields, restoreFields, type StateTree } from '../math/state-tree.js';
import { normalize, pointAt, scale, type Vec3 } from '../math/vec3.js';

/** Share of its mass [m/s] by which a particle counts for the point and the normal where nothing presses. */
const UNPRESSED = 1e-9;
/** Steps over which the mean impulse is taken, for bodies that fall asleep: as long as they have been quiet. */
const MEAN_STEPS = 100;

/** What one thing did to a body, summed over particles. */
export class TouchSums {
  /** Momentum that the body got [kg m/s], and its moment about the position of the obstacle [kg m²/s]. */
  readonly impulse = new Float64Array(3);
  readonly moment = new Float64Array(3);
  /** Σ w x, Σ w n, Σ w with the pressure w. */
  readonly points = new Float64Array(3);
  readonly normals = new Float64Array(3);
  weight = 0;

  clear(): void {
    const { impulse, moment, points, normals } = this;
    for (let a = 0; a < 3; a++) impulse[a] = moment[a] = points[a] = normals[a] = 0;
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
  addSums(sums: TouchSums): void {
    this.weight += sums.weight;
    for (let a = 0; a < 3; a++) {
      this.impulse[a] += sums.impulse[a];
      this.moment[a] += sums.moment[a];
      this.points[a] += sums.points[a];
      this.normals[a] += sums.normals[a];
    }
  }
}

/** A body's contact with one thing: the sums of a step, and their mean over the steps since it began. */
export class Touch<T extends object> extends TouchSums {
  /** Whether it was found in this step. */
  isFound = false;
  /** Steps that the means are taken over. */
  private steps = 0;
  private readonly meanImpulse = new Float64Array(3);
  private readonly meanMoment = new Float64Array(3);

  constructor(readonly other: T) {
    super();
  }

  /** Takes the step into the means. */
  remember(): void {
    const { impulse, moment, meanImpulse, meanMoment } = this;
    this.steps = Math.min(MEAN_STEPS, this.steps + 1);
    for (let a = 0; a < 3; a++) {
      meanImpulse[a] += (impulse[a] - meanImpulse[a]) / this.steps;
      meanMoment[a] += (moment[a] - meanMoment[a]) / this.steps;
    }
  }

  /** Presses as in the mean, where there is one. */
  settle(): void {
    if (this.steps === 0) return;
    this.impulse.set(this.meanImpulse);
    this.moment.set(this.meanMoment);
  }
}

/** Everything that a body touched in a step. */
export class Touches<T extends object> {
  /** Of this step, in the order in which they were found. */
  readonly found: Touch<T>[] = [];
  /** Of this step and of the one before. */
  private readonly known = new Map<T, Touch<T>>();

  clear(): void {
    for (const touch of this.found) touch.isFound = false;
    this.found.length = 0;
  }

  /** The contact with a thing; a new one where there is none yet. */
  with(other: T): Touch<T> {
    const touch = this.known.get(other) ?? this.add(other);
    if (touch.isFound) return touch;
    touch.isFound = true;
    touch.clear();
    this.found.push(touch);
    return touch;
  }

  private add(other: T): Touch<T> {
    const touch = new Touch(other);
    this.known.set(other, touch);
    return touch;
  }

  /** At the end of a step: takes it into the means, and forgets what is no longer touched. */
  remember(): void {
    if (this.known.size > this.found.length) {
      for (const [other, { isFound }] of this.known) if (!isFound) this.known.delete(other);
    }
    for (const touch of this.found) touch.remember();
  }

  /** `placeOf` numbers what was touched; below 0 is what is there no more. */
  capture(placeOf: (other: T) => number): StateTree {
    const present = (touch: Touch<T>) => placeOf(touch.other) >= 0;
    return {
      found: this.found.filter(present).map(({ other }) => placeOf(other)),
      known: [...this.known.values()]
        .filter(present)
        .map((touch) => [placeOf(touch.other), captureFields(touch, { without: ['other'] })]),
    };
  }

  restore(state: StateTree, otherAt: (place: number) => T): void {
    const { found, known } = state as unknown as {
      found: readonly number[];
      known: readonly (readonly [number, { [key: string]: StateTree }])[];
    };
    this.clear();
    this.known.clear();
    for (const [place, fields] of known) restoreFields(this.add(otherAt(place)), fields);
    for (const place of found) this.found.push(this.known.get(otherAt(place)) as Touch<T>);
  }

  /** A body that falls asleep goes on pressing as it did in the mean. */
  settle(): void {
    for (const touch of this.found) touch.settle();
  }
}
