// Velocity and displacement fields that are linear in space: found on the surface, continued inside.

import { solveSymmetric } from '../math/mat3.js';
import type { RigidMotion } from './rigid-motion.js';

/** Relative floor on second moments: below f64's rounding of well-shaped bodies, enough to solve for lines and points. */
const MOMENT_FLOOR = 1e-14;

/** value(x) = mean + gradient·(x − centre) */
export interface LinearField {
  readonly centre: Float64Array;
  readonly mean: Float64Array;
  /** Row by row. */
  readonly gradient: Float64Array;
}

export const createLinearField = (): LinearField => ({
  centre: new Float64Array(3),
  mean: new Float64Array(3),
  gradient: new Float64Array(9),
});

const spread = new Float64Array(6);
const row = new Float64Array(3);
const slope = new Float64Array(3);

/** Share of a body's size below which its particles are at one point, up to rounding. */
const POINT = 1e-6;

/**
 * The linear field nearest to the values at the positions of a body of this `size` [m], in the sense of Σ m‖…‖². Flat directions get
 * no gradient, nor does a body at one point: what rounding leaves of its spread, carried on inside, tore it to thousands of its sizes.
 */
export function fitLinearField(
  positions: Float64Array,
  values: Float64Array,
  masses: Float64Array,
  size: number,
  field: LinearField,
): void {
  const { centre, mean, gradient } = field;
  const origin = positions.slice(0, 3);
  let total = 0;
  centre.fill(0);
  mean.fill(0);
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    total += masses[i];
    for (let c = 0; c < 3; c++) {
      centre[c] += masses[i] * (positions[k + c] - origin[c]);
      mean[c] += masses[i] * values[k + c];
    }
  }
  for (let c = 0; c < 3; c++) {
    centre[c] = origin[c] + centre[c] / total;
    mean[c] /= total;
  }
  spread.fill(0);
  gradient.fill(0);
  for (let i = 0, k = 0; i < masses.length; i++, k += 3) {
    const x = masses[i] * (positions[k] - centre[0]);
    const y = masses[i] * (positions[k + 1] - centre[1]);
    const z = masses[i] * (positions[k + 2] - centre[2]);
    spread[0] += x * (positions[k] - centre[0]);
    spread[1] += x * (positions[k + 1] - centre[1]);
    spread[2] += x * (positions[k + 2] - centre[2]);
    spread[3] += y * (positions[k + 1] - centre[1]);
    spread[4] += y * (positions[k + 2] - centre[2]);
    spread[5] += z * (positions[k + 2] - centre[2]);
    for (let c = 0; c < 3; c++) {
      gradient[3 * c] += values[k + c] * x;
      gradient[3 * c + 1] += values[k + c] * y;
      gradient[3 * c + 2] += values[k + c] * z;
    }
  }
  const trace = spread[0] + spread[3] + spread[5];
  if (trace <= total * (POINT * size) ** 2) {
    gradient.fill(0);
    return;
  }
  const floor = MOMENT_FLOOR * trace;
  for (let c = 0; c < 9; c += 3) {
    row.set(gradient.subarray(c, c + 3));
    solveSymmetric(spread, floor, row, slope);
    gradient.set(slope, c);
  }
}

const turn = new Float64Array(3);
const missing = new Float64Array(3);

/** The rigid velocity field that takes particles from one motion to the momenta of another. */
export function findRigidField(now: RigidMotion, wanted: RigidMotion, field: LinearField): void {
  const { inertia } = now;
  for (let c = 0; c < 3; c++) {
    field.centre[c] = now.centre[c];
    field.mean[c] = (wanted.linear[c] - now.linear[c]) / now.mass;
    missing[c] = wanted.angular[c] - now.angular[c];
  }
  solveSymmetric(inertia, MOMENT_FLOOR * (inertia[0] + inertia[3] + inertia[5]), missing, turn);
  const [bx, by, bz] = turn;
  field.gradient.set([0, -bz, by, bz, 0, -bx, -by, bx, 0]);
}

/** values += field at the positions. */
export function addLinearField(field: LinearField, positions: Float64Array, values: Float64Array): void {
  const { centre, mean, gradient: g } = field;
  for (let k = 0; k < values.length; k += 3) {
    const x = positions[k] - centre[0];
    const y = positions[k + 1] - centre[1];
    const z = positions[k + 2] - centre[2];
    values[k] += mean[0] + g[0] * x + g[1] * y + g[2] * z;
    values[k + 1] += mean[1] + g[3] * x + g[4] * y + g[5] * z;
    values[k + 2] += mean[2] + g[6] * x + g[7] * y + g[8] * z;
  }
}
