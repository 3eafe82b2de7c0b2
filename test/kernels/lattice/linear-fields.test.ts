// Linear fields: found where they are, no more where points do not tell, and momentum as it was asked for.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import {
  addLinearField,
  createLinearField,
  findRigidField,
  fitLinearField,
} from '../../../src/solvers/linear-fields.js';
import { createRigidMotion, measureRigidMotion } from '../../../src/solvers/rigid-motion.js';

const random = seededRandom(11);
const points = Float64Array.from({ length: 90 }, () => 3 * random() - 1);
const masses = Float64Array.from({ length: 30 }, () => 0.1 + random());
const linear = (list: Float64Array): Float64Array =>
  list.map((_, k) => {
    const [x, y, z] = list.subarray(k - (k % 3), k - (k % 3) + 3);
    return [1 + 2 * x - y, 0.5 * y + 3 * z, -2 - x + y - z][k % 3];
  });

/** Of what the points are of [m]. */
const SIZE = 2;

/** Thirty points of order one: a dozen roundings, and the condition of a 3×3 solve. */
const ROUNDING = 1e-13;

describe('fitLinearField', () => {
  it('finds a linear field and continues it elsewhere', () => {
    const field = createLinearField();
    fitLinearField(points, linear(points), masses, SIZE, field);
    const elsewhere = points.map((x) => 5 - 2 * x);
    const values = new Float64Array(points.length);
    addLinearField(field, elsewhere, values);
    const expected = linear(elsewhere);
    for (let k = 0; k < values.length; k++) expect(Math.abs(values[k] - expected[k])).toBeLessThan(20 * ROUNDING);
  });

  it('fits points in a plane, and has no slope across it beyond rounding', () => {
    const flat = points.map((x, k) => (k % 3 === 1 ? 0.5 : x));
    const field = createLinearField();
    fitLinearField(flat, linear(flat), masses, SIZE, field);
    const values = new Float64Array(points.length);
    addLinearField(field, flat, values);
    const expected = linear(flat);
    for (let k = 0; k < values.length; k++) expect(Math.abs(values[k] - expected[k])).toBeLessThan(1e-11);
    for (const row of [0, 1, 2]) expect(Math.abs(field.gradient[3 * row + 1])).toBeLessThan(1e-3);
  });

  // Slopes of 1e15 of what rounding leaves there took nodes inside to thousands of metres.
  it.each([0, 1e-15])('gives points in one place, up to %d m, their mean', (rounding) => {
    const field = createLinearField();
    const values = points.map((x) => x + 2);
    const place = points.map((_, k) => 4 + rounding * ((7 * k) % 5));
    fitLinearField(place, values, masses, SIZE, field);
    expect(field.gradient.every((g) => g === 0)).toBe(true);
    const total = masses.reduce((sum, m) => sum + m, 0);
    for (let c = 0; c < 3; c++) {
      const mean = masses.reduce((sum, m, i) => sum + m * values[3 * i + c], 0) / total;
      expect(Math.abs(field.mean[c] - mean)).toBeLessThan(ROUNDING);
    }
  });
});

it('findRigidField leads from one motion to the momenta of another, without deforming', () => {
  const [from, to] = [points.map((x) => x * x - 1), points.map((x) => 1 - 3 * x)];
  const measure = (velocities: Float64Array) => measureRigidMotion(points, velocities, masses, createRigidMotion());
  const wanted = measure(to);
  const field = createLinearField();
  findRigidField(measure(from), wanted, field);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) expect(field.gradient[3 * r + c] + field.gradient[3 * c + r]).toBe(0);
  }
  addLinearField(field, points, from);
  const found = measure(from);
  for (let c = 0; c < 3; c++) {
    expect(Math.abs(found.linear[c] - wanted.linear[c])).toBeLessThan(100 * ROUNDING);
    expect(Math.abs(found.angular[c] - wanted.angular[c])).toBeLessThan(100 * ROUNDING);
  }
});
