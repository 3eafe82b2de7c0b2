// Wind: air that moves through the world, steadily or in gusts, and takes particles along.
// Based on: G. I. Taylor, "The spectrum of turbulence", 1938: gusts are a frozen pattern that the wind carries past.

import { expectNumber, expectPositive, expectVector, showInput } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import type { Vec3 } from '../math/vec3.js';
import type { ForceField } from './force-field.js';

/** A wind: its velocity and its gusts. */
export interface WindOptions {
  /** Mean velocity of the air [m/s]. */
  readonly velocity?: Vec3;
  /** How much gusts change it, as a share of its speed, 0…2. */
  readonly gusts?: number;
  /** Size of a gust [m]. */
  readonly gustSize?: number;
  /** How fast particles take the air's velocity [1/s], 0…100: of light and flat things high. */
  readonly drag?: number;
  /** Of the gusts. */
  readonly seed?: number;
}

/** Options of `wind` where none are given. */
export const WIND_DEFAULTS = Object.freeze({
  velocity: Object.freeze([2, 0, 0]) as Vec3,
  gusts: 0.5,
  gustSize: 1,
  drag: 1,
  seed: 1,
});

/** Most that `gusts` and `drag` may be: at 100/s a step of 5 ms takes half of the difference, and never overshoots. */
export const WIND_LIMITS = Object.freeze({ gusts: 2, drag: 100 });

/**
 * Wind, for `world.addField`.
 * @example
 * ```ts
 * const world = await createWorld();
 * world.addField(wind({ velocity: [3, 0, 0], gusts: 0.5 }));
 * ```
 */
export function wind(options: WindOptions = {}): ForceField & Required<WindOptions> {
  expectKnownFields('wind', options, Object.keys(WIND_DEFAULTS));
  const given = { ...WIND_DEFAULTS, ...options };
  expectVector('velocity', given.velocity);
  expectNumber('gusts', given.gusts, 0, WIND_LIMITS.gusts);
  expectPositive('gustSize', given.gustSize);
  expectNumber('drag', given.drag, 0, WIND_LIMITS.drag);
  if (!Number.isInteger(given.seed)) throw new RangeError(`seed: expected an integer, got ${showInput(given.seed)}`);
  const [ux, uy, uz] = given.velocity;
  const { drag, gustSize, seed } = given;
  const change = given.gusts * Math.sqrt(ux * ux + uy * uy + uz * uz);
  const gusts = new Gusts(seed);
  const { air } = gusts;
  const write: ForceField['write'] = (x, y, z, vx, vy, vz, time, sum) => {
    if (change > 0) gusts.blow((x - ux * time) / gustSize, (y - uy * time) / gustSize, (z - uz * time) / gustSize);
    sum[0] += drag * (ux + change * air[0] - vx);
    sum[1] += drag * (uy + change * air[1] - vy);
    sum[2] += drag * (uz + change * air[2] - vz);
  };
  return Object.freeze({ ...given, velocity: [ux, uy, uz] as const, write });
}

const smooth = (t: number): number => t * t * (3 - 2 * t);

/**
 * A smooth random vector at a point, −1…1 each: random ones at the corners of unit cubes, interpolated. Those of the last cube are kept,
 * as the next point mostly lies in it too: of 34 000 points in 40 flowers all but some hundred.
 */
class Gusts {
  /** At the last point. */
  readonly air = new Float64Array(3);
  private readonly cell = new Float64Array(3).fill(Number.NaN);
  private readonly corners = new Float64Array(24);

  constructor(private readonly seed: number) {}

  blow(x: number, y: number, z: number): void {
    const { cell } = this;
    const i = Math.floor(x);
    const j = Math.floor(y);
    const k = Math.floor(z);
    if (i !== cell[0] || j !== cell[1] || k !== cell[2]) this.enter(i, j, k);
    const sx = smooth(x - i);
    const sy = smooth(y - j);
    const sz = smooth(z - k);
    const [tx, ty, tz] = [1 - sx, 1 - sy, 1 - sz];
    this.mix(
      tx * ty * tz,
      sx * ty * tz,
      tx * sy * tz,
      sx * sy * tz,
      tx * ty * sz,
      sx * ty * sz,
      tx * sy * sz,
      sx * sy * sz,
    );
  }

  /** The corners' vectors by their weights. */
  private mix(a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number): void {
    const { air, corners: v } = this;
    for (let k = 0; k < 3; k++) {
      const low = a * v[k] + b * v[3 + k] + c * v[6 + k] + d * v[9 + k];
      air[k] = low + e * v[12 + k] + f * v[15 + k] + g * v[18 + k] + h * v[21 + k];
    }
  }

  /** Finds the vectors at the corners of a cube. */
  private enter(i: number, j: number, k: number): void {
    const { cell, corners, seed } = this;
    cell[0] = i;
    cell[1] = j;
    cell[2] = k;
    for (let corner = 0; corner < 8; corner++) {
      const bits = hashCell(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2), seed);
      // Ten bits for each number.
      for (let c = 0; c < 3; c++) corners[3 * corner + c] = ((bits >>> (10 * c)) & 1023) / 511.5 - 1;
    }
  }
}

/** 32 bits that look random, of a cell and a seed. */
function hashCell(i: number, j: number, k: number, seed: number): number {
  let h = Math.imul(i, 0x27d4eb2f) ^ Math.imul(j, 0x165667b1) ^ Math.imul(k, 0x5851f42d) ^ Math.imul(seed, 0x2545f491);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}
