// A free body that spins and trembles: its momenta, and its energy, which must not grow.

import { expect } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import type { OctreeDynamics } from '../../../src/solvers/octree/octree-dynamics.js';
import { createRigidMotion, measureRigidMotion } from '../../../src/solvers/rigid-motion.js';

export function spin(body: OctreeDynamics, seed: number): void {
  const random = seededRandom(seed);
  const turn = [3, -2, 4];
  const { positions: x, velocities: v } = body;
  for (let k = 0; k < v.length; k += 3) {
    v[k] = turn[1] * x[k + 2] - turn[2] * x[k + 1] + random() - 0.5;
    v[k + 1] = turn[2] * x[k] - turn[0] * x[k + 2] + random() - 0.5;
    v[k + 2] = turn[0] * x[k + 1] - turn[1] * x[k] + random() - 0.5;
  }
}

export const motionOf = (body: OctreeDynamics) =>
  measureRigidMotion(body.positions, body.velocities, body.rest.masses, createRigidMotion());

export const energyOf = ({ velocities, rest }: OctreeDynamics): number =>
  velocities.reduce((sum, v, k) => sum + 0.5 * rest.masses[Math.trunc(k / 3)] * v * v, 0);

export const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);

/** Lets a body that spins go on for so many seconds: linear momentum to 1e-9 of √(2EM), the angular to `tolerance`, energy to 0.1 %. */
export function expectFreeMotion(
  body: OctreeDynamics,
  { seed, timeStep, damping, seconds }: { seed: number; timeStep: number; damping: number; seconds: number },
  tolerance: number,
): void {
  spin(body, seed);
  const before = motionOf(body);
  const energy = energyOf(body);
  let most = 0;
  for (let n = 0; n * timeStep < seconds; n++) {
    body.step({ stiffness: 1, damping, plasticity: false }, timeStep);
    most = Math.max(most, energyOf(body));
  }
  const after = motionOf(body);
  expect(distance(after.linear, before.linear)).toBeLessThan(1e-9 * Math.sqrt(2 * energy));
  const angular = distance(before.angular, [0, 0, 0]);
  expect(distance(after.angular, before.angular)).toBeLessThan(tolerance * angular);
  expect(most).toBeLessThan(1.001 * energy);
}
