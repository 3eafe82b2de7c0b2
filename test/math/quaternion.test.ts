// Quaternions against rotations about axes that can be written down, and against three.

import { Quaternion as ThreeQuaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  fromAxisAngle,
  IDENTITY,
  multiply,
  normalizeQuaternion,
  type Quaternion,
  rotate,
  slerp,
  writeMatrix,
} from '../../src/math/quaternion.js';
import { seededRandom } from '../../src/math/random.js';
import { normalize, type Vec3 } from '../../src/math/vec3.js';

/** Products of numbers of order one. */
const ROUNDING = 1e-14;
const random = seededRandom(2);
const anyAxis = (): Vec3 => normalize([random() - 0.5, random() - 0.5, random() - 0.5]);
const anyRotation = (): Quaternion => fromAxisAngle(anyAxis(), 2 * Math.PI * random());
const three = (q: Quaternion) => new ThreeQuaternion(...q);
const far = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((x, c) => Math.abs(x - b[c])));

describe('quaternions', () => {
  it('turn by the right hand: a quarter about z takes x to y', () => {
    const quarter = fromAxisAngle([0, 0, 1], Math.PI / 2);
    expect(far(rotate(quarter, [1, 0, 0]), [0, 1, 0])).toBeLessThan(ROUNDING);
    expect(far(rotate(quarter, [0, 1, 0]), [-1, 0, 0])).toBeLessThan(ROUNDING);
    expect(far(rotate(quarter, [0, 0, 1]), [0, 0, 1])).toBeLessThan(ROUNDING);
    expect(rotate(IDENTITY, [1, 2, 3])).toEqual([1, 2, 3]);
  });

  it('rotate, multiply and slerp as three does', () => {
    for (let n = 0; n < 200; n++) {
      const [a, b] = [anyRotation(), anyRotation()];
      const v: Vec3 = [random(), random(), random()];
      const t = random();
      expect(far(rotate(a, v), new Vector3(...v).applyQuaternion(three(a)).toArray())).toBeLessThan(ROUNDING);
      expect(far(multiply(a, b), three(a).multiply(three(b)).toArray())).toBeLessThan(ROUNDING);
      expect(far(slerp(a, b, t), three(a).slerp(three(b), t).toArray())).toBeLessThan(1e-12);
    }
  });

  it('compose: first b, then a', () => {
    for (let n = 0; n < 50; n++) {
      const [a, b] = [anyRotation(), anyRotation()];
      const v: Vec3 = [1, 2, 3];
      expect(far(rotate(multiply(a, b), v), rotate(a, rotate(b, v)))).toBeLessThan(ROUNDING * 4);
    }
  });

  it('have a matrix that does the same', () => {
    for (let n = 0; n < 50; n++) {
      const q = anyRotation();
      const m = new Float64Array(9);
      writeMatrix(q, m);
      const v: Vec3 = [1, -2, 3];
      const product = [0, 1, 2].map((r) => m[3 * r] * v[0] + m[3 * r + 1] * v[1] + m[3 * r + 2] * v[2]);
      expect(far(product, rotate(q, v))).toBeLessThan(ROUNDING);
    }
  });

  it('normalise; one without direction becomes the identity', () => {
    expect(normalizeQuaternion([0, 3, 0, 4])).toEqual([0, 0.6, 0, 0.8]);
    expect(normalizeQuaternion([0, 0, 0, 0])).toEqual(IDENTITY);
  });
});

describe('slerp', () => {
  it('goes at constant speed', () => {
    const axis = anyAxis();
    const from = anyRotation();
    for (const t of [0, 0.1, 0.5, 0.75, 1]) {
      const expected = multiply(fromAxisAngle(axis, 1.4 * t), from);
      expect(far(slerp(from, multiply(fromAxisAngle(axis, 1.4), from), t), expected)).toBeLessThan(ROUNDING);
    }
  });

  it('takes the shorter way where the signs differ', () => {
    const [a, b] = [fromAxisAngle([0, 1, 0], 0.2), fromAxisAngle([0, 1, 0], 0.6)];
    const flipped: Quaternion = [-b[0], -b[1], -b[2], -b[3]];
    expect(far(slerp(a, flipped, 0.5), fromAxisAngle([0, 1, 0], 0.4))).toBeLessThan(ROUNDING);
  });

  it('stays a unit quaternion for equal, nearly equal and opposite rotations', () => {
    const a = anyRotation();
    for (const angle of [0, 1e-12, 1e-6, 4e-5, Math.PI, 2 * Math.PI]) {
      const b = multiply(fromAxisAngle([1, 0, 0], angle), a);
      for (const t of [0, 0.3, 1]) {
        const q = slerp(a, b, t);
        expect(Math.abs(q.reduce((sum, x) => sum + x * x, 0) - 1)).toBeLessThan(ROUNDING);
      }
      // In the linear part below 4e-5 rad the speed varies by the square of the angle.
      const third = multiply(fromAxisAngle([1, 0, 0], angle / 3), a);
      if (angle < 1) expect(far(slerp(a, b, 1 / 3), third)).toBeLessThan(ROUNDING);
    }
  });
});
