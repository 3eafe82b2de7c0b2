// What a body touched in a step, and what that did to it: one sum per obstacle and per other body.

import { captureFields, restoreFields, type StateTree } from '../../math/state-tree.js';
import { normalize, pointAt, scale, type Vec3 } from '../../math/vec3.js';
import { UNPRESSED } from './tuning.js';

const UP = [0, 1, 0];

/** Steps over which the mean impulse is taken, for bodies that fall asleep: as long as they have been quiet. */
const MEAN_STEPS = 100;

// Sums over the particles that touched something, with the pressure w: momentum that the body got [kg m/s], its moment
// about the position of the obstacle [kg m²/s], Σ w x, Σ w n, Σ w.
export const IMPULSE = 0;
export const MOMENT = 3;
export const POINTS = 6;
export const NORMALS = 9;
export const WEIGHT = 12;
export const TOUCH_SUMS = 13;
/** After the sums: means of momentum and moment over steps. */
const MEANS = TOUCH_SUMS;
const MEAN_COUNT = 6;
/** After these: how the body came, see `world/rebound`. */
const IMPACT = MEANS + MEAN_COUNT;
const IMPACT_COUNT = 12;

/** What of a touch outlives a step; what is touched is told by its place. */
export const TOUCH_STATE = ['isFound', 'steps', 'numbers'];

/** A body's contact with one thing. In a single array: after each step of the kernels none of it is in the caches. */
export class Touch<T extends object = object> {
  /** Whether it was found in this step. */
  isFound = false;
  /** Steps that the means are taken over. */
  private steps = 0;
  private readonly numbers = new Float64Array(IMPACT + IMPACT_COUNT);

  constructor(readonly other: T) {}

  clear(): void {
    for (let k = 0; k < TOUCH_SUMS; k++) this.numbers[k] = 0;
  }

  /** Momentum that the body got [kg m/s]. */
  get impulse(): Vec3 {
    return pointAt(this.numbers, IMPULSE / 3);
  }

  /** Writes where it touched, by pressure [m]; the unit vector to the body; the momentum that the body got [kg m/s]. */
  writeContact(numbers: Float64Array, k: number): void {
    const { numbers: own } = this;
    const [nx, ny, nz] = [own[NORMALS], own[NORMALS + 1], own[NORMALS + 2]];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    // Up where there is no direction, as `normalize` has it.
    const scale = length > 0 && Number.isFinite(length) ? 1 / length : 0;
    const share = 1 / own[WEIGHT];
    for (let c = 0; c < 3; c++) {
      numbers[k + c] = own[POINTS + c] * share;
      numbers[k + 3 + c] = scale > 0 ? own[NORMALS + c] * scale : UP[c];
      numbers[k + 6 + c] = own[IMPULSE + c];
    }
  }

  /** Takes momentum and its moment from what was touched: six numbers. */
  takeFrom(reaction: Float64Array): void {
    for (let k = 0; k < 6; k++) reaction[k] -= this.numbers[IMPULSE + k];
  }

  /** Adds a particle of mass m at x[k…] that got an impulse j from something at c with the normal n. */
  add(m: number, x: ArrayLike<number>, k: number, j: ArrayLike<number>, n: ArrayLike<number>, c: Vec3): void {
    const { numbers } = this;
    const rx = x[k] - c[0];
    const ry = x[k + 1] - c[1];
    const rz = x[k + 2] - c[2];
    numbers[MOMENT] += ry * j[2] - rz * j[1];
    numbers[MOMENT + 1] += rz * j[0] - rx * j[2];
    numbers[MOMENT + 2] += rx * j[1] - ry * j[0];
    const weight = UNPRESSED * m + Math.max(0, j[0] * n[0] + j[1] * n[1] + j[2] * n[2]);
    numbers[WEIGHT] += weight;
    for (let a = 0; a < 3; a++) {
      numbers[IMPULSE + a] += j[a];
      numbers[POINTS + a] += weight * x[k + a];
      numbers[NORMALS + a] += weight * n[a];
    }
  }

  /** Adds sums that were taken elsewhere. */
  addSums(sums: Float64Array): void {
    for (let k = 0; k < TOUCH_SUMS; k++) this.numbers[k] += sums[k];
  }

  /** What is known of the impact; what these numbers are is the matter of `world/rebound`. */
  get impact(): Float64Array {
    return this.numbers.subarray(IMPACT);
  }

  /** Whether it was not there in the step before. */
  get isNew(): boolean {
    return this.steps === 0;
  }

  /** Unit vector to the body, by pressure. */
  get normal(): Vec3 {
    return normalize(pointAt(this.numbers, NORMALS / 3));
  }

  /** Where it touched, by pressure [m]. */
  get point(): Vec3 {
    return scale(pointAt(this.numbers, POINTS / 3), 1 / this.numbers[WEIGHT]);
  }

  /** Takes the step into the means. */
  remember(): void {
    const { numbers } = this;
    this.steps = Math.min(MEAN_STEPS, this.steps + 1);
    for (let k = 0; k < MEAN_COUNT; k++) {
      numbers[MEANS + k] += (numbers[IMPULSE + k] - numbers[MEANS + k]) / this.steps;
    }
  }

  /** Presses as in the mean, where there is one. */
  settle(): void {
    if (this.steps > 0) this.numbers.copyWithin(IMPULSE, MEANS, MEANS + MEAN_COUNT);
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

  /** Of the step before, and not of this one. */
  get ended(): Touch<T>[] {
    if (this.known.size === this.found.length) return [];
    return [...this.known.values()].filter(({ isFound }) => !isFound);
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
        .map((touch) => [placeOf(touch.other), captureFields(touch, { only: TOUCH_STATE })]),
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
